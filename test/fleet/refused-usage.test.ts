// Usage counts only for users that the node was given, on its inbounds, up to the speed of its line. Other usage is
// refused, recorded and reported, and does not block the counting of the rest.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { KEPT_ROWS } from "../../src/fleet/usage/usage-refusals.ts";
import type { UsageRow } from "../../src/protocol/usage-rows.ts";
import { dialects } from "../database.ts";
import { cellsOf } from "../usage-cells.ts";
import { MINUTE, UsageSide } from "./usage-side.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const row = (user: number, inbound: number, up = 10, down = 0): UsageRow => [user, inbound, up, down, 0];

describe.each(dialects)("refused usage on %s", (dialect) => {
  let side: UsageSide;
  let one: number;
  let two: number;
  beforeAll(async () => {
    side = await UsageSide.open(dialect);
    one = await side.addTemplate([11, 12]);
    two = await side.addTemplate([21]);
  });
  afterAll(() => side.dispose());
  const only = (templateId: number) => ({ allTemplates: false, templateIds: [templateId] });

  describe("attacks", () => {
    // rule usage.judge.1
    test("a node that does not serve an account counts nothing for it, and its own customers' usage beside it", async () => {
      const [node, mine, theirs] = [
        await side.addNode(one),
        await side.addUser(only(one)),
        await side.addUser(only(two)),
      ];
      await side.report(node, [row(mine, 11), row(theirs, 11, 2e9), row(987_654, 11)]);
      expect([await side.used(mine), await side.used(theirs)]).toEqual([10, 0]);
      expect(await side.node(node)).toMatchObject({ up: 10, down: 0 });
      expect(await side.refusals(node)).toEqual([
        { code: "not_served", userId: theirs, up: 2e9, down: 0 },
        { code: "not_served", userId: 987_654, up: 10, down: 0 },
      ]);
    });

    // rule usage.judge.10
    test.each([
      ["templates by name", (both: number[]) => ({ allTemplates: false, templateIds: both })],
      ["every template", () => ({ allTemplates: true, templateIds: [] })],
    ])("an account counts on its own inbounds alone: %s", async (_, on) => {
      const user = await side.addUser({ ...on([one, two]), inboundIds: [21] });
      const both = await side.addUser({ ...on([one, two]), inboundIds: [12, 21] });
      const [elsewhere, here] = [await side.addNode(one), await side.addNode(two)];
      await side.report(elsewhere, [row(user, 11, 1000, 2000), row(both, 11), row(both, 12)]);
      await side.report(here, [row(user, 21), row(both, 21)]);
      expect([await side.used(user), await side.used(both)]).toEqual([10, 20]);
      expect(await side.refusals(elsewhere)).toEqual([
        { code: "not_served", userId: user, up: 1000, down: 2000 },
        { code: "not_served", userId: both, up: 10, down: 0 },
      ]);
      expect(await side.refusals(here)).toEqual([]);
      // The same of a process that has just started.
      side.restart();
      await side.report(elsewhere, [row(user, 11, 1000, 2000), row(both, 12)]);
      expect([await side.used(user), await side.used(both)]).toEqual([10, 30]);
    });

    // rule usage.judge.10
    test("what was carried before a list or a template became narrower counts, and nothing after it", async () => {
      const carries = await side.addTemplate([11, 12]);
      const [node, listed, carried] = [
        await side.addNode(carries),
        await side.addUser(only(carries)),
        await side.addUser({ allTemplates: false, templateIds: [carries], inboundIds: [12] }),
      ];
      await side.report(node, [row(listed, 11), row(carried, 12)]);
      side.pass(5 * MINUTE);
      const before = side.clock.now() - 1;
      await side.editUser(listed, { inboundIds: [12] });
      await side.editTemplate(carries, [11]);
      side.pass(5 * MINUTE);
      await side.report(node, [row(listed, 11), row(carried, 12)], before);
      expect([await side.used(listed), await side.used(carried)]).toEqual([20, 20]);
      expect(await side.refusals(node)).toEqual([]);
      await side.report(node, []);
      side.pass(5 * MINUTE);
      await side.report(node, [row(listed, 11), row(carried, 11)]);
      expect([await side.used(listed), await side.used(carried)]).toEqual([20, 20]);
      expect(await side.refusals(node)).toMatchObject([{ code: "not_served" }, { code: "not_served" }]);
      // An account that is let in again counts again.
      await side.editTemplate(carries, [11, 12]);
      await side.report(node, [row(listed, 12), row(carried, 12)]);
      expect([await side.used(listed), await side.used(carried)]).toEqual([30, 30]);
    });

    // rule usage.judge.4
    test("a node without a template counts for nobody", async () => {
      const [node, user] = [await side.addNode(null), await side.addUser()];
      await side.report(node, [row(user, 11)]);
      expect(await side.used(user)).toBe(0);
    });

    // rule usage.judge.5
    test("an inbound that the node has not is refused", async () => {
      const [node, user] = [await side.addNode(one), await side.addUser()];
      await side.report(node, [row(user, 21), row(user, 12)]);
      expect(await side.used(user)).toBe(10);
      expect(await side.refusals(node)).toEqual([{ code: "unknown_inbound", userId: user, up: 10, down: 0 }]);
    });

    // rule usage.judge.6
    test("the largest number, twice, is no line's; the rows beside it count, and so do later batches", async () => {
      side.restart(400);
      const [node, user, other] = [await side.addNode(one), await side.addUser(), await side.addUser()];
      const bootId = randomUUID();
      for (const seq of [1, 2]) {
        const batch = { bootId, seq, rows: cellsOf([row(user, 11, MOST, MOST), row(other, 11)]) };
        expect(await side.fleet.usage.count({ nodeId: node, micros: 1_000_000, until: side.clock.now(), batch })).toBe(
          seq,
        );
      }
      expect([await side.used(user), await side.used(other)]).toEqual([0, 20]);
      expect(await side.refusals(node)).toMatchObject([
        { code: "too_fast", userId: user, up: MOST },
        { code: "too_fast" },
      ]);
      side.restart(0);
    });

    test("where no line is bounded, counters stop at the largest number", async () => {
      const [node, user] = [await side.addNode(one), await side.addUser()];
      for (let i = 0; i < 3; i++) await side.report(node, [row(user, 11, MOST, MOST), row(user, 12, MOST, 1)]);
      const counters = await side.db.reads.query(
        sql`select up, down, total_up, total_down from user_usage where id = ${user}`,
      );
      expect(counters).toEqual([{ up: MOST, down: MOST, total_up: MOST, total_down: MOST }]);
      expect(await side.node(node)).toMatchObject({ up: MOST, down: MOST });
    });

    // rule usage.judge.6
    test("the bucket of line time outlives the panel, and fills while nobody counts", async () => {
      side.restart(1);
      const minute = 125_000 * MINUTE;
      const [node, user] = [await side.addNode(one), await side.addUser()];
      await side.report(node, [row(user, 11, minute)]);
      side.restart(1);
      await side.report(node, [row(user, 11, 1000)]);
      expect(await side.refusals(node)).toMatchObject([{ code: "too_fast", up: 1000 }]);
      side.pass(2 * DAY);
      side.restart(1);
      await side.report(node, [row(user, 11, 2 * DAY * 125_000)]);
      expect(await side.used(user)).toBe(minute + 2 * DAY * 125_000);
      await side.report(node, [row(user, 11, minute)]);
      expect(await side.refusals(node)).toHaveLength(2);
      side.restart(0);
    });

    // rule usage.judge.7
    test("what a node has told of once it tells no more: an account that left before counts no longer, whatever a batch says of its time", async () => {
      const [node, user] = [await side.addNode(one), await side.addUser()];
      side.pass(MINUTE);
      await side.editUser(user, { enable: false });
      side.pass(1000);
      await side.report(node, [row(user, 11)]);
      side.pass(1000);
      const early = {
        bootId: randomUUID(),
        seq: 1,
        from: 0,
        to: 0,
        rows: cellsOf([row(user, 11)]),
        up: MOST,
        down: MOST,
      };
      await side.fleet.usage.count({ nodeId: node, micros: 1_000_000, until: 0, batch: early });
      expect(await side.used(user)).toBe(10);
      expect(await side.refusals(node)).toMatchObject([{ code: "not_served", userId: user }]);
      expect(await side.node(node)).toMatchObject({ up: 10, down: 0 });
    });

    // rule usage.judge.1
    test("an account that came to a template after the node left it was never given to it", async () => {
      const [node, early] = [await side.addNode(one), await side.addUser(only(one))];
      side.pass(MINUTE);
      await side.editNode(node, { templateId: two });
      side.pass(MINUTE);
      const [late, moved] = [await side.addUser(only(one)), await side.addUser({ ...only(two), enable: false })];
      await side.editUser(moved, { ...only(one), enable: true });
      side.pass(MINUTE);
      side.restart();
      await side.report(node, [row(early, 11), row(late, 11), row(moved, 11)], 0);
      expect([await side.used(early), await side.used(late), await side.used(moved)]).toEqual([10, 0, 0]);
    });
  });

  describe("what is lawful", () => {
    // rules usage.judge.2, usage.judge.3
    test("late usage of accounts that were switched off, taken from the template or deleted while the agent was away for days", async () => {
      const node = await side.addNode(one);
      const users: number[] = [];
      for (let i = 0; i < 1100; i++) users.push(await side.addUser(only(one)));
      const [off = 0, moved = 0, deleted = 0, ...more] = users;
      await side.report(node, [row(off, 11)]);
      side.pass(DAY);
      await side.editUser(off, { enable: false });
      await side.editUser(moved, only(two));
      side.pass(DAY);
      await side.deleteUser(deleted);
      await Promise.all(more.map((id) => side.editUser(id, { enable: false })));
      side.pass(3 * DAY);
      side.restart();
      // Kept by the agent in two batches, of which the first ended before anything changed.
      await side.report(node, [row(deleted, 11, 3)], side.clock.now() - 4.5 * DAY);
      await side.report(
        node,
        users.map((id) => row(id, 12)),
        side.clock.now(),
      );
      expect(await side.refusals(node)).toEqual([]);
      expect([await side.used(off), await side.used(moved), await side.used(deleted)]).toEqual([20, 10, undefined]);
      expect(await side.usedAfterDeletion(deleted)).toBe(13);
      expect(await side.used(more.at(-1) ?? 0)).toBe(10);
      side.pass(5 * MINUTE);
      await side.report(
        node,
        users.map((id) => row(id, 12)),
      );
      expect(await side.refusals(node)).toHaveLength(1001);
    });

    // rule usage.judge.2
    test("an agent that has not taken the removal yet may tell of the account for as long", async () => {
      const [node, user] = [await side.addNode(one), await side.addUser()];
      side.pass(MINUTE);
      const before = side.clock.now();
      side.pass(1000);
      await side.editUser(user, { enable: false });
      for (let i = 0; i < 3; i++) {
        side.pass(10 * MINUTE);
        await side.report(node, [row(user, 11)], before);
      }
      expect(await side.used(user)).toBe(30);
    });

    test("an account that was switched off and on again", async () => {
      const [node, user] = [await side.addNode(one), await side.addUser()];
      await side.report(node, [row(user, 11)]);
      side.pass(MINUTE);
      await side.editUser(user, { enable: false });
      side.pass(MINUTE);
      await side.editUser(user, { enable: true });
      side.pass(MINUTE);
      await side.report(node, [row(user, 11)]);
      expect(await side.used(user)).toBe(20);
      expect(await side.refusals(node)).toEqual([]);
    });

    // rule usage.judge.2
    test("usage of the template that the node had, also when that is deleted and freed of its accounts", async () => {
      const template = await side.addTemplate([31]);
      const [node, user] = [await side.addNode(template), await side.addUser(only(template))];
      await side.report(node, [row(user, 31)]);
      side.pass(HOUR);
      await side.editNode(node, { templateId: two });
      side.pass(HOUR);
      await side.deleteTemplate(template);
      side.pass(HOUR);
      side.restart();
      await side.report(node, [row(user, 31)]);
      expect(await side.used(user)).toBe(20);
      expect(await side.refusals(node)).toEqual([]);
    });

    // rule usage.judge.2
    test("usage of the template that the node had, when the change is on disk and this process has not heard of it", async () => {
      const other = await side.beside();
      const [node, user] = [await side.addNode(one), await side.addUser(only(one))];
      side.pass(MINUTE);
      await side.report(node, [row(user, 11)]);
      side.pass(1000);
      await other.editNode(node, { templateId: null });
      await side.report(node, [row(user, 12)]);
      expect(await side.refusals(node)).toEqual([]);
      expect(await side.used(user)).toBe(20);
      await other.dispose();
    });

    // rule usage.judge.5
    test("an inbound that the template carried when the traffic went through it", async () => {
      const template = await side.addTemplate([41, 42]);
      const [node, user] = [await side.addNode(template), await side.addUser()];
      await side.report(node, [row(user, 41)]);
      side.pass(HOUR);
      await side.editTemplate(template, [42]);
      side.pass(HOUR);
      await side.report(node, [row(user, 41)]);
      side.pass(HOUR);
      await side.report(node, [row(user, 41)]);
      expect(await side.used(user)).toBe(20);
      expect(await side.refusals(node)).toMatchObject([{ code: "unknown_inbound" }]);
    });

    // rule usage.judge.9
    test("what was told, moved and made before the clock was set back by a day", async () => {
      const [node, other] = [await side.addNode(one), await side.addNode(one)];
      const [user, idle] = [await side.addUser(), await side.addUser()];
      await side.report(node, [row(user, 11), row(idle, 11)]);
      await side.report(other, [row(user, 11)]);
      side.pass(-DAY);
      await side.editNode(node, { templateId: null });
      await side.editUser(idle, { enable: false });
      side.pass(MINUTE);
      // The process restarts before it has looked; one node comes at once, the other after the look.
      side.restart();
      await side.report(node, [row(user, 11)]);
      await side.forget();
      expect((await side.node(node))?.givenSince).toBeLessThanOrEqual(side.clock.now());
      await side.report(other, [row(user, 11)]);
      expect(await side.used(user)).toBe(40);
      expect([await side.refusals(node), await side.refusals(other)]).toEqual([[], []]);
    });

    // rule usage.judge.3
    test("an account that is deleted while its usage is being counted", async () => {
      const [node, user, other] = [await side.addNode(one), await side.addUser(), await side.addUser()];
      await side.report(node, [row(user, 11)]);
      // Memory still has the account: its counters alone are gone.
      await side.db.commits.execute({
        name: "gone",
        statements: [side.db.reads.statement("gone", sql`delete from user_usage where id = ${user}`)],
      });
      await side.report(node, [row(user, 11), row(other, 11)]);
      expect([await side.used(other), await side.usedAfterDeletion(user)]).toEqual([10, 10]);
    });
  });

  // rule usage.refused.3
  test("a small batch waits for one of those that are as large as may be, not for all", async () => {
    const [node, user] = [await side.addNode(one), await side.addUser(only(one))];
    const hostile = [
      await side.addNode(one),
      await side.addNode(one),
      await side.addNode(one),
      await side.addNode(one),
    ];
    const order: string[] = [];
    const giants = ["first", "second", "third", "fourth"].map(async (name, index) => {
      const rows = Array.from({ length: 120_000 }, (_, n) => row(1_000_000 + n, 11));
      await side.report(hostile[index] ?? 0, rows);
      order.push(name);
    });
    await side.report(node, [row(user, 11)]);
    order.push("small");
    await Promise.all(giants);
    expect(await side.used(user)).toBe(10);
    expect(order.slice(3)).toEqual(["third", "fourth"]);
  });

  describe("what is kept of refusals", () => {
    // rule usage.refused.1
    test("a node keeps its newest ten thousand, and one batch adds a thousand and a sum", async () => {
      const [node, user] = [await side.addNode(null), 1_000_000];
      for (let i = 0; i < 11; i++)
        await side.report(
          node,
          Array.from({ length: 1500 }, (_, n) => row(user + n, 11, n + 1)),
        );
      const found = await side.refusals(node);
      expect(found).toHaveLength(KEPT_ROWS);
      expect(found.at(-1)).toMatchObject({ userId: 0, up: (500 * 501) / 2 });
    });

    // rule usage.refused.2
    test("the node warns for a day, and the event comes once an hour", async () => {
      const [node, user] = [await side.addNode(null), await side.addUser()];
      const told = () =>
        side.events
          .filter(({ subject }) => subject === `node:${node}`)
          .map(({ event, data }) => ({ event, ...(JSON.parse(data) as object) }));
      await side.report(node, [row(user, 11)]);
      await expect
        .poll(told)
        .toEqual([
          { event: "node.usage_refused", nodeId: node, name: `node-${node}`, code: "not_served", users: 1, bytes: 10 },
        ]);
      side.pass(30 * MINUTE);
      await side.report(node, [row(user, 11), row(user + 1, 11)]);
      side.pass(31 * MINUTE);
      side.restart();
      await side.report(node, [row(user, 11, 1000)]);
      await expect.poll(told).toMatchObject([{}, { users: 2, bytes: 1030 }]);
      expect(await side.node(node)).toMatchObject({ refusedAt: side.clock.now() });
      side.pass(DAY + MINUTE);
      await side.forget();
      expect(await side.node(node)).toMatchObject({ refusedAt: 0 });
      side.pass(30 * DAY);
      await side.forget();
      expect(await side.refusals(node)).toEqual([]);
    });
  });
});

describe.each(dialects)("departures on %s", (dialect) => {
  let side: UsageSide;
  beforeAll(async () => (side = await UsageSide.open(dialect)));
  afterAll(() => side.dispose());

  // rule usage.judge.8
  test("are kept until every node has told past them, and no longer than 35 days", async () => {
    const template = await side.addTemplate([1]);
    const [here, away] = [await side.addNode(template), await side.addNode(template)];
    await side.addNode(null);
    const user = await side.addUser();
    const mark = () => side.report(here, [row(user, 1)]);
    side.pass(HOUR);
    const other = await side.addUser();
    await side.editUser(other, { enable: false });
    side.pass(HOUR);
    await mark();
    await side.forget();
    expect(await side.departures()).toMatchObject([{ kind: "account", subject: other, was: null }]);
    await side.report(away, []);
    await side.forget();
    expect(await side.departures()).toEqual([]);
    await side.editUser(user, { allTemplates: false, templateIds: [template] });
    await side.editNode(here, { templateId: null });
    await side.editTemplate(template, []);
    expect((await side.departures()).map(({ kind, was }) => [kind, was])).toEqual(
      expect.arrayContaining([
        ["account", null],
        ["node", [template]],
        ["template", [1]],
      ]),
    );
    side.pass(36 * DAY);
    await side.forget();
    expect(await side.departures()).toEqual([]);
  });

  test("nothing that leaves everybody where he was is written down", async () => {
    const user = await side.addUser();
    await side.editUser(user, { remark: "x", speedLimit: 5 });
    expect(await side.departures()).toEqual([]);
  });

  // rule usage.judge.10
  test("a list of inbounds leaves behind which it was", async () => {
    const user = await side.addUser();
    await side.editUser(user, { inboundIds: [1, 2] });
    await side.editUser(user, { inboundIds: [1] });
    expect(await side.departures()).toMatchObject([
      { kind: "account", subject: user, was: null, inbounds: null },
      { kind: "account", subject: user, was: null, inbounds: [1, 2] },
    ]);
    side.pass(36 * DAY);
    await side.forget();
  });

  // rule users.inbounds.2
  test("an account that is left no inbound is served nowhere from then on, and what came before still counts", async () => {
    const template = await side.addTemplate([1]);
    const [node, user] = [await side.addNode(template), await side.addUser({ inboundIds: [1] })];
    await side.report(node, [row(user, 1)]);
    const before = (await side.used(user)) ?? 0;
    side.pass(HOUR);
    await side.editUser(user, { inboundIds: [] });
    expect(await side.departures()).toMatchObject([{ kind: "account", subject: user, was: null }]);
    await side.report(node, [row(user, 1)]);
    expect(await side.used(user)).toBe(2 * before);
    side.pass(HOUR);
    await side.report(node, [row(user, 1)]);
    await side.report(node, [row(user, 1)]);
    expect(await side.used(user)).toBeLessThan(4 * before);
  });
});

describe.runIf(dialects.includes("postgresql"))("two processes", () => {
  test("that count in turn believe the same, and count each batch once", async () => {
    const side = await UsageSide.open("postgresql");
    const other = await side.beside();
    const template = await side.addTemplate([1]);
    const [node, user] = [await side.addNode(template), await side.addUser()];
    await Promise.all([side.report(node, [row(user, 1)]), other.report(node, [row(user, 1)])]);
    side.pass(MINUTE);
    await side.editUser(user, { enable: false });
    side.pass(5 * MINUTE);
    await other.report(node, [row(user, 1)]);
    side.pass(5 * MINUTE);
    await side.report(node, [row(user, 1)]);
    expect(await side.used(user)).toBe(30);
    expect(await side.refusals(node)).toHaveLength(1);
    for (let i = 0; i < 10; i++) await Promise.all([side.report(node, [row(user, 1)]), other.report(node, [])]);
    await other.dispose();
    await side.dispose();
  });
});
