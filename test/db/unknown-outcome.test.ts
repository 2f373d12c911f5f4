// A commit of which the store does not say what became of it: its caller is told so, its rows stay held until it is
// known, and nobody who stops is kept by it.
import { defineEntity, p } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { Committer, entity, lock } from "../../src/db/index.ts";
import { OutcomeUnknown } from "../../src/db/errors.ts";
import { createOrm, tablesOf } from "../../src/db/orm.ts";
import type { Store } from "../../src/db/store.ts";

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

/** A store that loses every commit; `settled` says what became of them. */
function losing(settled: Promise<boolean>): Store & { finished: number } {
  const store = {
    dialect: "postgresql" as const,
    sessions: 4,
    exclusiveStatements: false,
    finished: 0,
    begin: () => ({
      load: async () => new Map(),
      finish: async () => {
        store.finished++;
        throw new OutcomeUnknown(settled);
      },
      abandon: async () => {},
    }),
    execute: async () => [],
    read: async () => [],
    reserve: async () => 1,
    ping: async () => {},
    close: async () => {},
  };
  return store;
}

async function committer(store: Store): Promise<Committer> {
  const orm = await createOrm({ dialect: "postgresql", target: "postgresql://unused.invalid/unused" }, [Counters]);
  const tables = tablesOf(orm, [Counters], "postgresql");
  await orm.close(true);
  const onListenerError = (error: unknown) => {
    throw error;
  };
  return new Committer(store, tables, { now: Date.now, onListenerError });
}

const write = (commits: Committer) =>
  commits.submit({
    name: "write",
    locks: [lock(Counters, 1)],
    decide: (draft) => {
      draft.upsert(Counters, { id: 1, value: 1 });
    },
  });

test("who waits for its rows goes on when it is known, and listeners hear of it then", async () => {
  const known = Promise.withResolvers<boolean>();
  const store = losing(known.promise);
  const commits = await committer(store);
  let heard = 0;
  commits.onCommit(() => heard++);
  await expect(write(commits)).rejects.toBeInstanceOf(OutcomeUnknown);
  const behind = write(commits);
  await new Promise((resolve) => setImmediate(resolve));
  expect([store.finished, heard]).toEqual([1, 0]);
  known.resolve(true);
  await expect(behind).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(store.finished).toBe(2);
  await expect.poll(() => heard).toBe(2);
});

test("a drain does not wait for what may never be known", async () => {
  const store = losing(new Promise(() => {}));
  const commits = await committer(store);
  await expect(write(commits)).rejects.toBeInstanceOf(OutcomeUnknown);
  const behind = expect(write(commits)).rejects.toBeInstanceOf(OutcomeUnknown);
  await commits.drain();
  await behind;
  expect(store.finished).toBe(2);
});
