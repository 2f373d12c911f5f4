// Counting usage: exactly once, exact multipliers, and whoever crosses a line is marked due in the same transaction.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UsageMoveRows, UserUsageRows } from "../../src/accounts/index.ts";
import { sql } from "../../src/db/index.ts";
import { NodeUsageRows, UsageCursorRows } from "../../src/fleet/index.ts";
import { UsageCounter } from "../../src/fleet/usage.ts";
import { sumByUser } from "../../src/fleet/usage-sums.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import type { UsageRow } from "../../src/protocol/messages.ts";
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
  let counter: UsageCounter;
  const now = () => 1_800_000_000_000;
  beforeAll(async () => {
    db = await openTestDatabase(dialect, [UserUsageRows, UsageMoveRows, NodeUsageRows, UsageCursorRows, TimerRows], now);
    counter = new UsageCounter({ ...db, now });
    await db.commits.submit({
      name: "seed",
      locks: [],
      decide(draft) {
        for (let id = 1; id <= 10; id++) {
          const counters = {
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
          draft.insert(NodeUsageRows, { id, up: 0, down: 0, periodUsed: 0, periodStart: id === 2 ? 1 : 0, wakeAt: id === 2 ? 500 : null });
        }
      },
    });
  });
  afterAll(() => db.dispose());
  const user = async (id: number) => await db.reads.find(UserUsageRows, id);

  test("a batch is counted once, however often it is sent", async () => {
    const batch = batchOf(1, [[1, 7, 100, 200, 50]]);
    const answers = await Promise.all([1, 2, 3].map(() => counter.count({ nodeId: 1, micros: 1_000_000, batch })));
    expect(answers).toEqual([1, 1, 1]);
    expect(await counter.count({ nodeId: 1, micros: 1_000_000, batch })).toBe(1);
    expect(await user(1)).toMatchObject({ up: 100, down: 200, totalUp: 100, totalDown: 200, onlineAt: 50, lastInboundId: 7 });
    expect(await db.reads.find(NodeUsageRows, 1)).toMatchObject({ up: 100, down: 200, periodUsed: 0 });
  });

  test("a multiplier leaves no remainder behind", async () => {
    for (let seq = 2; seq <= 101; seq++) await counter.count({ nodeId: 1, micros: 1_100_000, batch: batchOf(seq, [[2, 7, 1, 3, seq]]) });
    expect(await user(2)).toMatchObject({ up: 110, down: 330, upRest: 0, downRest: 0 });
    expect(await db.reads.find(NodeUsageRows, 1)).toMatchObject({ up: 200, down: 500 });
  });

  test("a user that reaches its level is due in the same transaction, and not before", async () => {
    const due = async () => await db.reads.rows(TimerRows, sql`select * from timers where kind = 'user'`);
    await counter.count({ nodeId: 4, micros: 1_000_000, batch: batchOf(1, [[3, 7, 499, 500, 60]]) });
    expect(await due()).toEqual([]);
    await counter.count({ nodeId: 4, micros: 1_000_000, batch: batchOf(2, [[3, 7, 1, 0, 61]]) });
    expect(await due()).toEqual([{ id: "user:3:due", kind: "user", actorId: 3, name: "due", event: "due", dueAt: now() }]);
  });

  test("a node's period is counted raw, and its limit marks it", async () => {
    await counter.count({ nodeId: 2, micros: 3_000_000, batch: batchOf(1, [[4, 7, 200, 300, 60]]) });
    expect(await db.reads.find(NodeUsageRows, 2)).toMatchObject({ periodUsed: 500 });
    expect(await user(4)).toMatchObject({ up: 600, down: 900 });
    expect(await db.reads.rows(TimerRows, sql`select * from timers where kind = 'node'`)).toMatchObject([{ actorId: 2, dueAt: now() }]);
  });

  test("another ledger file of the same node counts from its own beginning", async () => {
    const other = randomUUID();
    expect(await counter.count({ nodeId: 1, micros: 1_000_000, batch: batchOf(1, [[5, 7, 10, 0, 70]], other) })).toBe(1);
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

  test("an agent whose clock is ahead makes nobody look online in the future", async () => {
    const seconds = now() / 1000;
    await counter.count({ nodeId: 8, micros: 1_000_000, batch: batchOf(1, [[7, 7, 1, 0, seconds + 86_400]], randomUUID()) });
    expect((await user(7))?.onlineAt).toBe(seconds);
  });

  test("a batch that cannot be counted does not keep others from it", async () => {
    const bootId = randomUUID();
    const send = (nodeId: number, rows: UsageRow[]) => counter.count({ nodeId, micros: 1_000_000, batch: batchOf(1, rows, bootId) });
    const absurd = Array.from({ length: 3 }, (): UsageRow => [9, 7, Number.MAX_VALUE, 0, 90]);
    const [first, second, third] = await Promise.allSettled([send(1, [[10, 7, 1, 0, 90]]), send(2, absurd), send(3, [[10, 7, 1, 0, 90]])]);
    expect([first.status, third.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(second.status).toBe("rejected");
    expect((await user(10))?.up).toBe(2);
  });

  test("a batch of a node that was deleted meanwhile leaves no cursor behind, counts nothing and harms nobody", async () => {
    const bootId = randomUUID();
    const send = (nodeId: number) => counter.count({ nodeId, micros: 1_000_000, batch: batchOf(1, [[4, 7, 1, 0, 95]], bootId) });
    const before = (await user(4))?.up ?? 0;
    const answers = await Promise.allSettled([send(77), send(9)]);
    expect(answers).toMatchObject([
      { status: "rejected", reason: { message: "the node is gone" } },
      { status: "fulfilled", value: 1 },
    ]);
    expect((await user(4))?.up).toBe(before + 1);
    expect(await db.reads.query(sql`select id from usage_cursors where node_id = 77`)).toEqual([]);
  });

  test("two processes that are sent the same batches count each of them once, and both acknowledge", async () => {
    const other = new UsageCounter({ ...db, now });
    const bootId = randomUUID();
    const before = (await user(5))?.up ?? 0;
    for (let seq = 1; seq <= 20; seq++) {
      const sent = { nodeId: 10, micros: 1_000_000, batch: batchOf(seq, [[5, 7, 3, 0, 96]], bootId) };
      expect(await Promise.all([counter.count(sent), other.count(sent)])).toEqual([seq, seq]);
    }
    expect((await user(5))?.up).toBe(before + 60);
  });

  test("two processes that count the same users at once lose nothing", async () => {
    const counters = [counter, new UsageCounter({ ...db, now })];
    const before = (await user(8))?.up ?? 0;
    const rows = [9, 5, 8, 7, 10].map((id): UsageRow => [id, 7, 1, 0, 97]);
    const boots = counters.map(() => randomUUID());
    for (let seq = 1; seq <= 20; seq++) {
      const sent = counters.map((each, index) =>
        each.count({ nodeId: index + 5, micros: 1_000_000, batch: batchOf(seq, index === 0 ? rows : rows.toReversed(), boots[index]) }),
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
    const sums = sumByUser([
      {
        micros: 0,
        batch: batchOf(1, [
          [9, 1, 1, 0, 1],
          [2, 1, 1, 0, 1],
          [9, 2, 1, 0, 2],
        ]),
      },
    ]);
    expect(sums.map(({ id, up, inbound }) => [id, up, inbound])).toEqual([
      [2, 1, 1],
      [9, 2, 2],
    ]);
  });
});
