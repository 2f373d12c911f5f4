// Usage that a restore to an older state took: said in batches, and nothing is counted twice.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DeletedUsageRows, ResellerUsageRows, UsageMoveRows, UserUsageRows } from "../../src/accounts/testing.ts";
import { NodeRows } from "../../src/fleet/index.ts";
import { freshCounters, NodeUsageRows, UsageCursorRows, UsageRefusalRows } from "../../src/fleet/testing.ts";
import { TimerRows } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { OpenCounter } from "./open-counter.ts";

const TABLES = [
  UserUsageRows,
  DeletedUsageRows,
  UsageMoveRows,
  ResellerUsageRows,
  NodeRows,
  NodeUsageRows,
  UsageCursorRows,
  UsageRefusalRows,
  TimerRows,
];

describe.each(dialects)("lost usage on %s", (dialect) => {
  let db: TestDatabase;
  let counter: OpenCounter;
  let lost: (readonly [nodeId: number, batches: number])[];
  const now = () => 1_800_000_000_000;
  const bootId = randomUUID();
  const count = (seq: number) => counter.count({ nodeId: 1, batch: { bootId, seq, rows: [] }, micros: 0 });

  beforeEach(async () => {
    lost = [];
    db = await openTestDatabase(dialect, TABLES, now);
    counter = new OpenCounter(db, now, { onLost: (...said) => lost.push(said) });
    await db.commits.submit({
      name: "seed",
      locks: [],
      decide: (draft) => draft.insert(NodeUsageRows, freshCounters(1, now())),
    });
  });
  afterEach(() => db.dispose());

  // rule backups.restore.7
  test("a ledger that goes on further than it was counted has lost what is between", async () => {
    for (const seq of [1, 2, 3, 3]) await count(seq);
    expect(lost).toEqual([]);
    // The database is of a moment at which three were counted; the agent has forgotten six.
    expect(await count(7)).toBe(7);
    expect(lost).toEqual([[1, 3]]);
    expect(await count(7)).toBe(7);
    await count(8);
    expect(lost).toEqual([[1, 3]]);
  });
});
