// Commits whose answer comes late: what was committed is on disk and others go on from it, yet this process does not
// know. Order and news stay right.
import { defineEntity, p } from "@mikro-orm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Committer, entity, Facts, lock, type Draft, type RowOf } from "../../src/db/index.ts";
import { StoreContention } from "../../src/db/errors.ts";
import { createOrm, tablesOf } from "../../src/db/orm.ts";
import type { Store, WriteSet } from "../../src/db/store.ts";
import type { Row, Tables } from "../../src/db/table.ts";

const Things = entity(
  defineEntity({
    name: "Thing",
    tableName: "things",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);
type Thing = RowOf<typeof Things>;

/** A store of one table in memory; `answer` holds back or refuses what `finish` says after it has written. */
class Memory implements Store {
  readonly dialect = "sqlite";
  readonly sessions = 2;
  readonly exclusiveStatements = false;
  readonly rows = new Map<string, Row>();
  readonly loads: string[][] = [];
  before: () => Promise<void> = async () => {};
  answer: () => Promise<void> = async () => {};
  #next = 1;

  begin(): ReturnType<Store["begin"]> {
    return {
      load: async (locks) => {
        this.loads.push(locks.map(({ key }) => key));
        return new Map(locks.map(({ key }) => [key, this.rows.get(key) ?? null]));
      },
      finish: async (writes) => {
        await this.before();
        this.#write(writes);
        await this.answer();
      },
      abandon: async () => {},
    };
  }

  async execute(): Promise<never[]> {
    return [];
  }

  async read(): Promise<Row[]> {
    return [...this.rows.values()];
  }

  async reserve(_sequence: string, count: number): Promise<number> {
    const first = this.#next;
    this.#next += count;
    return first;
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #write({ writes }: WriteSet): void {
    for (const write of writes) {
      if (write.op === "insert" || write.op === "upsert") this.rows.set(write.key, write.row);
      else if (write.op === "update") this.rows.set(write.key, { ...this.rows.get(write.key), ...write.patch });
      else if (write.op === "delete") this.rows.delete(write.key);
    }
  }
}

describe("commits whose answer comes late", () => {
  let tables: Tables;
  let store: Memory;
  let commits: Committer;
  let heard: (number | undefined)[];
  let release: () => void;

  beforeEach(async () => {
    const orm = await createOrm({ dialect: "sqlite", target: ":memory:" }, [Things]);
    tables = tablesOf(orm, [Things], "sqlite");
    await orm.close(true);
    store = new Memory();
    heard = [];
    release = () => {};
    commits = new Committer(store, tables, {
      now: () => 0,
      // Nobody waits for a batch to grow.
      clock: {
        now: () => 0,
        after(_ms, wake) {
          const immediate = setImmediate(wake);
          return () => clearImmediate(immediate);
        },
      },
      onListenerError: (error) => {
        throw error;
      },
    });
    commits.onCommit(({ changes }) => {
      for (const { after } of changes) heard.push(after?.["value"] as number | undefined);
    });
  });
  afterEach(async () => {
    release();
    await commits.drain();
  });

  const set = (value: number) =>
    commits.submit({
      name: "set",
      locks: [lock(Things, 1)],
      decide: (draft) => draft.update(Things, 1, { value }).value,
    });
  /** From now on what is written is on disk at once, and its answer comes with `release`. */
  const holdBack = (): Promise<void> =>
    new Promise((written) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      release = resolve;
      store.answer = async () => {
        store.answer = async () => {};
        written();
        await promise;
      };
    });

  test("nobody goes on from a row that was just made before its making is announced", async () => {
    const written = holdBack();
    const made = commits.submit({
      name: "make",
      locks: [],
      decide: (draft) => draft.insert(Things, { id: 1, value: 1 } satisfies Thing),
    });
    await written;
    const changed = set(2);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(store.loads).toEqual([[]]);
    release();
    await Promise.all([made, changed]);
    expect(heard).toEqual([1, 2]);
  });

  test("another process's later change, heard before the answer, is not followed by the older row", async () => {
    store.rows.set("things:1", { id: 1, value: 0 });
    const written = holdBack();
    const changed = set(1);
    await written;
    store.rows.set("things:1", { id: 1, value: 2 });
    commits.announce({
      changes: [{ table: "things", id: 1, before: undefined, after: { id: 1, value: 2 } }],
      facts: new Facts(),
      remote: true,
    });
    release();
    expect(await changed).toBe(1);
    expect(heard).toEqual([2, 2]);
  });

  test("units of a batch that gave way keep their order where one of them had run out of ids", async () => {
    store.rows.set("things:1", { id: 1, value: 0 });
    let refusals = 1;
    store.before = async () => {
      if (refusals-- > 0) throw new StoreContention("gave way");
    };
    const order: number[] = [];
    const take = async (name: number, ids: number) => {
      const done = await commits.submit({
        name: "take",
        locks: [lock(Things, 1)],
        decide(draft: Draft) {
          for (let taken = 0; taken < ids; taken++) draft.nextId("numbers");
          draft.update(Things, 1, { value: name });
          return name;
        },
      });
      order.push(done);
    };
    // The first block has 64: it lasts for the first two, and after they were refused for none of them.
    await take(0, 1);
    order.length = 0;
    refusals = 1;
    await Promise.all([take(1, 40), take(2, 20), take(3, 20)]);
    expect(order).toEqual([1, 2, 3]);
    expect(store.rows.get("things:1")).toMatchObject({ value: 3 });
  });
});
