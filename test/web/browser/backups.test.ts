// Backups by their pages: archives are made, opened, tried and deleted, the schedule is changed, and the panel is
// restored, from its folder, from a file, and before it is set up. And what those see who may not do all of that.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, ROOT, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const PASSPHRASE = "چهار واژهٔ دور از هم";
const READER = { username: "rita", password: "correct horse battery" };
const ADMIN = { username: "adam", password: "correct horse battery" };
const SELLER = { username: "sela", password: "correct horse battery" };
const { backups, parts, session } = words;

describe.skipIf(!hasBrowser)("backups", () => {
  let stage: BrowserStage;
  let owner: Visit;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    const api = await stage.panel.logIn();
    const made = (await api.ok("POST", "/roles", { name: "watcher", base: "sudo", scopes: ["backup:read"] })) as {
      name: string;
    };
    await api.ok("POST", "/admins", { ...READER, role: made.name });
    await api.ok("POST", "/admins", { ...ADMIN, role: "admin" });
    await api.ok("POST", "/admins", { ...SELLER, role: "resale" });
    await stage.panel.api.make("users", { name: "anna" });
    owner = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const dialog = (visit: Visit) => visit.page.getByRole("dialog");
  const stored = async () => {
    const { items } = (await stage.panel.api.ok("GET", "/backups")) as {
      items: readonly { name: string; encrypted: boolean; rehearsal: string | null }[];
    };
    return items;
  };

  /** Makes an archive by the button; answers its name. */
  async function make(passphrase?: string): Promise<string> {
    const { page } = owner;
    const before = new Set((await stored()).map(({ name }) => name));
    await owner.go("/backups");
    await page.getByRole("button", { name: backups.make }).first().click();
    if (passphrase !== undefined) {
      await dialog(owner).getByText(backups.makeDialog.own).click();
      await dialog(owner).getByLabel(backups.passphrase.label, { exact: true }).fill(passphrase);
      await dialog(owner).getByLabel(backups.passphrase.again, { exact: true }).fill("another one");
      await dialog(owner).getByText(backups.passphrase.differs).waitFor();
      expect(await dialog(owner).getByRole("button", { name: backups.makeDialog.button }).isDisabled()).toBe(true);
      await dialog(owner).getByLabel(backups.passphrase.again, { exact: true }).fill(passphrase);
    }
    await dialog(owner).getByRole("button", { name: backups.makeDialog.button }).click();
    await dialog(owner).waitFor({ state: "detached" });
    const made = (await stored()).find(({ name }) => !before.has(name));
    if (!made) throw new Error("no archive was made");
    await page.locator("main").getByRole("link", { name: made.name }).waitFor();
    return made.name;
  }

  test("an encrypted archive is made, opened by its passphrase alone, rehearsed, downloaded as it is, and deleted", async () => {
    const { page } = owner;
    await owner.go("/backups");
    await page.getByText(backups.list.empty).waitFor();
    await page.getByText(backups.standing.offText).waitFor();
    const name = await make(PASSPHRASE);
    await page.locator("main").getByRole("link", { name }).click();
    const label = page.getByLabel(backups.passphrase.label, { exact: true });
    await label.fill("not it");
    await page.getByRole("button", { name: backups.passphrase.open, exact: true }).click();
    await page.getByText(backups.passphrase.wrong).waitFor();
    await label.fill(PASSPHRASE);
    await page.getByRole("button", { name: backups.passphrase.open, exact: true }).click();
    await page.getByText(backups.archive.compatible).waitFor();
    await page.getByText(backups.archive.same).first().waitFor();
    expect(await owner.barriers()).toEqual([]);
    await page.getByRole("button", { name: backups.verbs.rehearse }).click();
    await dialog(owner).getByRole("button", { name: backups.rehearse.button, exact: true }).click();
    await dialog(owner).getByLabel(backups.passphrase.label, { exact: true }).fill(PASSPHRASE);
    await dialog(owner).getByRole("button", { name: backups.rehearse.button, exact: true }).click();
    await dialog(owner).getByText(backups.rehearse.ok).waitFor();
    await dialog(owner).getByRole("button", { name: parts.close }).last().click();
    await page.getByText(backups.list.ok).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: backups.verbs.download }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString("hex"),
    ).not.toBe("1f8b");
    await page.getByRole("button", { name: parts.actionsOf(name) }).click();
    await page.getByRole("menuitem", { name: backups.verbs.remove }).click();
    await dialog(owner).getByRole("button", { name: backups.verbs.remove, exact: true }).click();
    await page.getByText(backups.list.empty).waitFor();
    expect(await stored()).toEqual([]);
  });

  test("the schedule is changed; its passphrase is typed twice, never shown, kept and removed", async () => {
    const { page } = owner;
    await owner.go("/backups/schedule");
    const save = () => page.getByRole("button", { name: parts.save, exact: true }).click();
    const again = page.getByLabel(backups.passphrase.again, { exact: true });
    await page.getByLabel(backups.schedule.enabled).check({ force: true });
    await page.getByLabel(backups.schedule.interval).fill("6");
    await page.getByLabel(backups.passphrase.label, { exact: true }).fill(PASSPHRASE);
    await again.fill("another one");
    await save();
    await page.getByText(backups.passphrase.differs).first().waitFor();
    await again.fill(PASSPHRASE);
    await save();
    await page.getByText(backups.schedule.saved).first().waitFor();
    expect(await stage.panel.api.ok("GET", "/backups/schedule")).toMatchObject({
      enabled: true,
      intervalHours: 6,
      passphraseSet: true,
    });
    await page.getByPlaceholder(backups.schedule.leave).waitFor();
    expect(await page.content()).not.toContain(PASSPHRASE);
    await page.getByLabel(backups.schedule.keep).fill("3");
    await page.getByLabel(backups.schedule.clear).check({ force: true });
    await save();
    await expect
      .poll(() => stage.panel.api.ok("GET", "/backups/schedule"))
      .toMatchObject({ keep: 3, passphraseSet: false, enabled: true });
    await owner.go("/backups");
    await page.getByText(backups.standing.hours(6, "6")).waitFor();
    await page.getByText(backups.standing.open).waitFor();
  });

  test("whoever may only read looks into archives and does nothing; others do not see the page", async () => {
    const name = await make();
    const reader = await stage.visit({ signedIn: false });
    await reader.signIn(READER.username, READER.password);
    await reader.go("/backups");
    await reader.page.locator("main").getByRole("link", { name }).click();
    await reader.page.getByText(backups.restore.not).waitFor();
    for (const verb of [backups.verbs.rehearse, backups.verbs.remove, backups.restore.begin])
      expect(await reader.page.getByRole("button", { name: verb }).count()).toBe(0);
    await reader.go("/backups");
    expect(await reader.page.getByRole("button", { name: backups.make }).count()).toBe(0);
    await reader.go("/backups/schedule");
    await reader.page.getByText(backups.schedule.readOnly("backup:write")).waitFor();
    await reader.close();
    for (const { username, password } of [ADMIN, SELLER]) {
      const other = await stage.visit({ signedIn: false });
      await other.signIn(username, password);
      expect(await other.page.getByRole("link", { name: words.titles.backups, exact: true }).count()).toBe(0);
      await other.go("/backups");
      await other.page.getByText("backup:read").first().waitFor();
      expect(other.refused.filter((line) => line.includes("/backups"))).toEqual([]);
      await other.close();
    }
  });

  test("a restore says what is lost, asks for the second factor, and leads over the restart to what was restored", async () => {
    const { page } = owner;
    const name = await make();
    await stage.panel.api.make("users", { name: "berta" });
    const api = await stage.panel.logIn();
    const { secret } = (await api.ok("POST", "/me/2fa/totp")) as { secret: string };
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
    await api.ok("POST", "/me/2fa/totp/confirm", { code: code(-1) });
    await owner.go(`/backups/${name}`);
    await page.getByRole("button", { name: backups.restore.begin }).click();
    await page.getByText(backups.restore.fewer(backups.archive.users, "2", "1")).waitFor();
    const button = page.getByRole("button", { name: backups.restore.button });
    await page.getByLabel(backups.restore.confirmText).fill("replace");
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel(backups.restore.confirmText).fill("replace-database");
    await button.click();
    await page.getByLabel(session.code.label, { exact: true }).fill(code(0));
    await page.waitForURL((url) => url.pathname === "/login");
    // The second factor came after the archive.
    await page.locator("input[autocomplete~='username']").fill(ROOT.username);
    await page.locator("input[type='password']").fill(ROOT.password);
    await page.locator("button[type='submit']").click();
    await page.getByText(backups.restore.doneTitle).waitFor();
    await page.locator("main").getByText("pre-restore-").first().waitFor();
    const back = await stage.panel.logIn();
    expect(await back.ok("GET", "/users")).toMatchObject({ total: 1, items: [{ name: "anna" }] });
    await page.getByRole("button", { name: backups.restore.close }).click();
    await owner.go("/backups");
    expect(await page.getByText(backups.restore.doneTitle).count()).toBe(0);
  });

  test("an archive from elsewhere is read as a file, and a panel that is not set up yet begins with it", async () => {
    const { page } = owner;
    const name = await make(PASSPHRASE);
    const { dir } = (await stage.panel.api.ok("GET", "/backups")) as { dir: string };
    const file = join(dir, name);
    await owner.go("/backups/file");
    await page.locator("input[type='file']").setInputFiles(file);
    await page.getByRole("button", { name: backups.upload.preview }).click();
    await page.getByLabel(backups.passphrase.label, { exact: true }).fill(PASSPHRASE);
    await page.getByRole("button", { name: backups.passphrase.open, exact: true }).click();
    await page.getByText(backups.archive.compatible).waitFor();
    await page.locator("input[type='file']").setInputFiles({
      name: "holiday.tar.gz",
      mimeType: "application/gzip",
      buffer: Buffer.from("a picture"),
    });
    await page.getByRole("button", { name: backups.upload.preview }).click();
    await page.getByRole("alert").waitFor();

    const fresh = await openStage({ pending: true });
    try {
      const [, link = ""] = /waits for setup: (\S+)/.exec(fresh.panel.output) ?? [];
      const first = await fresh.visit({ signedIn: false });
      await first.page.goto(link);
      await first.page.getByRole("button", { name: session.setup.restore }).click();
      await first.page.locator("input[type='file']").setInputFiles(file);
      await first.page.getByRole("button", { name: backups.setup.button }).click();
      await first.page.getByLabel(backups.passphrase.label, { exact: true }).fill(PASSPHRASE);
      expect(await first.barriers()).toEqual([]);
      await first.page.getByRole("button", { name: backups.setup.button }).click();
      await first.page.waitForURL((url) => url.pathname === "/login");
      await first.signIn(ROOT.username, ROOT.password);
      await first.go("/users");
      await first.page.getByText("anna").first().waitFor();
    } finally {
      await fresh.dispose();
    }
  });
});
