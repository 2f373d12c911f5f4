// The settings, the audit log and bans, as the owner and as somebody who may only look.
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const READER = { username: "rita", password: "correct horse battery" };
const { settings, audit, security, parts, session } = words;

describe.skipIf(!hasBrowser)("the panel's own matters", () => {
  let stage: BrowserStage;
  let owner: Visit;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    owner = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const row = (visit: Visit, key: string) => visit.page.locator(`#setting-${key}`);
  const save = (visit: Visit) => visit.page.getByRole("button", { name: parts.save, exact: true }).click();

  test("a change is marked until it is saved, is kept over other pages, and a refused one stays with its reason", async () => {
    const { page } = owner;
    await owner.go("/settings?group=subscriptions");
    await row(owner, "sub_title").getByRole("textbox").fill("My shop");
    await row(owner, "sub_update_interval").getByRole("textbox").fill("never");
    await page.getByText(parts.unsaved(2)).waitFor();
    await owner.follow("/security");
    await owner.follow("/settings");
    expect(await row(owner, "sub_title").getByRole("textbox").inputValue()).toBe("My shop");
    await save(owner);
    await page.getByText(settings.saved(1, "1")).waitFor();
    await page.getByText(parts.unsaved(1)).waitFor();
    await row(owner, "sub_update_interval")
      .getByText(/1.*8,?760/)
      .waitFor();
    expect(await row(owner, "sub_title").getByText(settings.unsaved).count()).toBe(0);
    await page.getByRole("button", { name: parts.discard }).click();
    expect(await row(owner, "sub_update_interval").getByRole("textbox").inputValue()).toBe("12");
  });

  test("an allow-list without the reader's address is warned of and asked about", async () => {
    const { page } = owner;
    await owner.go("/settings?q=login_allowlist");
    const input = row(owner, "login_allowlist").getByRole("textbox");
    await input.fill("203.0.113.0/24");
    await page.getByText(settings.lockOut("127.0.0.1")).waitFor();
    await save(owner);
    await page.getByRole("dialog").getByText(settings.lockTitle).waitFor();
    await page.getByRole("button", { name: parts.cancel }).click();
    await input.fill("203.0.113.0/24, 127.0.0.0/8");
    await page.getByText(settings.lockOut("127.0.0.1")).waitFor({ state: "detached" });
    await page.getByRole("button", { name: parts.discard }).click();
  });

  test("what needs a restart says so, and the page comes back by itself", async () => {
    const { page } = owner;
    await owner.go("/settings?q=web_tls_min");
    await row(owner, "web_tls_min").getByRole("combobox").click();
    await page.getByRole("option", { name: "1.3" }).click();
    await save(owner);
    await page.getByText(settings.waiting(1, "1")).waitFor();
    owner.problems.length = 0;
    await page.getByRole("button", { name: settings.restart }).click();
    await page.getByRole("dialog").getByRole("button", { name: settings.restart }).click();
    await page.getByText(settings.restarted).waitFor();
    await page.getByText(settings.waiting(1, "1")).waitFor({ state: "detached" });
  });

  test("a second factor that is asked for while settings are saved: what was typed is saved after the code", async () => {
    const { page } = owner;
    const api = await stage.panel.logIn();
    const { secret } = (await api.ok("POST", "/me/2fa/totp")) as { secret: string };
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
    await api.ok("POST", "/me/2fa/totp/confirm", { code: code(-1) });
    await owner.go("/settings?q=login_allowlist");
    const list = row(owner, "login_allowlist").getByRole("textbox");
    await list.fill("127.0.0.0/8");
    await save(owner);
    await page.getByText(session.factor.title).waitFor();
    // A person who cancels loses nothing.
    await page.getByRole("button", { name: session.factor.cancel }).click();
    expect(await list.inputValue()).toBe("127.0.0.0/8");
    await page.getByText(parts.unsaved(1)).waitFor();
    await save(owner);
    await page.getByLabel(session.code.label, { exact: true }).fill(code(0));
    await page.getByText(settings.saved(1, "1")).waitFor();
    expect(await list.inputValue()).toBe("127.0.0.0/8");
    await api.ok("DELETE", "/me/2fa", { code: code(1) });
  });

  test("each change is in the audit log with both sides, found by its record, and as a file", async () => {
    const { page } = owner;
    await owner.go("/audit?key=settings&entityId=sub_title");
    await page
      .getByRole("link", { name: /sub_title/ })
      .first()
      .click();
    await page.getByRole("cell", { name: "My shop" }).waitFor();
    expect(await page.locator("main").getByRole("link", { name: "sub_title" }).getAttribute("href")).toContain(
      "/settings?q=sub_title",
    );
    await page.getByRole("link", { name: audit.allOfRecord }).click();
    await page.getByText(audit.onlyRecord, { exact: false }).first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: parts.saveList }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("changes.csv");
  });

  test("a ban is seen and lifted", async () => {
    const { page } = owner;
    const body = JSON.stringify({ username: "nobody", password: "wrong password" });
    for (let each = 0; each < 5; each++)
      await fetch(`${stage.panel.url}/api/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    await owner.go("/security");
    await page.getByRole("button", { name: security.liftOf("127.0.0.1") }).click();
    await page.getByRole("dialog").getByRole("button", { name: security.lift, exact: true }).click();
    await page.getByText(security.lifted("127.0.0.1")).waitFor();
    await page.getByText(security.none).waitFor();
  });

  test("who may only look changes nothing, and reaches neither audit log nor bans", async () => {
    const api = await stage.panel.logIn();
    await api.ok("POST", "/roles", { name: "looker", base: "admin", scopes: ["settings:read"] });
    await api.ok("POST", "/admins", { ...READER, role: "looker" });
    const reader = await stage.visit({ signedIn: false });
    await reader.signIn(READER.username, READER.password);
    await reader.go("/settings?q=sub_title");
    await reader.page.getByText(settings.readOnly).waitFor();
    expect(await row(reader, "sub_title").getByRole("textbox").isDisabled()).toBe(true);
    for (const [path, scope] of [
      ["/audit", "admins:write"],
      ["/security", "security:read"],
    ] as const) {
      await reader.go(path);
      await reader.page.getByText(words.shell.barred.text("looker", scope)).waitFor();
    }
    await reader.close();
  });
});
