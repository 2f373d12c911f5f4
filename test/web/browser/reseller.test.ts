// A reseller's view: what the role reaches is there and nothing else is asked for; numbers are of the own accounts;
// what it does not reach is said, and nobody is signed out for it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE, type Visit } from "./visit.ts";

const RESELLER = { username: "mina", password: "correct horse battery" };
const OWN = 3;

describe.skipIf(!hasBrowser)("a reseller", () => {
  let stage: BrowserStage;
  let visit: Visit;
  const own: number[] = [];
  beforeAll(async () => {
    stage = await openStage();
    await (await stage.panel.logIn()).ok("POST", "/admins", { ...RESELLER, role: "resale" });
    const { headers } = await new Api(stage.panel.url).request("POST", "/api/v1/login", RESELLER);
    const api = new Api(stage.panel.url, { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" });
    for (let index = 0; index < OWN; index++) {
      const { id } = (await api.ok("POST", "/users", { name: `of-mina-${index}` })) as { id: number };
      own.push(id);
    }
    visit = await stage.visit({ signedIn: false });
    await visit.signIn(RESELLER.username, RESELLER.password);
  });
  afterAll(() => stage?.dispose());

  // rule process.page.6
  test("the pages of the role ask for nothing that is refused, and name beforehand what they ask", async () => {
    for (const path of [
      "/",
      "/users",
      `/users/${own[0] ?? 0}`,
      `/users/${own[0] ?? 0}?tab=edit`,
      `/users/${own[0] ?? 0}?tab=access`,
      `/users/${own[0] ?? 0}?tab=devices`,
      "/users/new",
      "/events",
      "/me",
    ]) {
      visit.refused.length = 0;
      await visit.go(path);
      expect([path, visit.refused, visit.problems]).toEqual([path, [], []]);
      expect([path, await visit.unused()]).toEqual([path, []]);
      const summaries = await visit.page.locator("link[as='fetch'][href*='users/summary']").count();
      expect([path, summaries]).toEqual([path, ["/", "/users"].includes(path) ? 1 : 0]);
      expect([path, await visit.page.locator("[role='alert']").allInnerTexts()]).toEqual([path, []]);
    }
  });

  // rule process.page.6
  test("the navigation, the palette and the keys name no other page", async () => {
    const { page } = visit;
    await visit.go("/");
    const links = await page
      .getByRole("navigation", { name: words.shell.navigation })
      .first()
      .getByRole("link")
      .allInnerTexts();
    expect(links).toEqual([
      words.overview.title,
      words.users.title,
      words.plans.title,
      words.traffic.title,
      words.jobs.title,
      words.events.title,
    ]);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(words.shell.searchFor).waitFor();
    const offered = await page.getByRole("dialog").innerText();
    for (const title of [words.nodes.title, words.inspect.title, words.nodes.create.title])
      expect(offered.split("\n")).not.toContain(title);
  });

  test("counts and lists are of the own accounts", async () => {
    const { page } = visit;
    await visit.go("/");
    // What it may use stands apart from what it has.
    const allowance = page.getByRole("main").locator("section").filter({ hasText: words.overview.allowance.title });
    const [above, below] = [await allowance.boundingBox(), await page.locator("main [data-needs]").boundingBox()];
    expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(12);
    await visit.go("/users");
    await expect.poll(() => page.locator("main tbody tr").count()).toBe(OWN);
    await page
      .getByText(words.users.total(OWN, String(OWN)))
      .first()
      .waitFor();
  });

  test("another's account and pages past the role: told so, still signed in", async () => {
    const { page } = visit;
    await visit.go(`/users/${stage.records.users[0] ?? 0}`);
    await page.getByText(words.users.missingTitle).waitFor();
    for (const [path, scope] of [
      ["/nodes", "nodes:read"],
      ["/nodes/new", "nodes:write"],
      ["/inspect", "stats:read"],
      [`/inspect/user/${own[0] ?? 0}`, "stats:read"],
    ] as const) {
      visit.refused.length = 0;
      await visit.go(path);
      await page.getByText(words.shell.barred.text("resale", scope)).waitFor();
      expect([path, visit.refused, await visit.barriers()]).toEqual([path, [], []]);
    }
    // No scope: a reseller sells plans and makes none.
    visit.refused.length = 0;
    await visit.go("/plans/new");
    await page.getByText(words.shell.barred.account).waitFor();
    expect([visit.refused, await page.getByRole("textbox").count(), await visit.barriers()]).toEqual([[], 0, []]);
    await visit.go("/");
    expect(new URL(page.url()).pathname).toBe("/");
  });

  test("on a phone right to left, too", async () => {
    const phone = await stage.visit({ signedIn: false, size: PHONE, locale: "fa-IR" });
    await phone.signIn(RESELLER.username, RESELLER.password);
    for (const path of ["/", "/users", "/nodes"]) {
      await phone.go(path);
      expect([path, await phone.overflow(), await phone.barriers(), await phone.wordless()]).toEqual([
        path,
        undefined,
        [],
        [],
      ]);
    }
    expect(phone.problems).toEqual([]);
    await phone.close();
  });
});
