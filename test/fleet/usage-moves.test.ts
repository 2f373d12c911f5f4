// Lists the users that moved since a cursor. The list is complete whatever the order of commits: it comes from the log
// of moves and, for old cursors, from all counters.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserRows } from "../../src/accounts/index.ts";
import { ResellerUsageRows, UsageMoveRows, UserUsageRows } from "../../src/accounts/testing.ts";
import { movesBroughtBack, usageMoves } from "../../src/accounts/users/moves.queries.ts";
import { sql } from "../../src/db/index.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { freshCounters, NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "../../src/fleet/testing.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import { OpenCounter } from "./open-counter.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const START = 1_800_000_000_000;
const USERS = 40;
const MINUTE = 60_000;

describe.each(dialects)("moves on %s", (dialect) => {
  let db: TestDatabase;
  let time = START;
  const now = () => time;
  let counter: OpenCounter;
  let seq = 0;
  const boot = randomUUID();

  beforeAll(async () => {
    db = await openTestDatabase(
      dialect,
      [
        UserRows,
        UserUsageRows,
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
        };
        for (let id = 1; id <= USERS; id++) draft.insert(UserUsageRows, { id, ...counters, setAt: 0, wakeAt: null });
        for (let id = 1; id <= 3; id++) draft.insert(NodeUsageRows, freshCounters(id, START));
      },
    });
  });
  afterAll(() => db.dispose());

  const count = (ids: readonly number[]) =>
    counter.count({
      nodeId: 1,
      micros: 1_000_000,
      batch: { bootId: boot, seq: ++seq, rows: ids.map((id) => [id, 7, 1, 0, 90]) },
    });
  const moves = async (since: number, limit = 1000) => {
    const { cursor, rows } = await usageMoves(db.reads, time, since, limit, undefined);
    return { cursor, ids: rows.map(({ id }) => id) };
  };
  /** A cursor behind everything so far. */
  const latest = async () => {
    time += 5000;
    const { cursor } = await moves(0);
    return Math.max(cursor, (time - 2000) * 1000);
  };

  // rule users.list.5
  test("the log tells of each user once, where it moved last", async () => {
    const since = await latest();
    await count([1, 2, 3]);
    time += 10;
    await count([2, 4]);
    time += 5000;
    const first = await moves(since, 1);
    expect(first.ids).toEqual([1, 3]);
    const second = await moves(first.cursor, 1);
    expect(second.ids).toEqual([2, 4]);
    expect(await moves(second.cursor)).toEqual({ cursor: second.cursor, ids: [] });
    expect((await moves(since)).ids).toEqual([1, 3, 2, 4]);
  });

  test("a part of the log in which everybody has moved on does not end the answer", async () => {
    const since = await latest();
    for (let round = 0; round < 5; round++) {
      time += 10;
      await count([5, 6]);
    }
    time += 5000;
    expect((await moves(since, 2)).ids).toEqual([5, 6]);
  });

  test("what a command set is told among what traffic moved, in parts of the limit", async () => {
    const since = await latest();
    await count([10]);
    for (const id of [11, 12, 13]) {
      time += 10;
      const at = time * 1000;
      await db.commits.submit({
        name: "reset",
        locks: [],
        decide: (draft) => {
          draft.find(UserUsageRows, id);
          draft.update(UserUsageRows, id, { up: 0, movedAt: at, setAt: at });
        },
      });
    }
    time += 10;
    await count([14]);
    time += 5000;
    const told: number[][] = [];
    for (let cursor = since; ;) {
      const part = await moves(cursor, 2);
      if (part.ids.length === 0) break;
      told.push(part.ids);
      cursor = part.cursor;
    }
    expect(told).toEqual([[10, 11], [12, 13], [14]]);
  });

  // rule users.list.5
  test("a cursor older than the log is answered from all counters, and the log is pruned", async () => {
    const since = await latest();
    await count([20]);
    time += 20 * MINUTE;
    await count([21]);
    time += 5000;
    const logged = await db.reads.query<{ users: string }>(sql`select users from usage_moves order by moved_at`);
    expect(logged.map(({ users }) => users)).toEqual(["21"]);
    const first = await moves(since, 1);
    expect(first.ids).toEqual([20]);
    expect((await moves(first.cursor, 1)).ids).toEqual([21]);
  });

  test("a clock that was set back loses no move", async () => {
    await latest();
    await count([22, 23]);
    const back = time - 60 * MINUTE;
    time = back;
    await db.commits.execute({ name: "clock", statements: movesBroughtBack(db.reads, back) });
    time += 5000;
    expect((await moves((back - 1000) * 1000)).ids).toEqual(expect.arrayContaining([22, 23]));
    time += 180 * MINUTE;
  });

  test("a batch of every size of statement is counted whole, with remainders", async () => {
    const ids = Array.from({ length: USERS }, (_, index) => USERS - index);
    const before = await db.reads.query<{ id: number; up: number }>(sql`select id, up from user_usage order by id`);
    const bootId = randomUUID();
    const rows = ids.map((id) => [id, 7, 5, 0, 90] as [number, number, number, number, number]);
    const batch = { bootId, seq: 1, from: 0, to: 0, rows, up: 5 * ids.length, down: 0 };
    await counter.count({ nodeId: 2, micros: 1_500_000, batch });
    await counter.count({ nodeId: 2, micros: 1_500_000, batch: { ...batch, seq: 2 } });
    const after = await db.reads.query<{ id: number; up: number; rest: number }>(
      sql`select id, up, up_rest as rest from user_usage order by id`,
    );
    expect(after).toEqual(before.map(({ id, up }) => ({ id, up: up + 15, rest: 0 })));
  });

  if (dialect === "postgresql")
    test("a slow transaction hides nothing from a reader: what moved after it began waits for it", async () => {
      await db.commits.execute({ name: "today", statements: movesBroughtBack(db.reads, Date.now() - MINUTE) });
      const since = (Date.now() - MINUTE / 2) * 1000;
      const batchOf = (nodeId: number, userId: number) => {
        const rows: [number, number, number, number, number][] = [[userId, 7, 1, 0, 90]];
        return {
          nodeId,
          micros: 1_000_000,
          batch: { bootId: randomUUID(), seq: 1, from: 0, to: 0, rows, up: 1, down: 0 },
        };
      };
      const stranger = new pg.Client({ connectionString: db.url });
      await stranger.connect();
      try {
        // The first batch has its moment and waits for a row; the second, of another user, is counted meanwhile by
        // another process.
        await stranger.query("begin");
        await stranger.query("select 1 from user_usage where id = 30 for update");
        const slow = new OpenCounter(db, Date.now).count(batchOf(1, 30));
        await waitsForRow(db);
        await new OpenCounter(db, Date.now).count(batchOf(3, 31));
        const counted = Date.now();
        let cursor = since;
        while (Date.now() < counted + 2500) {
          const early = await usageMoves(db.reads, Date.now(), cursor, 1000, undefined);
          expect(early.rows).toEqual([]);
          cursor = early.cursor;
        }
        await stranger.query("rollback");
        await slow;
        const told: number[] = [];
        while (told.length < 2) {
          const late = await usageMoves(db.reads, Date.now(), cursor, 1000, undefined);
          told.push(...late.rows.map(({ id }) => id));
          cursor = late.cursor;
        }
        expect(told).toEqual([30, 31]);
      } finally {
        await stranger.end();
      }
    });
});

/** Resolves when a transaction of the database waits for a row lock. */
async function waitsForRow(db: TestDatabase): Promise<void> {
  for (;;) {
    const [found] = await db.reads.query<{ n: number }>(
      sql`select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((found?.n ?? 0) > 0) return;
  }
}
