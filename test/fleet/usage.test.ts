// Counting usage: exactly once, with exact multipliers; users who cross a limit are marked due in the same transaction.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DeletedUsageRows, ResellerUsageRows, UsageMoveRows, UserUsageRows } from "../../src/accounts/testing.ts";
import { lock, sql } from "../../src/db/index.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { freshCounters, NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "../../src/fleet/testing.ts";
import { sumByUser } from "../../src/fleet/usage/usage-sums.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import type { UsageRow } from "../../src/protocol/usage-rows.ts";
import { cellsOf } from "../usage-cells.ts";
import { OpenCounter } from "./open-counter.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const boot = randomUUID();
const batchOf = (seq: number, rows: UsageRow[], bootId = boot) => ({
  bootId,
  seq,
  from: 0,
  to: 0,
  rows,
  up: rows.reduce((sum, row) => sum + row[2], 0),
  down: rows.reduce((sum, row) => sum + row[3], 0),
});

describe.each(dialects)("usage on %s", (dialect) => {
  let db: TestDatabase;
  let counter: OpenCounter;
  const now = () => 1_800_000_000_000;
  beforeAll(async () => {
    db = await openTestDatabase(
      dialect,
      [
        UserUsageRows,
        DeletedUsageRows,
        UsageMoveRows,
        ResellerUsageRows,
        NodeRows,
        NodeUsageRows,
        UsageCursorRows,
        UsageRefusalRows,
        TimerRows,
      ],
      now,
    );
    counter = new OpenCounter(db, now);
    await db.commits.submit({
      name: "seed",
      locks: [],
      decide(draft) {
        for (let id = 1; id <= 10; id++) {
          const counters = {
            adminId: 0,
            up: 0,
            down: 0,
            totalUp: 0,
            totalDown: 0,
            upRest: 0,
            downRest: 0,
            onlineAt: 0,
            lastInboundId: 0,
            movedAt: 0,
            setAt: 0,
          };
          draft.insert(UserUsageRows, { id, ...counters, wakeAt: id === 3 ? 1000 : null });
          draft.insert(NodeUsageRows, {
            ...freshCounters(id, now()),
            periodStart: id === 2 ? 1 : 0,
            wakeAt: id === 2 ? 500 : null,
          });
        }
      },
    });
  });
  afterAll(() => db.dispose());
  const user = async (id: number) => await db.reads.find(UserUsageRows, id);

  // rule usage.count.1
  test("a batch is counted once, however often it is sent", async () => {
    const batch = batchOf(1, [[1, 7, 100, 200, 50]]);
    const answers = await Promise.all([1, 2, 3].map(() => counter.count({ nodeId: 1, micros: 1_000_000, batch })));
    expect(answers).toEqual([1, 1, 1]);
    expect(await counter.count({ nodeId: 1, micros: 1_000_000, batch })).toBe(1);
    expect(await user(1)).toMatchObject({
      up: 100,
      down: 200,
      totalUp: 100,
      totalDown: 200,
      onlineAt: 50,
      lastInboundId: 7,
    });
    expect(await db.reads.find(NodeUsageRows, 1)).toMatchObject({ up: 100, down: 200, periodUsed: 0 });
  });

  // rule usage.count.3
  test("a multiplier leaves no remainder behind", async () => {
    for (let seq = 2; seq <= 101; seq++)
      await counter.count({ nodeId: 1, micros: 1_100_000, batch: batchOf(seq, [[2, 7, 1, 3, seq]]) });
    expect(await user(2)).toMatchObject({ up: 110, down: 330, upRest: 0, downRest: 0 });
    expect(await db.reads.find(NodeUsageRows, 1)).toMatchObject({ up: 200, down: 500 });
  });

  // rule usage.count.9
  test("a multiplier of nothing is one", async () => {
    const before = (await user(10))?.up ?? 0;
    await counter.count({ nodeId: 3, micros: 0, batch: batchOf(1, [[10, 7, 3, 0, 50]], randomUUID()) });
    expect((await user(10))?.up).toBe(before + 3);
  });

  // rule usage.count.4
  test("a user that reaches its level is due in the same transaction, and not before", async () => {
    const due = async () => await db.reads.rows(TimerRows, sql`select * from timers where kind = 'user'`);
    await counter.count({ nodeId: 4, micros: 1_000_000, batch: batchOf(1, [[3, 7, 499, 500, 60]]) });
    expect(await due()).toEqual([]);
    await counter.count({ nodeId: 4, micros: 1_000_000, batch: batchOf(2, [[3, 7, 1, 0, 61]]) });
    expect(await due()).toEqual([
      { id: "user:3:due", kind: "user", actorId: 3, name: "due", event: "due", dueAt: now() },
    ]);
  });

  // rules nodes.switch.2, usage.count.3
  test("a node's period is counted raw, and its limit marks it", async () => {
    await counter.count({ nodeId: 2, micros: 3_000_000, batch: batchOf(1, [[4, 7, 200, 300, 60]]) });
    expect(await db.reads.find(NodeUsageRows, 2)).toMatchObject({ periodUsed: 500 });
    expect(await user(4)).toMatchObject({ up: 600, down: 900 });
    expect(await db.reads.rows(TimerRows, sql`select * from timers where kind = 'node'`)).toMatchObject([
      { actorId: 2, dueAt: now() },
    ]);
  });

  // rule usage.count.2
  test("another ledger file of the same node counts from its own beginning", async () => {
    const other = randomUUID();
    expect(await counter.count({ nodeId: 1, micros: 1_000_000, batch: batchOf(1, [[5, 7, 10, 0, 70]], other) })).toBe(
      1,
    );
    expect(await user(5)).toMatchObject({ up: 10 });
  });

  test("a batch that arrives twice while another is being counted, and its successor, are counted once each and harm nobody", async () => {
    const bootId = randomUUID();
    const send = (nodeId: number, seq: number, userId: number) =>
      counter.count({ nodeId, micros: 1_000_000, batch: batchOf(seq, [[userId, 7, 10, 0, 90]], bootId) });
    const answers = await Promise.all([send(5, 1, 7), send(6, 1, 8), send(6, 1, 8), send(6, 2, 8), send(7, 1, 9)]);
    expect(answers).toEqual([1, 1, 1, 2, 1]);
    expect([(await user(7))?.up, (await user(8))?.up, (await user(9))?.up]).toEqual([10, 20, 10]);
  });

  // rule usage.count.6
  test("an agent whose clock is ahead makes nobody look online in the future", async () => {
    const seconds = now() / 1000;
    await counter.count({
      nodeId: 8,
      micros: 1_000_000,
      batch: batchOf(1, [[7, 7, 1, 0, seconds + 86_400]], randomUUID()),
    });
    expect((await user(7))?.onlineAt).toBe(seconds);
  });

  // rule usage.count.5
  test("counters stop at the largest exact number, and go on from there", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const bootId = randomUUID();
    const send = (seq: number, micros: number, rows: UsageRow[]) =>
      counter.count({ nodeId: 2, micros, batch: batchOf(seq, rows, bootId) });
    await send(1, 1_000_000, [
      [9, 7, most, most, 90],
      [9, 7, most, 0, 90],
    ]);
    await send(2, 1_000_000_000, [[9, 7, most, most, 91]]);
    await send(3, 1_100_000, [[9, 7, 1, 1, 92]]);
    expect(await user(9)).toMatchObject({ up: most, down: most, totalUp: most, totalDown: most, onlineAt: 92 });
    expect(await db.reads.find(NodeUsageRows, 2)).toMatchObject({ up: most, down: most, periodUsed: most });
  });

  test("what is stored beyond it is read as it, and mended by the next batch", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const beyond = sql.raw("18014398509481982");
    const set = sql`update user_usage set up = ${beyond}, down = ${beyond}, total_up = ${beyond}, total_down = ${beyond} where id = 10`;
    await db.commits.execute({ name: "attack", statements: [db.reads.statement("attack", set)] });
    expect(await user(10)).toMatchObject({ up: most, down: most, totalUp: most, totalDown: most });
    await counter.count({ nodeId: 3, micros: 1_000_000, batch: batchOf(1, [[10, 7, 1, 0, 90]], randomUUID()) });
    expect(
      await db.reads.query(
        sql`select id from user_usage where up > ${most} or total_up > ${most} or total_down > ${most}`,
      ),
    ).toEqual([]);
  });

  // rule usage.count.7
  test("a batch of a node that was deleted meanwhile leaves no cursor behind, counts nothing and harms nobody", async () => {
    const bootId = randomUUID();
    const send = (nodeId: number) =>
      counter.count({ nodeId, micros: 1_000_000, batch: batchOf(1, [[4, 7, 1, 0, 95]], bootId) });
    const before = (await user(4))?.up ?? 0;
    const answers = await Promise.allSettled([send(77), send(9)]);
    expect(answers).toMatchObject([
      { status: "rejected", reason: { message: "the node is gone" } },
      { status: "fulfilled", value: 1 },
    ]);
    expect((await user(4))?.up).toBe(before + 1);
    expect(await db.reads.query(sql`select id from usage_cursors where node_id = 77`)).toEqual([]);
  });

  // rule usage.count.1
  test("two processes that are sent the same batches count each of them once, and both acknowledge", async () => {
    const other = new OpenCounter(db, now);
    const bootId = randomUUID();
    const before = (await user(5))?.up ?? 0;
    for (let seq = 1; seq <= 20; seq++) {
      const sent = { nodeId: 10, micros: 1_000_000, batch: batchOf(seq, [[5, 7, 3, 0, 96]], bootId) };
      expect(await Promise.all([counter.count(sent), other.count(sent)])).toEqual([seq, seq]);
    }
    expect((await user(5))?.up).toBe(before + 60);
  });

  test("two processes that count the same users at once lose nothing", async () => {
    const counters = [counter, new OpenCounter(db, now)];
    const before = (await user(8))?.up ?? 0;
    const rows = [9, 5, 8, 7, 10].map((id): UsageRow => [id, 7, 1, 0, 97]);
    const boots = counters.map(() => randomUUID());
    for (let seq = 1; seq <= 20; seq++) {
      const sent = counters.map((each, index) =>
        each.count({
          nodeId: index + 5,
          micros: 1_000_000,
          batch: batchOf(seq, index === 0 ? rows : rows.toReversed(), boots[index]),
        }),
      );
      expect(await Promise.all(sent)).toEqual([seq, seq]);
    }
    expect((await user(8))?.up).toBe(before + 40);
  });

  test("batches of many nodes at once add up, and users that are gone do no harm", async () => {
    const batches = Array.from({ length: 10 }, (_, index) =>
      counter.count({
        nodeId: index + 1,
        micros: 1_000_000,
        batch: batchOf(
          1,
          [
            [6, 7, 5, 5, 80],
            [99, 7, 5, 5, 80],
          ],
          randomUUID(),
        ),
      }),
    );
    await Promise.all(batches);
    expect(await user(6)).toMatchObject({ up: 50, down: 50 });
  });

  test("sums are taken in id order", () => {
    const rows = cellsOf([
      [9, 1, 1, 0, 1],
      [2, 1, 1, 0, 1],
      [9, 2, 1, 0, 2],
    ]);
    const sums = sumByUser([{ micros: 0, batch: { bootId: boot, seq: 1, rows } }]);
    expect(sums.map(({ id, up, inbound }) => [id, up, inbound])).toEqual([
      [2, 1, 1],
      [9, 2, 2],
    ]);
  });

  // rule resellers.meter.1
  test("what a reseller's accounts move counts against its allowance, to the byte, and crossing it is due", async () => {
    await db.commits.submit({
      name: "owners",
      locks: [7, 8, 9].map((id) => lock(UserUsageRows, id)),
      decide(draft) {
        for (const id of [7, 8, 9]) draft.update(UserUsageRows, id, { adminId: id === 9 ? 51 : 50 });
        draft.insert(ResellerUsageRows, { id: 50, used: 0, rest: 0, wakeAt: 100 });
        draft.insert(ResellerUsageRows, { id: 51, used: 0, rest: 0, wakeAt: null });
      },
    });
    const due = async () =>
      (await db.reads.rows(TimerRows, sql`select * from timers where kind = 'reseller'`)).map(({ id }) => id);
    const used = async (id: number) => (await db.reads.find(ResellerUsageRows, id)) ?? expect.fail("no counters");
    const bootId = randomUUID();
    const at = Math.floor(now() / 1000);
    // One and a half of 33 bytes, twice: no half is lost between the accounts.
    const rows: UsageRow[] = [
      [7, 1, 30, 3, at],
      [8, 1, 33, 0, at],
      [9, 1, 5, 0, at],
      [10, 1, 7, 0, at],
    ];
    await counter.count({ nodeId: 1, micros: 1_500_000, batch: batchOf(1, rows, bootId) });
    expect(await used(50)).toMatchObject({ used: 99, rest: 0 });
    expect(await used(51)).toMatchObject({ used: 7, rest: 500_000 });
    expect(await due()).toEqual([]);
    await counter.count({ nodeId: 1, micros: 0, batch: batchOf(2, [[8, 1, 1, 0, at]], bootId) });
    expect([(await used(50)).used, await due()]).toEqual([100, ["reseller:50:due"]]);
    // As much as there can be, of several accounts: it stops at the largest number.
    const most: UsageRow[] = [7, 8, 9].map((id) => [id, 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, at]);
    await counter.count({ nodeId: 1, micros: 0, batch: batchOf(3, most, bootId) });
    expect([(await used(50)).used, (await used(51)).used]).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
  });
});
