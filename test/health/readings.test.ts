// What is kept of nodes' health: when a node counts as up, down or unknown, means of figures, folding and forgetting.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY, HOUR, SLOT } from "../../src/health/reading.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { HealthSide, NOON } from "./side.ts";

describe.each(dialects)("health of nodes on %s", (dialect) => {
  let side: HealthSide;
  let panel: Awaited<ReturnType<HealthSide["panel"]>>;
  /** Each test has an hour of its own. */
  let from = NOON;
  const bar = async (id: number, end?: number) =>
    (await side.health(id, from, end)).bar.map(({ start, end: until, state }) => [start - from, until - from, state]);

  beforeAll(async () => {
    side = await HealthSide.open(dialect);
  });
  afterAll(() => side.dispose());
  const begin = async () => {
    side.clock.advance((HOUR - (side.now % HOUR)) * 1000);
    from = side.now;
    panel = await side.panel();
  };

  // rules nodes.health.1, nodes.health.2
  test("a node is up while it serves and is heard, down while it should serve and does not", async () => {
    const id = await side.node("linked.connected");
    await begin();
    panel.hears(id, 600, { cpuPercent: 20, load1: 0.5, memoryUsed: 100, memoryTotal: 200, upRate: 7 }, 3);
    await side.becomes(id, "error.waiting");
    side.clock.advance(600_000);
    await side.becomes(id, "linked.connected");
    panel.hears(id, 150, { cpuPercent: 50 }, 9);
    await side.becomes(id, "error.waiting");
    side.clock.advance(150_000);
    await panel.stop();
    expect(await bar(id)).toEqual([
      [0, 600, "up"],
      [600, 1200, "down"],
      [1200, 1500, "partial"],
    ]);
    const { points, uptimePercent, step } = await side.health(id, from);
    expect({ step, uptimePercent }).toEqual({ step: SLOT, uptimePercent: 50 });
    expect(points.map(({ at, up }) => [at - from, up])).toEqual([
      [0, 1],
      [300, 1],
      [600, 0],
      [900, 0],
      [1200, 0.5],
    ]);
    // What the node did not say is null, never zero.
    expect(points[0]).toMatchObject({
      cpuPercent: 20,
      load1: 0.5,
      memoryUsed: 100,
      diskUsed: null,
      upRate: 7,
      downRate: null,
      online: 3,
    });
    expect(points[2]).toMatchObject({ cpuPercent: null, online: null, memoryTotal: null });
    expect(points[4]).toMatchObject({ cpuPercent: 50, online: 9 });
  });

  // rule nodes.health.2
  test("unknown: the panel was away, or slept; the node was switched off, or never reached", async () => {
    const served = await side.node("linked.connected");
    const off = await side.node("disabled.manual");
    const fresh = await side.node("linked.connecting.dialing", { infoSeenAt: 0 });
    await begin();
    panel.hears(served, 300);
    await panel.stop();
    side.clock.advance(300_000);
    panel = await side.panel();
    panel.hears(served, 300);
    side.clock.sleep(600_000);
    panel.hears(served, 300);
    await panel.stop();
    expect(await bar(served)).toEqual([
      [0, 300, "up"],
      [300, 600, "unknown"],
      [600, 900, "up"],
      [900, 1500, "unknown"],
      [1500, 1800, "up"],
    ]);
    expect((await side.health(served, from)).uptimePercent).toBe(100);
    for (const id of [off, fresh])
      expect(await side.health(id, from)).toMatchObject({
        uptimePercent: null,
        points: [],
        bar: [{ state: "unknown" }],
      });
  });

  // rule nodes.health.2
  test("after a start of the panel a node is known once it is heard, or found out of reach", async () => {
    const heard = await side.node("linked.connected");
    const lost = await side.node("linked.connected");
    await begin();
    side.clock.advance(60_000);
    await side.becomes(lost, "error.waiting");
    panel.hears(heard, 240);
    await panel.stop();
    expect(await side.health(heard, from)).toMatchObject({ uptimePercent: 100, points: [{ up: 1 }] });
    expect(await side.health(lost, from)).toMatchObject({ uptimePercent: 0, points: [{ up: 0 }] });
  });

  // rule nodes.health.3
  test("a node that two processes watched one after the other has one reading", async () => {
    const id = await side.node("linked.connected");
    await begin();
    panel.hears(id, 100, { cpuPercent: 10 });
    await panel.stop();
    const next = await side.panel();
    next.hears(id, 200, { cpuPercent: 40 });
    await next.stop();
    const { points, bar: whole } = await side.health(id, from);
    expect(whole).toEqual([{ start: from, end: from + 300, state: "up" }]);
    expect(points).toMatchObject([{ at: from, up: 1, cpuPercent: 30 }]);
  });

  // rule nodes.health.3
  test("what a killed process saw of its last five minutes is unknown, not down", async () => {
    const id = await side.node("linked.connected");
    await begin();
    panel.hears(id, 450);
    await panel.kill();
    expect(await bar(id, from + 600)).toEqual([
      [0, 300, "up"],
      [300, side.now - from, "unknown"],
    ]);
  });

  // rule nodes.health.4
  test("readings fold to hours after a week with the same sums, and are forgotten after the setting's days", async () => {
    const id = await side.node("linked.connected");
    await begin();
    panel.hears(id, 1800, { cpuPercent: 10, diskUsed: 5 }, 4);
    await side.becomes(id, "error.waiting");
    side.clock.advance(1_800_000);
    await panel.stop();
    const range = [from, from + HOUR] as const;
    const before = await side.health(id, ...range);
    expect(before).toMatchObject({ step: SLOT, uptimePercent: 50 });
    side.clock.advance(7 * DAY * 1000 + HOUR * 1000);
    await side.fold();
    await side.fold();
    const after = await side.health(id, ...range);
    expect(after).toMatchObject({ step: HOUR, uptimePercent: 50, bar: [{ state: "partial" }] });
    expect(after.points).toEqual([
      { ...before.points[0], at: from, up: 0.5, load1: null, cpuPercent: 10, diskUsed: 5, online: 4 },
    ]);
    const left = await side.db.reads.query<{ n: number }>(sql`select count(*) as n from node_hour_readings`);
    expect(left[0]?.n).toBe(0);
    side.clock.advance(91 * DAY * 1000);
    await side.fold();
    expect((await side.health(id, ...range)).points).toEqual([]);
    expect(await side.db.reads.query(sql`select 1 from node_day_readings`)).toEqual([]);
  });
});
