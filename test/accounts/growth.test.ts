// What happened to accounts by day and owner, how many there were, and how many will expire: days of the panel's zone,
// the same sums however it was counted, a reseller's own alone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resellerOwners } from "../../src/accounts/testing.ts";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";
import { reseller } from "./resellers.ts";

/** Half past three before midnight in UTC: the beginning of the day of `START` in Tehran. */
const TODAY = Date.UTC(2026, 2, 9, 20, 30) / 1000;

describe.each(dialects)("growth of accounts on %s", (dialect) => {
  let panel: TestPanel;
  const create = (name: string, body: object = {}) => panel.ok("POST", "/users", { name, ...body });
  const growth = (token?: string, end = Math.floor(panel.clock.now() / 1000)) =>
    panel.ok("GET", `/stats/growth?start=${START - 5 * DAY}&end=${end}`, undefined, token);
  const nothing = { created: 0, deleted: 0, activated: 0, expired: 0, limited: 0, renewed: 0, restored: 0 };

  beforeAll(async () => {
    panel = await TestPanel.open(dialect, resellerOwners);
    panel.settings.set("timezone", "Asia/Tehran");
    await panel.supervisor.start();
    await reseller(panel, 10, {}, {});
    panel.reseller("seller", 10);
    panel.narrowed("statistics", ["stats:read"]);
    panel.narrowed("users", ["users:read"]);
    panel.narrowed("nodes", ["nodes:read"]);
  });
  afterAll(() => panel.dispose());

  // rule users.growth.3
  test("who will expire, by day; what is off, waits or has no date is not among them", async () => {
    expect(await panel.ok("GET", "/stats/expiries?days=1")).toEqual({ days: [{ at: TODAY, count: 0 }] });
    const tonight = TODAY + DAY;
    await create("tonight", { expiry: tonight - 1 });
    await create("midnight", { expiry: tonight, adminId: 10 });
    await create("off", { expiry: tonight, enable: false });
    await create("waits", { expiry: tonight, duration: DAY });
    await create("never");
    const days = [
      { at: TODAY, count: 1 },
      { at: tonight, count: 1 },
      { at: tonight + DAY, count: 0 },
    ];
    expect(await panel.ok("GET", "/stats/expiries?days=3")).toEqual({ days });
    expect((await panel.ok("GET", "/stats/expiries?days=3", undefined, "seller")).days).toMatchObject([
      { count: 0 },
      { count: 1 },
      { count: 0 },
    ]);
    expect((await panel.ok("GET", "/stats/expiries")).days).toHaveLength(30);
    for (const wrong of ["0", "367", "x"])
      expect(await panel.call("GET", `/stats/expiries?days=${wrong}`)).toMatchObject({
        status: 400,
        body: { field: "days" },
      });
  });

  // rules users.growth.1, users.growth.2
  test("what happens is counted on its day, for its owner, and the totals follow", async () => {
    const before = (await growth()).days.at(-1);
    expect(before).toMatchObject({ at: TODAY, created: 5, total: 5 });
    const own = await create("own", { adminId: 10, expiry: START + 6 * 3600 });
    const spent = await create("spent", { volume: 100 });
    const begins = await create("begins", { duration: 30 * DAY });
    await panel.traffic(spent.id, 60, 60);
    await panel.traffic(begins.id, 1, 0);
    await panel.advance(0);
    await panel.until(spent.id, ({ disabledReason }) => disabledReason === "volume");
    await panel.until(begins.id, ({ activatedAt }) => activatedAt > 0);
    await panel.ok("POST", `/users/${begins.id}/extend`, { bytes: 0, seconds: 60 });
    await panel.advance(6 * 3600 + 1);
    await panel.until(own.id, ({ disabledReason }) => disabledReason === "expiry");
    // In Tehran the next day has begun, in UTC it has not.
    await panel.advance(3 * 3600);
    await panel.ok("DELETE", `/users/${spent.id}`);
    await panel.ok("PATCH", `/users/${begins.id}`, { adminId: 10 });
    const first = { at: TODAY, ...nothing, created: 8, activated: 1, expired: 1, limited: 1, renewed: 1, total: 8 };
    expect((await growth()).days).toMatchObject([first, { at: TODAY + DAY, created: 0, deleted: 1, total: 7 }]);
    expect((await growth("seller")).days).toEqual([
      { at: TODAY, ...nothing, created: 2, expired: 1, total: 2 },
      { at: TODAY + DAY, ...nothing, expired: expect.any(Number), total: 3 },
    ]);
    expect((await growth("users")).days).toEqual((await growth("statistics")).days);
    expect((await panel.call("GET", "/stats/growth", undefined, "nodes")).status).toBe(403);
    expect((await panel.call("GET", "/stats/expiries", undefined, "nodes")).status).toBe(403);
  });

  // rule users.deleted.2
  test("a deleted account that comes back is counted on its day, and in the totals", async () => {
    const { id } = await create("back", { adminId: 10 });
    const before = (await growth()).days.at(-1);
    await panel.ok("DELETE", `/users/${id}`);
    await panel.ok("POST", `/users/${id}/restore`);
    const counted = { ...before, deleted: before.deleted + 1, restored: 1 };
    expect((await growth()).days.at(-1)).toEqual(counted);
    expect((await growth("seller")).days.at(-1)).toMatchObject({ restored: 1 });
    await panel.ok("DELETE", `/users/${id}`);
  });

  // rule users.growth.2
  test("a day without anything has zeros; days before the first and days to come are left out", async () => {
    await panel.advance(3 * DAY);
    const { days } = await growth(undefined, Math.floor(panel.clock.now() / 1000) + 30 * DAY);
    expect(days).toHaveLength(5);
    expect(days[2]).toMatchObject({ at: TODAY + 2 * DAY, created: 0, total: 7 });
    expect((await panel.ok("GET", `/stats/growth?start=${TODAY}&end=${TODAY + 1}`)).days).toMatchObject([
      { at: TODAY, total: 8 },
    ]);
  });
});
