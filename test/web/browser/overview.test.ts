// The overview's figures: every number leads to the list behind it, and a reseller reads its own alone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { PHONE } from "./visit.ts";

const SHOP = { username: "shop", password: "correct horse battery" };
const DAY = 86_400;

describe.skipIf(!hasBrowser)("the overview's figures", () => {
  let stage: BrowserStage;
  const { figures } = words.overview;
  beforeAll(async () => {
    stage = await openStage({ users: 60 });
    const { api } = stage.panel;
    const now = Math.floor(Date.now() / 1000);
    const [first, second, third] = stage.records.users.slice(20);
    const { id } = (await api.ok("POST", "/admins", { ...SHOP, role: "resale" })) as { id: number };
    await api.ok("PATCH", `/users/${first}`, { duration: 0, expiry: now + 2 * DAY, adminId: id });
    await api.ok("PATCH", `/users/${second}`, { duration: 0, expiry: now + 3 * DAY });
    await api.ok("PATCH", `/users/${third}`, { duration: 0, expiry: now + 20 * DAY });
  });
  afterAll(() => stage?.dispose());

  test("who came and went, and who ends, each with its list; nothing is wider than a phone", async () => {
    const visit = await stage.visit({ size: PHONE });
    const { page } = visit;
    await visit.go("/");
    await page.getByRole("link", { name: `60 ${figures.deeds.created}` }).waitFor();
    const month = page.getByRole("link", { name: new RegExp(`^\\d+ ${figures.endsMonth}$`) });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await month.click();
    await page.waitForURL(/ends=month/);
    await page.getByRole("heading", { name: words.users.title }).waitFor();
    expect([visit.problems, visit.refused]).toEqual([[], []]);
    await visit.close();
  });

  test("which node moves the traffic, in the range of the address; its name leads to it", async () => {
    // The fleet has moved something, and said so.
    const moved = async () =>
      ((await stage.panel.api.ok("GET", "/stats/traffic?by=node")) as { series: readonly unknown[] }).series.length;
    await expect.poll(moved).toBeGreaterThan(0);
    const visit = await stage.visit();
    const { page } = visit;
    await visit.go("/?range=24h");
    await page.getByRole("heading", { name: figures.traffic }).waitFor();
    const ranking = page.locator("ol").filter({ hasText: /node-\d/ });
    await ranking.getByRole("link").first().waitFor();
    await page.getByText(words.overview.figures.ranges["30d"], { exact: true }).click();
    await page.waitForURL(/range=30d/);
    await ranking.getByRole("link").first().click();
    await page.waitForURL(/\/nodes\/\d+$/);
    expect([visit.problems, visit.refused]).toEqual([[], []]);
    await visit.close();
  });

  test("a reseller reads of its own accounts", async () => {
    const visit = await stage.visit({ signedIn: false });
    await visit.signIn(SHOP.username, SHOP.password);
    await visit.go("/");
    await visit.page.getByRole("link", { name: `1 ${figures.endsWeek}` }).waitFor();
    expect(visit.problems).toEqual([]);
    await visit.close();
  });
});
