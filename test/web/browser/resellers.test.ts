// Resellers by pages: accounts are handed over, traffic spends the allowance, and everybody reads why nobody is served.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const { access, overview, parts, resellers, users: userWords } = words;
const RESELLER = { username: "mina", password: "correct horse battery" };

describe.skipIf(!hasBrowser)("resellers", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let id = 0;
  const page = () => visit.page;
  const admin = async () =>
    (await stage.panel.api.ok("GET", `/admins/${id}`)) as { readonly used: number; readonly users: number };
  const allow = (volume: number) => stage.panel.api.ok("PUT", `/admins/${id}`, { ...RESELLER, role: "resale", volume });
  beforeAll(async () => {
    stage = await openStage({ users: 12, active: 100 });
    const made = { ...RESELLER, role: "resale", volume: 10 ** 12, userLimit: 9 };
    ({ id } = (await (await stage.panel.logIn()).ok("POST", "/admins", made)) as { id: number });
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  // rule resellers.page.1
  test("selected accounts are handed to a reseller in one step", async () => {
    await visit.go("/users");
    for (const index of [0, 4]) await page().locator("main tbody tr").nth(index).getByRole("checkbox").check();
    await page().getByRole("button", { name: userWords.assign }).click();
    const dialog = page().getByRole("dialog");
    await dialog.getByLabel(userWords.assignTo).selectOption({ label: "mina" });
    await dialog.getByRole("button", { name: userWords.assign }).click();
    await page().getByText(userWords.assignDone(2, 2)).waitFor();
    expect((await admin()).users).toBe(2);
    expect(visit.problems).toEqual([]);
  });

  // rules resellers.page.2, resellers.follow.1
  test("traffic spends the allowance: the list and the record say that it is closed", async () => {
    // The fleet moves bytes for all that are on, as the first one is.
    const { items } = (await stage.panel.api.ok("GET", `/users?admin_id=${id}`)) as { items: { id: number }[] };
    for (const each of items) await stage.panel.api.ok("PATCH", `/users/${each.id}`, { adminId: 0 });
    const [first = 0] = stage.records.users;
    await stage.panel.api.ok("PATCH", `/users/${first}`, { adminId: id });
    await expect.poll(async () => (await admin()).used).toBeGreaterThan(0);
    await allow(1);
    await expect
      .poll(async () => await stage.panel.api.ok("GET", `/users/${first}`), { timeout: 30_000 })
      .toMatchObject({ enable: false, disabledReason: "resale-volume" });
    await visit.go("/admins");
    await page().getByRole("button", { name: access.admins.only.resale, exact: true }).click();
    await expect.poll(() => page().locator("main tbody tr").count()).toBe(1);
    await page().getByText(access.admins.closed.short, { exact: true }).waitFor();
    await page().getByRole("link", { name: "mina" }).click();
    await page().getByText(access.admins.closed.volume).waitFor();
    expect([await visit.barriers(), visit.problems]).toEqual([[], []]);
  });

  // rules resellers.page.3, resellers.page.4, resellers.close.3
  test("its own page says that it is closed; all its users are moved away, and none can be moved to it", async () => {
    await visit.go("/resellers?state=closed");
    await expect.poll(() => page().locator("main tbody tr").count()).toBe(1);
    await page().getByText(resellers.states.closed.volume).first().waitFor();
    expect(await visit.barriers()).toEqual([]);
    const counted = (of: Visit, name: string) => of.page.getByRole("meter", { name, exact: true });
    expect(await counted(visit, resellers.columns.users).getAttribute("aria-valuetext")).toBe(parts.usedOf("1", "9"));
    await page().getByRole("link", { name: "mina" }).click();
    await page().getByText(resellers.explained.volume).waitFor();
    expect(await counted(visit, resellers.columns.users).getAttribute("aria-valuenow")).toBe("11");
    await page().getByRole("tab", { name: resellers.tabs.accounts }).click();
    await expect.poll(() => page().locator("main tbody tr").count()).toBe(1);
    expect(await visit.barriers()).toEqual([]);
    await page().getByRole("button", { name: resellers.moveAll }).click();
    const dialog = page().getByRole("dialog");
    await dialog.getByText(words.jobs.trial(1)).waitFor();
    await dialog.getByRole("button", { name: userWords.assign }).click();
    await page().getByText(userWords.assignDone(1, 1)).waitFor();
    await page().getByText(resellers.noUsersTitle).waitFor();
    expect((await admin()).users).toBe(0);
    await visit.go("/users");
    await page().locator("main tbody tr").first().getByRole("checkbox").check();
    await page().getByRole("button", { name: userWords.assign }).click();
    const closed = dialog.getByRole("option", { name: resellers.closedOwner("mina") });
    expect(await closed.isDisabled()).toBe(true);
    await page().keyboard.press("Escape");
    await allow(10 ** 12);
    await stage.panel.api.ok("PATCH", `/users/${stage.records.users[0] ?? 0}`, { adminId: id });
    await allow(1);
    expect([visit.problems, visit.refused]).toEqual([[], []]);
  });

  // rules resellers.page.2, resellers.page.4, resellers.meter.3, resellers.event.2
  test("the reseller reads its allowance, and why its users are off", async () => {
    const own = await stage.visit({ signedIn: false });
    await own.signIn(RESELLER.username, RESELLER.password);
    own.refused.length = 0;
    await own.go("/");
    await own.page.getByText(overview.allowance.spent).waitFor();
    await own.page.getByText(parts.usedOf("1", "9"), { exact: true }).waitFor();
    const counted = own.page.getByRole("meter", { name: overview.allowance.users, exact: true });
    expect(await counted.getAttribute("aria-valuenow")).toBe("11");
    // A renewal is done, and changes nothing about that: before and after it, why is said.
    const [first = 0] = stage.records.users;
    await own.go(`/users/${first}`);
    await own.page.getByRole("main").getByRole("button", { name: userWords.renew, exact: true }).click();
    const dialog = own.page.getByRole("dialog");
    const stays = userWords.renewStaysOff(userWords.standingText.resaleVolume);
    await dialog.getByRole("alert").getByText(stays).waitFor();
    await dialog.getByRole("button", { name: userWords.renew }).click();
    await own.page.locator(".mantine-Notification-root").getByText(stays).waitFor();
    await own.go("/resellers");
    await own.page.getByText(words.shell.barred.text("resale", "admins:write")).waitFor();
    await allow(10 ** 12);
    await own.go("/");
    await own.page.getByText(overview.allowance.title).waitFor();
    expect(await own.page.getByText(overview.allowance.spent).count()).toBe(0);
    expect([await own.barriers(), own.refused, own.problems]).toEqual([[], [], []]);
    await own.close();
    const phone = await stage.visit({ signedIn: false, size: PHONE, locale: "fa-IR" });
    await phone.signIn(RESELLER.username, RESELLER.password);
    await phone.go("/");
    expect([await phone.overflow(), await phone.barriers(), await phone.wordless()]).toEqual([undefined, [], []]);
    await phone.close();
  });
});
