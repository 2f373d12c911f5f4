// Set-based changes of a store with one writer: those of rows that batches lock wait until none runs, others do not.
import { defineEntity, p } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { Committer, entity, lock } from "../../src/db/index.ts";
import { createOrm, tablesOf } from "../../src/db/orm.ts";
import type { Store } from "../../src/db/store.ts";

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

test("a change of unlocked rows runs beside a batch, any other after it", async () => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const store: Store = {
    dialect: "sqlite",
    sessions: 3,
    exclusiveStatements: true,
    begin: () => ({
      load: async () => new Map(),
      finish: async () => {
        begun.resolve();
        await written.promise;
        order.push("batch");
      },
      abandon: async () => {},
    }),
    execute: async (statements) => {
      order.push((typeof statements === "function" ? statements() : statements)[0]?.text ?? "");
      return [];
    },
    read: async () => [],
    reserve: async () => 1,
    ping: async () => {},
    close: async () => {},
  };
  const orm = await createOrm({ dialect: "sqlite", target: "unused.db" }, [Counters]);
  const tables = tablesOf(orm, [Counters], "sqlite");
  await orm.close(true);
  const onListenerError = (error: unknown) => {
    throw error;
  };
  const commits = new Committer(store, tables, { now: () => 0, onListenerError });
  const batch = commits.submit({
    name: "write",
    locks: [lock(Counters, 1)],
    decide: (draft) => draft.upsert(Counters, { id: 1, value: 1 }),
  });
  await begun.promise;
  const set = (text: string) => ({ name: text, statements: [{ text, values: [], label: text }] });
  const locked = commits.execute(set("locked"));
  await commits.execute({ ...set("unlocked"), unlocked: true });
  expect(order).toEqual(["unlocked"]);
  written.resolve();
  await Promise.all([batch, locked]);
  expect(order).toEqual(["unlocked", "batch", "locked"]);
  await commits.drain();
});
