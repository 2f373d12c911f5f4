// Token budgets with their headers, and the limit of open routes.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StoreUnavailable } from "../../src/db/index.ts";
import { sharedSlices } from "../../src/http/limits/budget-slices.ts";
import { AddressLimit, TokenBudgets } from "../../src/http/limits/limits.ts";
import { dialects } from "../database.ts";
import { openPanel, request, type TestPanel } from "./panel.ts";

describe.each(dialects)("limits on %s", (dialect) => {
  let panel: TestPanel;
  beforeEach(async () => {
    panel = await openPanel(dialect);
    panel.clock.now = 1_700_000_000_000;
  });
  afterEach(() => panel.dispose());

  const get = (url = "/api/notes", authorization = "Bearer few") =>
    panel.api.app.inject(request("GET", url, undefined, { authorization }));

  // rule http.limit.1
  test("every answer to a token carries its budget; past it 429 with Retry-After until the minute turns", async () => {
    panel.caller("few", { tokenId: 7, rateLimit: 3 });
    const first = await get();
    expect(first.headers).toMatchObject({
      "x-ratelimit-limit": "3",
      "x-ratelimit-remaining": "2",
      "x-ratelimit-reset": "1700000040",
    });
    const invalid = await get("/api/v1/notes?limit=0");
    expect([invalid.statusCode, invalid.headers["x-ratelimit-remaining"]]).toEqual([400, "1"]);
    const missing = await panel.api.app.inject(
      request("POST", "/api/restart", undefined, { authorization: "Bearer few" }),
    );
    expect([missing.statusCode, missing.headers["x-ratelimit-remaining"]]).toEqual([403, "0"]);
    const refused = await panel.api.app.inject(
      request("POST", "/api/restart", undefined, { authorization: "Bearer few" }),
    );
    expect([refused.statusCode, refused.headers["x-ratelimit-remaining"]]).toEqual([403, "0"]);
    const over = await get();
    expect([over.statusCode, over.headers["retry-after"], over.headers["x-ratelimit-remaining"]]).toEqual([
      429,
      "40",
      "0",
    ]);
    panel.clock.now += 40_000;
    expect((await get()).statusCode).toBe(200);
  });

  // rule http.limit.2
  test("who is forbidden, or asks for what there is not, pays like everybody", async () => {
    panel.caller("few", { tokenId: 7, rateLimit: 5, scopes: new Set(["stats:read"]) });
    const remaining: unknown[] = [];
    for (const [method, url] of [
      ["GET", "/api/notes"],
      ["GET", "/api/nothing"],
      ["GET", "/api/v1/nothing"],
      ["PUT", "/api/notes"],
      ["DELETE", "/api/v1/notes/999"],
    ] as const) {
      const answer = await panel.api.app.inject(request(method, url, undefined, { authorization: "Bearer few" }));
      remaining.push([answer.statusCode, answer.headers["x-ratelimit-remaining"]]);
    }
    expect(remaining).toEqual([
      [403, "4"],
      [404, "3"],
      [404, "2"],
      [405, "1"],
      [403, "0"],
    ]);
  });

  test("open routes tell a token its budget without using it", async () => {
    panel.caller("few", { tokenId: 7, rateLimit: 3 });
    const { headers } = await get("/api/openapi.json");
    expect([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual(["3", "3"]);
  });

  // rule http.limit.3
  test("a session has no budget", async () => {
    panel.caller("session", { via: "session", tokenId: 0, sessionId: 3 });
    const answer = await panel.api.app.inject({
      method: "GET",
      url: "/api/notes",
      headers: { cookie: "panel_session=session" },
    });
    expect([answer.statusCode, answer.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
  });

  // rule http.limit.4
  test("open routes answer sixty requests a minute for each address, IPv6 by /64", async () => {
    const open = (remoteAddress: string) =>
      panel.api.app.inject({ method: "GET", url: "/api/openapi.json", remoteAddress });
    for (let n = 0; n < 60; n++) expect((await open(`2001:db8::${n}`)).statusCode).toBe(200);
    const over = await open("2001:db8::ffff");
    expect([over.statusCode, over.headers["retry-after"]]).toEqual([429, "60"]);
    expect((await open("2001:db8:0:1::1")).statusCode).toBe(200);
    expect(
      (await panel.api.app.inject({ method: "GET", url: "/healthz", remoteAddress: "2001:db8::1" })).statusCode,
    ).toBe(200);
    panel.clock.now += 60_000;
    expect((await open("2001:db8::1")).statusCode).toBe(200);
  });

  test("processes that ended with their slices leave something to every further one", async () => {
    const now = () => 1_800_000_000_000;
    const starts = Array.from({ length: 40 }, () => new TokenBudgets(now, sharedSlices(panel.database.commits)));
    for (const start of starts) expect(await start.take(77, 1000)).toBe(true);
  });

  // rule http.limit.5
  test("two processes on one database together grant exactly the budget", async () => {
    const now = () => panel.clock.now;
    const one = new TokenBudgets(now, sharedSlices(panel.database.commits));
    const other = new TokenBudgets(now, sharedSlices(panel.database.commits));
    const granted = await Promise.all(Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? one : other).take(1, 120)));
    expect(granted.filter(Boolean)).toHaveLength(120);
  });
});

test("while nothing can be written a process counts for itself, and grants no more than the budget", async () => {
  let away = true;
  const budgets = new TokenBudgets(() => 0, {
    take: (_token, _minute, want) =>
      away ? Promise.reject(new StoreUnavailable("away")) : Promise.resolve({ granted: want, taken: want }),
  });
  const granted: boolean[] = [];
  for (let turn = 0; turn < 20; turn++) granted.push(await budgets.take(1, 16));
  expect(granted.filter(Boolean)).toHaveLength(16);
  away = false;
  expect(await budgets.take(2, 16)).toBe(true);
});

test("the address limit holds nobody up when the clock is set back", () => {
  let now = 1_700_000_000_000;
  const limit = new AddressLimit(2, () => now);
  expect([limit.take("192.0.2.1"), limit.take("192.0.2.1"), limit.take("192.0.2.1")]).toEqual([0, 0, 60]);
  now -= 86_400_000;
  expect(limit.take("192.0.2.1")).toBe(0);
});

test("the address limit forgets what is past", () => {
  let now = 0;
  const limit = new AddressLimit(1, () => now);
  expect([limit.take("192.0.2.1"), limit.take("::ffff:192.0.2.1"), limit.take("192.0.2.2")]).toEqual([0, 60, 0]);
  now = 59_500;
  expect(limit.take("192.0.2.1")).toBe(1);
  now = 60_000;
  expect(limit.take("192.0.2.1")).toBe(0);
});

test("past its table the address limit looks at two windows a request, and shrinks when a flood is over", () => {
  let now = 0;
  const limit = new AddressLimit(1, () => now);
  const source = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const deleted = vi.spyOn(Map.prototype, "delete");
  const stepped = vi.spyOn(Object.getPrototypeOf(new Map().entries()), "next");
  const flood = 65_536 + 5000;
  for (let n = 0; n < flood; n++) limit.take(source(n));
  const [work, walked] = [deleted.mock.calls.length, stepped.mock.calls.length];
  deleted.mockRestore();
  stepped.mockRestore();
  expect(limit.size).toBeLessThanOrEqual(65_536);
  // One look for the new key, two at the oldest: nothing grows with the table.
  expect(work).toBeLessThanOrEqual(3 * flood);
  expect(walked).toBeLessThanOrEqual(3 * flood);
  // The newest are still known.
  expect(limit.take(source(flood - 1))).toBe(60);
  now = 61_000;
  for (let n = 0; n < 40_000; n++) limit.take(source(1_000_000 + n));
  expect(limit.size).toBeLessThanOrEqual(40_000);
});
