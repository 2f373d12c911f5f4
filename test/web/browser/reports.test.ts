// Reports, and an account's usage: the heaviest drawn and listed with what leads on, gaps, the span in the address, and
// the whole as a file. The figures are given: a month of them, with two days of which nothing is known.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en as words } from "../../../src/web/words/en.ts";
import { Api } from "../../e2e/api.ts";
import { hasBrowser } from "./chromium.ts";
import { openStage, type BrowserStage } from "./stage.ts";
import { DESK, PHONE, type Visit } from "./visit.ts";

const { traffic } = words;
const DAY = 86_400;
const GIB = 2 ** 30;
const DAYS = 30;
const MINA = { username: "mina", password: "correct horse battery" };
const VERA = { username: "vera", password: "correct horse battery" };

describe.skipIf(!hasBrowser)("reports", () => {
  let stage: BrowserStage;
  beforeAll(async () => {
    stage = await openStage({ fleet: false });
  });
  afterAll(() => stage?.dispose());

  /** Answers every traffic route; resolves to the queries that were asked. */
  async function given(visit: Visit): Promise<URLSearchParams[]> {
    const asked: URLSearchParams[] = [];
    const start = Math.floor(Date.now() / 1000 / DAY - DAYS) * DAY;
    const points = (weight: number) =>
      Array.from({ length: DAYS }, (_, day) => ({
        at: start + day * DAY,
        up: Math.round((weight * GIB * (5 + ((day * 7) % 5))) / 10),
        down: Math.round(weight * GIB * (5 + ((day * 3) % 7))),
      })).filter((_, day) => day !== 11 && day !== 12);
    const series = ["amsterdam", "frankfurt", "<b>helsinki</b>", ""].map((name, index) => {
      const own = points(4 - index);
      const sum = (way: "up" | "down") => own.reduce((all, point) => all + point[way], 0);
      return { id: index + 1, name, up: sum("up"), down: sum("down"), points: own };
    });
    await visit.page.route(/\/api\/v1\/(stats|users\/\d+)\/traffic/, (route) => {
      asked.push(new URL(route.request().url()).searchParams);
      const rest = { count: 3, up: GIB, down: 5 * GIB };
      return route.fulfill({
        json: { start, end: start + DAYS * DAY, step: "day", zone: "Asia/Tehran", series, rest },
      });
    });
    return asked;
  }

  test("by node: each leads to its record, a deleted one is told, two unknown days are a gap, and the files are of that span", async () => {
    const visit = await stage.visit({ size: DESK });
    const { page } = visit;
    const asked = await given(visit);
    await visit.go("/reports");
    await page.getByRole("radiogroup").getByText(traffic.groups.node, { exact: true }).click();
    await page.getByRole("link", { name: "amsterdam" }).waitFor();
    expect(asked.at(-1)?.toString()).toBe("by=node&top=20&hours=720");
    expect(new URL(page.url()).search).toBe("?by=node");
    expect(await page.getByRole("link", { name: "<b>helsinki</b>" }).getAttribute("href")).toBe("/nodes/3");
    expect(await page.getByRole("rowheader", { name: traffic.deleted("4") }).count()).toBe(1);
    expect(await page.getByRole("rowheader", { name: traffic.others(3, "3") }).count()).toBe(1);
    // Two runs of each series, before and after what is not known.
    expect(await page.locator("figure polygon").count()).toBe(8);
    const csv = page.getByRole("link", { name: "CSV" });
    expect(await csv.getAttribute("href")).toMatch(/\/api\/v1\/reports\/nodes\?hours=720&format=csv$/);
    await page.getByRole("button", { name: words.parts.timeRange.presets["30d"] }).click();
    await page.getByRole("button", { name: words.parts.timeRange.presets["7d"] }).click();
    await expect.poll(() => asked.at(-1)?.get("hours")).toBe("168");
    expect(await csv.getAttribute("href")).toContain("hours=168");
    await visit.close();
  });

  test("an account's usage by day and node, on a phone from right to left in the dark", async () => {
    const id = await stage.panel.api.make("users", { name: "anna" });
    const visit = await stage.visit({ size: PHONE, locale: "fa-IR", scheme: "dark" });
    await given(visit);
    await visit.go(`/users/${id}?tab=usage`);
    await visit.page.getByRole("link", { name: "amsterdam" }).waitFor();
    expect({ overflow: await visit.overflow(), wordless: await visit.wordless() }).toEqual({
      overflow: undefined,
      wordless: [],
    });
    expect(await visit.barriers()).toEqual([]);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test("a reseller sees its own users and nodes, no operators, and takes its rows as a file by a click", async () => {
    const root = await stage.panel.logIn();
    await root.ok("POST", "/admins", { ...MINA, role: "resale" });
    const { headers } = await new Api(stage.panel.url).request("POST", "/api/v1/login", MINA);
    const mina = new Api(stage.panel.url, { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" });
    await mina.ok("POST", "/users", { name: "of-mina" });
    await root.ok("POST", "/users", { name: "of-root" });
    const visit = await stage.visit({ signedIn: false });
    const { page } = visit;
    await visit.signIn(MINA.username, MINA.password);
    visit.refused.length = 0;
    await visit.go("/reports");
    const groups = page.getByRole("radiogroup", { name: traffic.groupBy });
    expect(await groups.getByRole("radio").count()).toBe(2);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("traffic-users.csv");
    const [head = "", ...rows] = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(head.split(",").slice(0, 2)).toEqual(["\uFEFFid", "name"]);
    expect(rows.map((row) => row.split(",")[1])).toEqual(["of-mina"]);
    await groups.getByText(traffic.groups.node, { exact: true }).click();
    await page.getByText(traffic.none).waitFor();
    expect([visit.refused, visit.problems]).toEqual([[], []]);
    await visit.close();
  });

  test("who may read figures alone is offered reports, by every group", async () => {
    const root = await stage.panel.logIn();
    await root.ok("POST", "/roles", { name: "counter", base: "admin", scopes: ["stats:read"] });
    await root.ok("POST", "/admins", { ...VERA, role: "counter" });
    const visit = await stage.visit({ signedIn: false });
    const { page } = visit;
    await visit.signIn(VERA.username, VERA.password);
    visit.refused.length = 0;
    await visit.go("/");
    await page.getByRole("link", { name: traffic.title }).first().click();
    const groups = page.getByRole("radiogroup", { name: traffic.groupBy });
    await groups.waitFor();
    expect(await groups.getByRole("radio").count()).toBe(3);
    await page.getByText(traffic.none).waitFor();
    expect([visit.refused, visit.problems]).toEqual([[], []]);
    await visit.close();
  });
});
