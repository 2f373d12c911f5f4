// Rows that SQLite's store keeps in memory: what a batch is decided on equals what is on disk, whatever was written
// before and however it ended.
import { defineEntity, p } from "@mikro-orm/core";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { entity, lock, sql, type Draft, type RowOf } from "../../src/db/index.ts";
import { RowCache } from "../../src/db/sqlite/row-cache.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      amount: p.bigint("number"),
      enabled: p.boolean(),
      note: p.json<unknown>().nullable(),
      owner: p.bigint("number").nullable(),
    },
  }),
);
type Thing = RowOf<typeof Things>;
const Others = entity(
  defineEntity({
    name: "Other",
    tableName: "others",
    properties: { id: p.text().primary(), thing: p.bigint("number"), text: p.text() },
  }),
);

const IDS = 12;
const NOTES: readonly unknown[] = [
  null,
  {},
  { a: undefined, b: [1, null, "ü"] },
  "7",
  7,
  -0,
  1e21,
  true,
  "null",
  '{"a":1}',
  [[]],
  "\ud800",
];
const AMOUNTS = [0, -0, 1.5, 2 ** 53 - 1, -1, 1e300];
const TEXTS = ["", "ü", "5", "\ud83d", "a\0b", "null"];

/** mulberry32. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe("rows kept in memory", () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await openTestDatabase("sqlite", [Things, Others]);
  });
  afterEach(() => db.dispose());

  const locks = Array.from({ length: IDS }, (_, id) => [
    lock(Things, id, "read"),
    lock(Others, `o${id}`, "read"),
  ]).flat();
  const asBatchesSeeThem = async () => {
    const session = db.store.begin();
    const rows = await session.load(locks);
    await session.abandon();
    return new Map([...rows].filter(([, row]) => row !== null));
  };
  const onDisk = async () =>
    new Map<string, object>([
      ...(await db.reads.rows(Things, sql`select * from things`)).map((row) => [`things:${row.id}`, row] as const),
      ...(await db.reads.rows(Others, sql`select * from others`)).map((row) => [`others:${row.id}`, row] as const),
    ]);

  test.each([1, 2, 3, 4, 5])("any mix of changes, refusals and set-based statements: seed %i", async (seed) => {
    const random = randomFrom(seed);
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    const patch = (): Partial<Thing> =>
      pick<() => Partial<Thing>>([
        () => ({ amount: pick(AMOUNTS), enabled: random(2) === 0 }),
        () => ({ note: pick(NOTES) }),
        () => ({ name: `n${random(IDS * 2)}`, owner: pick([null, 1, 2]) }),
      ])();
    const thing = (id: number): Thing => ({
      id,
      name: `n${id}-${random(3)}`,
      amount: 1,
      enabled: true,
      note: pick(NOTES),
      owner: pick([null, 1, 2]),
    });
    const change = (draft: Draft): void => {
      const id = random(IDS);
      switch (random(8)) {
        case 0:
          if (!draft.find(Things, id)) draft.insert(Things, thing(id));
          return;
        case 1:
          draft.delete(Things, id);
          return;
        case 2:
          draft.purge(Others, { thing: id });
          return;
        case 3:
          draft.upsert(Others, { id: `o${id}`, thing: random(IDS), text: pick(TEXTS) });
          return;
        case 4:
          if (draft.find(Others, `o${id}`)) draft.update(Others, `o${id}`, { text: pick(TEXTS) });
          return;
        default:
          if (draft.find(Things, id)) draft.update(Things, id, patch());
      }
    };
    const submit = () =>
      db.commits.submit({
        name: "mix",
        locks: [],
        decide: (draft) => {
          for (let count = 1 + random(3); count > 0; count--) change(draft);
          if (random(6) === 0) throw new RangeError("refused");
        },
      });
    const execute = () =>
      db.commits.execute({
        name: "set",
        statements: [
          db.reads.statement(
            "add",
            sql`update things set amount = amount + 1 where id % 2 = 0 and amount between 0 and 1000`,
          ),
          ...(random(3) === 0
            ? [db.reads.statement("never", sql`update others set text = 'x' where id = 'none'`, 1)]
            : []),
        ],
      });
    for (let round = 0; round < 25; round++) {
      await Promise.allSettled(Array.from({ length: 1 + random(20) }, () => (random(10) === 0 ? execute() : submit())));
      expect(await asBatchesSeeThem()).toEqual(await onDisk());
    }
  });

  test("another connection's changes are seen by the next change of every row", async () => {
    const add = (id: number) =>
      db.commits.submit({
        name: "add",
        locks: [lock(Things, id)],
        decide: (draft) => {
          const row = draft.find(Things, id);
          if (row) return draft.update(Things, id, { amount: row.amount + 1 }).amount;
          draft.insert(Things, { id, name: `n${id}`, amount: 1, enabled: true, note: null, owner: null });
          return 1;
        },
      });
    for (const amount of [1, 2, 3]) expect([await add(1), await add(2)]).toEqual([amount, amount]);
    const other = new Sqlite(db.url.slice("sqlite:".length));
    other.exec("update things set amount = amount + 100");
    other.close();
    expect([await add(1), await add(2), await add(1)]).toEqual([104, 104, 105]);
  });
});

describe("the limit", () => {
  test("what was asked for lately stays, the rest goes", () => {
    const cache = new RowCache(100_000);
    const lockOf = (id: number) => lock(Things, id);
    let kept = 0;
    for (let id = 0; id < 10_000; id++) {
      cache.read(lockOf(id), [id, "x".repeat(100), 0, 1, null, null]);
      if (cache.get(lockOf(0))) kept++;
    }
    expect(kept).toBe(10_000);
    const left = Array.from({ length: 10_000 }, (_, id) => cache.get(lockOf(id))).filter(Boolean).length;
    expect(left).toBeGreaterThan(100);
    expect(left).toBeLessThan(1000);
  });
});
