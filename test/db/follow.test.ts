// Two processes on one PostgreSQL: each receives the other's commits, complete, in order per row, and before it answers
// a request about them.
import { defineEntity, p } from "@mikro-orm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineFact, entity, Facts, Follower, lock, type Committed, type Database } from "../../src/db/index.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { addTable, connectTestDatabase, createTestDatabase, dialects } from "../database.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);
const Others = entity(
  defineEntity({
    name: "Other",
    tableName: "others",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);
const SAID = defineFact("said", z.union([z.number(), z.string()]));
const PRIVATE = defineFact<number>("private");
const echo = { tables: new Set(["things"]), facts: new Set(["said"]) };

interface Process {
  readonly db: Database;
  readonly follower: Follower;
  readonly heard: Committed[];
}

describe.runIf(dialects.includes("postgresql"))("following the commits of other processes", () => {
  let database: { url: string; drop(): Promise<void> };
  let one: Process;
  let two: Process;
  let lost = 0;

  const join = async (): Promise<Process> => {
    const db = await connectTestDatabase(database.url, [Things, Others], Date.now, echo);
    const { log } = db.store;
    if (!log) throw new Error("PostgreSQL has a log");
    const heard: Committed[] = [];
    db.commits.onCommit((committed) => committed.remote && heard.push(committed));
    const onError = (error: unknown) => {
      throw error;
    };
    const follower = await Follower.open({
      log,
      commits: db.commits,
      reads: db.reads,
      clock: systemClock,
      onError,
      onLost: () => lost++,
    });
    return { db, follower, heard };
  };
  const set = ({ db }: Process, id: number, value: number) =>
    db.commits.submit({
      name: "set",
      locks: [lock(Things, id)],
      decide: (draft) => {
        draft.upsert(Things, { id, value });
        draft.publish(SAID, value);
        draft.publish(PRIVATE, value);
      },
    });

  beforeEach(async () => {
    database = await createTestDatabase("postgresql", [Things, Others]);
    [one, two] = [await join(), await join()];
    lost = 0;
  });
  afterEach(async () => {
    for (const { db, follower } of [one, two]) {
      await follower.stop();
      await db.close();
    }
    await database.drop();
  });

  test("rows of watched tables and facts that concern everybody arrive, others do not", async () => {
    await set(one, 1, 10);
    await one.db.commits.submit({
      name: "other",
      locks: [],
      decide: (draft) => draft.insert(Others, { id: 1, value: 1 }),
    });
    await two.follower.caughtUp();
    expect(two.heard).toEqual([
      {
        changes: [{ table: "things", id: 1, before: undefined, after: { id: 1, value: 10 } }],
        facts: expect.any(Facts),
        remote: true,
      },
    ]);
    expect(two.heard.map(({ facts }) => [facts.of(SAID), facts.has(PRIVATE)])).toEqual([[[10], false]]);
    await one.db.commits.submit({
      name: "delete",
      locks: [lock(Things, 1)],
      decide: (draft) => draft.delete(Things, 1),
    });
    await two.follower.caughtUp();
    expect(two.heard.at(-1)?.changes).toEqual([{ table: "things", id: 1, before: undefined, after: undefined }]);
    await one.follower.caughtUp();
    expect(one.heard, "its own commits are not news").toEqual([]);
    expect(lost).toBe(0);
  });

  test("what a newer version tells of tables that this one does not have concerns nobody here", async () => {
    const Later = entity(
      defineEntity({
        name: "Later",
        tableName: "later",
        properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
      }),
    );
    await addTable(database.url, Later);
    const tables = new Set(["things", "later"]);
    const facts = new Set(["said", "later"]);
    const newer = await connectTestDatabase(database.url, [Things, Later], Date.now, { tables, facts });
    try {
      await newer.commits.submit({
        name: "newer",
        locks: [],
        decide: (draft) => {
          draft.insert(Later, { id: 1, value: 1 });
          draft.insert(Things, { id: 1, value: 1 });
          draft.publish(defineFact("later", z.number()), 1);
        },
      });
      await two.follower.caughtUp();
      expect(two.heard.map(({ changes }) => changes)).toEqual([
        [{ table: "things", id: 1, before: undefined, after: { id: 1, value: 1 } }],
      ]);
    } finally {
      await newer.close();
    }
  });

  test("a hint is enough: nobody has to ask", async () => {
    const told = new Promise<Committed>((resolve) => two.db.commits.onCommit(resolve));
    await one.db.commits.tell("greet", new Facts().add(SAID, "hello"));
    expect((await told).facts.of(SAID)).toEqual(["hello"]);
  });

  test("whoever caught up knows everything that was answered before, with both writing at once", async () => {
    const known = new Map<Process, Map<number, number>>(
      [one, two].map((process) => [process, new Map<number, number>()]),
    );
    for (const process of [one, two]) {
      process.db.commits.onCommit(({ changes }) => {
        for (const { id, after } of changes) known.get(process)?.set(Number(id), Number(after?.["value"]));
      });
    }
    const answered = new Map<number, number>();
    let value = 0;
    const write = async (process: Process, other: Process) => {
      for (let round = 0; round < 60; round++) {
        const id = 1 + (round % 7);
        const mine = ++value;
        await process.db.commits.submit({
          name: "count",
          locks: [lock(Things, id)],
          decide: (draft) => draft.upsert(Things, { id, value: Math.max(mine, draft.find(Things, id)?.value ?? 0) }),
        });
        answered.set(id, Math.max(mine, answered.get(id) ?? 0));
        const before = new Map(answered);
        await other.follower.caughtUp();
        for (const [each, least] of before) expect(known.get(other)?.get(each)).toBeGreaterThanOrEqual(least);
      }
    };
    await Promise.all([write(one, two), write(two, one), write(one, two), write(two, one)]);
    await Promise.all([one.follower.caughtUp(), two.follower.caughtUp()]);
    expect(known.get(one)).toEqual(known.get(two));
    expect(Object.fromEntries(known.get(one) ?? [])).toEqual(Object.fromEntries(answered));
  });

  test("a commit that began before the last look and ended after it is not missed", async () => {
    const { db } = one;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    // A transaction that is open for long: its number is older than those of the commits that are read meanwhile.
    const slow = db.store.begin();
    await slow.load([lock(Things, 99)]);
    const late = held.then(() =>
      slow.finish({ purges: [], writes: [], statements: [] }, JSON.stringify({ rows: {}, facts: { said: ["late"] } })),
    );
    await set(one, 1, 1);
    await two.follower.caughtUp();
    await set(one, 1, 2);
    await two.follower.caughtUp();
    release();
    await late;
    await two.follower.caughtUp();
    await two.follower.caughtUp();
    expect(two.heard.flatMap(({ facts }) => facts.of(SAID))).toEqual([1, 2, "late"]);
  });

  test("notes are forgotten when they are old, and whoever may have missed some is told", async () => {
    const log = one.db.store.log;
    const reading = await log?.join();
    for (let value = 1; value <= 5; value++) await set(one, 1, value);
    await two.follower.caughtUp();
    const now = await log?.since(reading?.position ?? "");
    await log?.prune(now?.last ?? 0);
    await two.follower.caughtUp();
    expect(lost, "it had read them all").toBe(0);
    // The follower hears of each note by itself: of one that it reads before the pruning it misses nothing, and the
    // next is tried.
    const missed = () => lost > 0;
    for (let value = 6; !missed() && value < 100; value++) {
      await set(one, 1, value);
      const later = await log?.since(reading?.position ?? "");
      await log?.prune(later?.last ?? 0);
      await two.follower.caughtUp();
    }
    expect(lost, "a note was forgotten before it was read").toBe(1);
  });
});
