// Somebody who falls silent without a word: a server that vanished, or another panel process that vanished while it
// held rows. Neither is waited for without end.
import { defineEntity, p } from "@mikro-orm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, lock, StoreUnavailable } from "../../src/db/index.ts";
import { PostgresStore } from "../../src/db/postgresql/store.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { severingProxy, type SeveringProxy } from "./severing-proxy.ts";

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

describe.skipIf(!dialects.includes("postgresql"))("silence on PostgreSQL", () => {
  let db: TestDatabase;
  let proxy: SeveringProxy;
  let store: PostgresStore;
  beforeAll(async () => {
    db = await openTestDatabase("postgresql", [Counters]);
    proxy = await severingProxy(db.url);
    store = new PostgresStore(proxy.url, db.tables, db.boot, { answerMs: 400, idleMs: 400 });
    await db.commits.submit({
      name: "insert",
      locks: [],
      decide: (draft) => draft.insert(Counters, { id: 1, value: 0 }),
    });
  });
  afterAll(async () => {
    await proxy.close();
    await store.close();
    await db.dispose();
  });

  test("a process that vanished with rows locked does not keep them", async () => {
    const vanished = store.begin();
    await vanished.load([lock(Counters, 1)]);
    proxy.silent = true;
    const value = await db.commits.submit({
      name: "add",
      locks: [lock(Counters, 1)],
      decide: (draft) => draft.update(Counters, 1, { value: (draft.find(Counters, 1)?.value ?? 0) + 1 }).value,
    });
    expect(value).toBe(1);
    proxy.silent = false;
    await vanished.abandon();
  });

  test("a server that vanished is said to be away, to reads and to changes, and found again", async () => {
    const before = store.begin();
    await before.load([lock(Counters, 1)]);
    await before.abandon();
    await store.ping();
    proxy.silent = true;
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailable);
    const session = store.begin();
    await expect(session.load([lock(Counters, 1)])).rejects.toBeInstanceOf(StoreUnavailable);
    await session.abandon();
    proxy.silent = false;
    await store.ping();
  });
});
