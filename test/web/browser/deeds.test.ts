// What a page says of a deed: why an account stays off, until when it is renewed, what of a selection was refused.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import type { Visit } from "./visit.ts";

const { users, parts } = words;
const DAY = 86_400;

interface Account {
  readonly id: number;
  readonly expiry: number;
  readonly enable: boolean;
}

const dialog = (page: Page) => page.getByRole("dialog");

describe.skipIf(!hasBrowser)("deeds on accounts", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    visit = await stage.visit();
    ({ page } = visit);
  });
  afterAll(() => stage?.dispose());

  const make = (name: string, more: object = {}) => stage.panel.api.make("users", { name, ...more });
  const read = async (id: number) => (await stage.panel.api.ok("GET", `/users/${id}`)) as Account;
  const toast = (role: "status" | "alert") =>
    page.locator(".mantine-Notification-root").and(page.getByRole(role)).last();

  test("switched on past its date: it stays off, why is said, and a renewal is offered there with another end to choose", async () => {
    const id = await make("past", { expiry: Math.floor(Date.now() / 1000) + 30 * DAY });
    await stage.panel.api.ok("PATCH", `/users/${id}`, { expiry: 1 });
    await visit.go(`/users/${id}`);
    await page.getByRole("switch", { name: `${users.switchOn}: past` }).click({ force: true });
    await dialog(page).getByText(users.staysOff("past")).waitFor();
    expect(await dialog(page).getByRole("alert").innerText()).toMatch(/^Expired on /);
    expect(await visit.barriers()).toEqual([]);
    await dialog(page).getByLabel(users.renewChosen).check();
    const end = new Date(Date.now() + 90 * DAY * 1000).toISOString().slice(0, 10);
    const date = dialog(page).getByRole("textbox", { name: users.renewDate });
    await date.fill("2020-01-01");
    await dialog(page).getByText(users.renewPast).waitFor();
    expect(await dialog(page).getByRole("button", { name: users.renew }).isDisabled()).toBe(true);
    await date.fill(end);
    await dialog(page).getByRole("button", { name: users.renew }).click();
    await expect.poll(() => toast("status").innerText()).toMatch(/past was renewed until \d/);
    const renewed = await read(id);
    expect(renewed.enable).toBe(true);
    expect(new Date((renewed.expiry - DAY / 2) * 1000).toISOString().slice(0, 10)).toBe(end);
  });

  // rule users.renew.8
  test("renewed: the new date is said before it is done, and is the one that follows", async () => {
    const expiry = Math.floor(Date.UTC(2090, 0, 10, 12) / 1000);
    // Nobody said for how long it was sold: days are asked for, as many as are usual.
    const id = await make("dated", { expiry, volume: 50 * 1024 ** 3, autoReset: true, resetDays: 3 });
    const open = async () => {
      await visit.go(`/users/${id}`);
      await page.getByRole("main").getByRole("button", { name: users.renew, exact: true }).click();
    };
    await open();
    const facts = dialog(page).getByRole("table", { name: users.renewFacts });
    const after = async (row: string) =>
      (await facts.getByRole("row", { name: row }).getByRole("cell").allInnerTexts()).at(-1)?.replaceAll("\u00a0", " ");
    const days = dialog(page).getByRole("textbox", { name: users.renewDays });
    expect(await days.inputValue()).toBe("30");
    expect(await dialog(page).getByRole("radio").count()).toBe(2);
    await days.fill("");
    expect(await dialog(page).getByRole("button", { name: users.renew }).isDisabled()).toBe(true);
    await days.fill("31");
    const until = await after(users.columns.expiry);
    expect(until).toMatch(/2090/);
    expect(await after(users.fields.volume)).toBe(users.renewUsed("0 B", "50 GiB"));
    await facts.getByRole("row", { name: users.nextReset }).waitFor();
    expect(await visit.barriers()).toEqual([]);
    await dialog(page).getByRole("button", { name: users.renew }).click();
    await expect.poll(() => toast("status").innerText()).toMatch(/dated was renewed until/);
    expect(await toast("status").innerText()).toContain(`${until}. Used: 0 of `);
    expect((await read(id)).expiry).toBe(expiry + 31 * DAY);
    // What was chosen last is remembered with the person; the account has a term now.
    await open();
    await dialog(page).getByLabel(users.renewOwn("31 days")).waitFor();
    await dialog(page).getByLabel(users.renewByDays, { exact: true }).check();
    expect(await days.inputValue()).toBe("31");
    await page.keyboard.press("Escape");
  });

  test("volume and time are added: what the account has then is said before it is done", async () => {
    const expiry = Math.floor(Date.UTC(2090, 0, 10, 12) / 1000);
    const id = await make(`more-${Date.now()}`, { expiry, volume: 5 * 1024 ** 3 });
    await visit.go(`/users/${id}`);
    const extend = page.getByRole("main").getByRole("button", { name: users.extend, exact: true });
    await extend.click();
    // It begins where something must be said, and ends where it was asked.
    const hasFocus = async (of: Locator) => (await of.and(page.locator(":focus")).count()) === 1;
    const volume = dialog(page).getByRole("textbox", { name: users.extendVolume });
    await expect.poll(() => hasFocus(volume)).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => hasFocus(extend)).toBe(true);
    await page.keyboard.press("Enter");
    const confirm = dialog(page).getByRole("button", { name: users.extend });
    expect(await confirm.isDisabled()).toBe(true);
    await volume.fill("3");
    await dialog(page).getByText(users.extendVolumeText("8 GiB")).waitFor();
    await dialog(page).getByRole("textbox", { name: users.extendTime }).fill("2");
    await dialog(page)
      .getByText(/then ends on .*2090/)
      .waitFor();
    expect(await visit.barriers()).toEqual([]);
    await confirm.click();
    await expect.poll(() => toast("status").innerText()).toMatch(/has more now/);
    const extended = (await stage.panel.api.ok("GET", `/users/${id}`)) as Account & { volume: number };
    expect(extended.volume).toBe(8 * 1024 ** 3);
    expect(extended.expiry).toBeGreaterThan(expiry);
  });

  // rule users.renew.8
  test("a selection is renewed: the new ends are said before and after, or one that is chosen is theirs", async () => {
    const turn = String(Date.now());
    const ends = [Date.UTC(2090, 0, 10, 12) / 1000, Date.UTC(2090, 1, 10, 12) / 1000];
    const ids = [];
    for (const [at, expiry] of ends.entries()) ids.push(await make(`span-${turn}-${at + 1}`, { expiry, termDays: 30 }));
    const unstarted = await make(`span-${turn}-3`, { duration: 30 * DAY });
    const bar = page.getByRole("toolbar", { name: parts.selection });
    const renewAll = async () => {
      await visit.go(`/users?q=span-${turn}`);
      for (const place of [1, 2, 3])
        await page.getByRole("checkbox", { name: parts.select(`span-${turn}-${place}`), exact: true }).click();
      await bar.getByRole("button", { name: users.renew }).click();
      await dialog(page).getByText(users.bulkTerms(1)).waitFor();
    };
    await renewAll();
    const said = await dialog(page)
      .getByText(/2 users until dates between/)
      .innerText();
    expect(await visit.barriers()).toEqual([]);
    await dialog(page).getByRole("button", { name: users.renew }).click();
    const [, between = "?"] = /(until dates between .+)$/.exec(said) ?? [];
    await expect.poll(() => toast("status").innerText()).toContain(`${users.bulkDone(3, 3)}, ${between}`);

    await renewAll();
    await dialog(page).getByLabel(users.renewChosen).check();
    const date = dialog(page).getByRole("textbox", { name: users.renewDate });
    expect(await dialog(page).getByRole("button", { name: users.renew }).isDisabled()).toBe(true);
    await date.fill("2095-05-05");
    await dialog(page).getByRole("button", { name: users.renew }).click();
    await expect.poll(() => toast("status").innerText()).toMatch(/3 of 3 done, until [^b]*2095/);
    for (const id of ids)
      expect(new Date(((await read(id)).expiry - DAY / 2) * 1000).toISOString().slice(0, 10)).toBe("2095-05-05");
    // Before its first use an account has no end to choose: its term grew, twice.
    expect((await stage.panel.api.ok("GET", `/users/${unstarted}`)) as { duration: number }).toMatchObject({
      duration: 90 * DAY,
    });
  });

  test("a part of the page that was not loaded before the panel went away comes when it is back", async () => {
    const id = await make(`away-${Date.now()}`);
    await visit.go(`/users/${id}`);
    await visit.context.setOffline(true);
    await page.getByRole("tab", { name: users.tabs.connections }).click();
    await page.getByRole("heading", { name: words.shell.unreached.title }).waitFor();
    await visit.context.setOffline(false);
    await page.getByText(users.noSessions).waitFor();
    // That the code did not come, the browser says on its own.
    expect(visit.problems.filter((problem) => !problem.includes("dynamically imported module"))).toEqual([]);
    visit.problems.length = 0;
  });

  test("links for apps are those that carry the account's servers, and the others say why not", async () => {
    const { api } = stage.panel;
    const turn = String(Date.now());
    const [port = 0] = await quietPorts(1);
    const config = { listen_port: port, tls: { enabled: true, server_name: "n.example" } };
    const inbound = await api.make("inbounds", { tag: `tuic-${turn}`, type: "tuic", config });
    const templateId = await api.make("templates", { name: `apps-${turn}`, inboundIds: [inbound] });
    const id = await make(`apps-${turn}`, { templateIds: [templateId] });
    const open = async () => {
      await visit.go(`/users/${id}`);
      await page.getByText(users.otherLinks).click();
    };
    await open();
    await page.getByText(users.formatsNone).waitFor();
    await api.make("nodes", { name: `apps-${turn}`, address: "127.1.0.251", port, templateId });
    await open();
    await page.getByText(`xray ${users.formatEmpty}`).waitFor();
    for (const format of ["links", "base64", "singbox"]) await page.getByText(format, { exact: true }).waitFor();
    expect(await visit.barriers()).toEqual([]);
  });

  test("a selection of which all, or some, were refused is told as that, with how many and why", async () => {
    const ids = [];
    for (const name of ["many-1", "many-2", "many-3", "many-4"]) ids.push(await make(name));
    const select = async (...names: readonly string[]) => {
      await visit.go("/users?q=many-");
      for (const name of names) await page.getByRole("checkbox", { name: parts.select(name), exact: true }).click();
    };
    const resetAll = async () => {
      const bar = page.getByRole("toolbar", { name: parts.selection });
      await bar.getByRole("button", { name: users.resetUsage }).click();
      await dialog(page).getByRole("button", { name: users.resetUsage }).click();
    };
    await select("many-1", "many-2", "many-3");
    // What cannot be taken back stands at the end, away from what is used daily.
    const buttons = page.getByRole("toolbar", { name: parts.selection }).getByRole("button");
    await buttons.filter({ hasText: users.extend }).waitFor();
    expect((await buttons.allInnerTexts()).at(-1)).toBe(users.remove);
    await stage.panel.api.ok("DELETE", `/users/${ids[0] ?? 0}`);
    await resetAll();
    await expect.poll(() => toast("alert").innerText()).toContain(users.bulkDone(2, 3));
    expect(await toast("alert").innerText()).toContain("1 refused: ");
    await select("many-2", "many-3");
    for (const id of ids.slice(1, 3)) await stage.panel.api.ok("DELETE", `/users/${id}`);
    await resetAll();
    await expect.poll(() => toast("alert").innerText()).toContain(users.bulkDone(0, 2));
    expect(await toast("alert").innerText()).toContain("2 refused: ");
    expect(await page.locator(".mantine-Notification-root").getByText(users.bulkDone(0, 2)).count()).toBe(1);
    expect(visit.problems).toEqual([]);
  });
});
