// The page of events: what happens appears, nothing moves under a reader, a lost connection loses nothing, and nobody
// is offered what they may not hear.
import type { WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const PASSWORD = "correct horse battery";

describe.skipIf(!hasBrowser)("events", () => {
  let stage: BrowserStage;
  let visit: Visit;
  let api: Api;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
    api = await stage.panel.logIn();
    visit = await stage.visit();
  });
  afterAll(() => stage?.dispose());

  const create = async (name: string, as: Api = api): Promise<number> =>
    ((await as.ok("POST", "/users", { name })) as { id: number }).id;
  const rows = () => visit.page.locator("main ol > li");
  const row = (name: string) => rows().filter({ hasText: name });

  test("what happens appears by itself, with its words and the way to its record", async () => {
    await visit.go("/events");
    await visit.page.getByText(words.shell.link.live, { exact: true }).last().waitFor();
    const id = await create("anna");
    await row("anna").waitFor();
    expect(await row("anna").innerText()).toContain(words.raised["user.created"]);
    expect(await rows().first().innerText()).toContain("anna");
    await row("anna").getByRole("link", { name: "anna" }).click();
    await visit.page.waitForURL((url) => url.pathname === `/users/${id}`);
  });

  test("the address selects by name and by record, and the page writes it", async () => {
    const { page } = visit;
    const id = await create("boris");
    await api.ok("PATCH", `/users/${id}`, { enable: false });
    await visit.go("/events");
    await row("boris").first().hover();
    await row("boris")
      .first()
      .getByRole("button", { name: words.events.only("boris") })
      .click();
    await page.waitForURL((url) => url.searchParams.get("entity") === `user:${id}`);
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByRole("combobox", { name: words.events.event }).click();
    await page.getByRole("option", { name: words.raised["user.suspended"] }).click();
    await page.waitForURL((url) => url.searchParams.get("event") === "user.suspended");
    await expect.poll(() => rows().count()).toBe(1);
    // Live ones are selected too.
    await create("not boris");
    await api.ok("PATCH", `/users/${id}`, { enable: true });
    await api.ok("PATCH", `/users/${id}`, { enable: false });
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByRole("button", { name: words.events.anyRecord }).click();
    await page.waitForURL((url) => !url.searchParams.has("entity"));
    await visit.go(`/events?entity=user:999999`);
    await page.getByText(words.parts.nothingFound).waitFor();
  });

  test("a search finds a part of what is told, of the past and of what comes; a record leads to its events", async () => {
    const { page } = visit;
    const id = await create("searched-one");
    await create("left out");
    await visit.go("/events");
    await page.getByRole("searchbox", { name: words.events.search }).fill("SEARCHED");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q") === "SEARCHED");
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByText(words.shell.link.live, { exact: true }).last().waitFor();
    await create("left out too");
    await create("searched-two");
    await row("searched-two").waitFor();
    expect(await rows().count()).toBe(2);
    await visit.go(`/users/${id}`);
    await page.getByRole("button", { name: words.parts.actionsOf("searched-one") }).click();
    await page.getByRole("menuitem", { name: words.titles.events }).click();
    await page.waitForURL((url) => url.searchParams.get("entity") === `user:${id}`);
    await row("searched-one").first().waitFor();
  });

  test("nothing moves under a reader: new ones wait behind a pill, older ones are read on request", async () => {
    const { page } = visit;
    for (let n = 0; n < 60; n++) await create(`crowd-${n}`);
    await visit.go("/events");
    await row("crowd-59").waitFor();
    await page.mouse.move(4, 4);
    await page.mouse.wheel(0, 600);
    await page.getByText(words.events.held, { exact: true }).waitFor();
    const places = async () => (await rows().nth(20).boundingBox())?.y;
    const before = await places();
    for (let n = 0; n < 12; n++) await create(`late-${n}`);
    const pill = page.getByRole("button", { name: words.events.fresh(12), exact: true });
    await pill.waitFor();
    expect(await places()).toBe(before);
    await pill.click();
    await row("late-11").waitFor();
    expect(await rows().first().innerText()).toContain("late-11");
    const shown = await rows().count();
    await page.getByRole("button", { name: words.events.older }).click();
    await expect.poll(() => rows().count()).toBeGreaterThan(shown);
  });

  test("a lost connection is said; what was missed comes when it is back, each once", async () => {
    const lines: WebSocketRoute[] = [];
    let cut = false;
    const own = await stage.visit();
    await own.page.routeWebSocket(/events\/stream/, (line) => {
      if (cut) return void line.close({ code: 1012, reason: "cut" });
      lines.push(line);
      line.connectToServer();
    });
    await own.go("/events");
    const main = own.page.locator("main");
    await main.getByText(words.shell.link.live, { exact: true }).waitFor();
    await create("before the break");
    await main.getByText("before the break").waitFor();
    cut = true;
    for (const line of lines.splice(0)) await line.close({ code: 1012, reason: "cut" });
    await main.getByText(words.shell.link.lost).waitFor();
    for (let n = 0; n < 5; n++) await create(`missed-${n}`);
    cut = false;
    await main.getByText("missed-4").waitFor();
    await main.getByText(words.shell.link.live, { exact: true }).waitFor();
    for (let n = 0; n < 5; n++)
      expect(
        await main
          .locator("ol > li")
          .filter({ hasText: `missed-${n}` })
          .count(),
      ).toBe(1);
    await own.close();
  });

  test("a reseller sees its own alone, and is offered no event of machines; on a phone, right to left", async () => {
    await api.ok("POST", "/admins", { username: "mina", password: PASSWORD, role: "resale" });
    const { headers } = await new Api(stage.panel.url).request("POST", "/api/v1/login", {
      username: "mina",
      password: PASSWORD,
    });
    const own = new Api(stage.panel.url, { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" });
    const reseller = await stage.visit({ signedIn: false, size: PHONE });
    await reseller.signIn("mina", PASSWORD);
    reseller.refused.length = 0;
    await reseller.go("/events");
    await create("of mina", own);
    await create("of nobody");
    await create("of mina too", own);
    const list = reseller.page.locator("main ol > li");
    await list.filter({ hasText: "of mina too" }).waitFor();
    expect(await list.filter({ hasText: "of nobody" }).count()).toBe(0);
    await reseller.page.getByRole("combobox", { name: words.events.event }).click();
    await reseller.page.getByRole("option", { name: words.raised["user.renewed"] }).waitFor();
    expect(await reseller.page.getByRole("option", { name: words.raised["node.connected"] }).count()).toBe(0);
    expect([reseller.refused, reseller.problems, await reseller.overflow()]).toEqual([[], [], undefined]);
    await reseller.close();
  });

  test("whoever hears nothing is told so", async () => {
    await api.ok("POST", "/roles", { name: "deaf", base: "admin", scopes: ["templates:read"] });
    await api.ok("POST", "/admins", { username: "vera", password: PASSWORD, role: "deaf" });
    const deaf = await stage.visit({ signedIn: false });
    await deaf.signIn("vera", PASSWORD);
    deaf.refused.length = 0;
    await deaf.go("/events");
    await deaf.page.getByText(words.events.none).waitFor();
    expect([deaf.refused, deaf.problems]).toEqual([[], []]);
    await deaf.close();
  });
});
