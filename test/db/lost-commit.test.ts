// A connection that ends around its COMMIT: what is on disk is found out, never guessed, never repeated blindly.
import { defineEntity, p } from "@mikro-orm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, lock, sql, StoreUnavailable, type Database } from "../../src/db/index.ts";
import { connectTestDatabase, dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { severingProxy, type SeveringProxy } from "./severing-proxy.ts";

const Counters = entity(
  defineEntity({
    name: "Counter",
    tableName: "counters",
    properties: { id: p.bigint("number").primary().autoincrement(false), value: p.bigint("number") },
  }),
);

describe.skipIf(!dialects.includes("postgresql"))("a lost connection to PostgreSQL", () => {
  let direct: TestDatabase;
  let proxy: SeveringProxy;
  let db: Database;
  beforeAll(async () => {
    direct = await openTestDatabase("postgresql", [Counters]);
    proxy = await severingProxy(direct.url);
    db = await connectTestDatabase(proxy.url, [Counters]);
  });
  afterAll(async () => {
    await db.close();
    await proxy.close();
    await direct.dispose();
  });

  const insert = (id: number) =>
    db.commits.submit({ name: "insert", locks: [], decide: (draft) => draft.insert(Counters, { id, value: 0 }) });
  const add = (id: number) =>
    db.commits.submit({
      name: "add",
      locks: [lock(Counters, id)],
      decide: (draft) => {
        const value = (draft.find(Counters, id)?.value ?? 0) + 1;
        draft.update(Counters, id, { value });
        return value;
      },
    });
  const valueOf = async (id: number) => (await direct.reads.find(Counters, id))?.value;

  test("the answer was lost but the change is on disk: it is answered as done, and done once", async () => {
    await insert(1);
    proxy.cut = "before the answer";
    expect(await Promise.all([add(1), add(1)])).toEqual([1, 2]);
    expect(proxy.cuts).toBe(1);
    expect(await valueOf(1)).toBe(2);
    expect(await add(1)).toBe(3);
  });

  test("the commit never arrived: the caller hears that nothing happened, and may ask again", async () => {
    await insert(2);
    proxy.cut = "before commit";
    await expect(add(2)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await valueOf(2)).toBe(0);
    expect(await add(2)).toBe(1);
  });

  test("a set-based change is settled the same way", async () => {
    await insert(3);
    const change = () =>
      db.commits.execute({
        name: "raise",
        statements: [db.reads.statement("raise", sql`update counters set value = value + 1 where id = 3`, 1)],
      });
    proxy.cut = "before the answer";
    expect((await change())[0]?.count).toBe(1);
    proxy.cut = "before commit";
    await expect(change()).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await valueOf(3)).toBe(1);
  });

  test("backends ended by the server, idle or at work, cost answers but never a half change nor the process", async () => {
    await insert(4);
    let done = 0;
    let failed = 0;
    for (let round = 0; round < 15; round++) {
      const asked = Array.from({ length: 40 }, () => add(4));
      const ended = direct.reads.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = '' and random() < 0.5`,
      );
      for (const result of await Promise.allSettled(asked)) {
        if (result.status === "fulfilled") done++;
        else {
          failed++;
          expect(result.reason).toBeInstanceOf(StoreUnavailable);
        }
      }
      await ended.catch((error: unknown) => expect(String(error)).toMatch(/terminat/));
    }
    expect(done + failed).toBe(600);
    expect(await valueOf(4)).toBe(done);
    expect(await add(4)).toBe(done + 1);
  });
});
