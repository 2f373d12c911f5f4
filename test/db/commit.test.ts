// Group commit: what a unit sees, how batches fail, and which unit waits for which, on both databases.
import { defineEntity, p } from "@mikro-orm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entity, ExpectationFailed, lock, sql, StoreUnavailable, UniqueConflict } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const Accounts = entity(
  defineEntity({
    name: "Account",
    tableName: "accounts",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      balance: p.bigint("number"),
      open: p.boolean(),
      labels: p.json<string[]>(),
      note: p.text().nullable(),
    },
  }),
);

describe.each(dialects)("commits on %s", (dialect) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase(dialect, [Accounts]);
  });
  afterAll(() => db.dispose());

  const open = (name: string, balance = 0) =>
    db.commits.submit({
      name: "open",
      locks: [],
      decide(draft) {
        const id = draft.nextId("accounts");
        draft.insert(Accounts, { id, name, balance, open: true, labels: ["new", "ü"], note: null });
        return id;
      },
    });
  const add = (id: number, amount: number) =>
    db.commits.submit({
      name: "add",
      locks: [lock(Accounts, id)],
      decide(draft) {
        const account = draft.find(Accounts, id);
        if (!account) throw new Error("no such account");
        draft.update(Accounts, id, { balance: account.balance + amount });
        return account.balance + amount;
      },
    });

  test("a row reads back as it was written", async () => {
    const id = await open("round trip", 2 ** 53 - 1);
    expect(await db.reads.find(Accounts, id)).toEqual({
      id,
      name: "round trip",
      balance: 2 ** 53 - 1,
      open: true,
      labels: ["new", "ü"],
      note: null,
    });
  });

  test("units on one row run in the order of their submission, each seeing the one before", async () => {
    const id = await open("order");
    const answers = await Promise.all(Array.from({ length: 2000 }, () => add(id, 1)));
    expect(answers).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
    expect((await db.reads.find(Accounts, id))?.balance).toBe(2000);
  });

  test("a duplicate fails alone and names its column; its neighbours in the batch hold", async () => {
    await open("taken");
    const results = await Promise.allSettled([open("left"), open("taken"), open("right")]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const refused = results[1];
    expect(refused?.status === "rejected" && refused.reason).toBeInstanceOf(UniqueConflict);
    expect(refused?.status === "rejected" && refused.reason).toMatchObject({ table: "accounts", columns: ["name"] });
    const names = await db.reads.query<{ name: string }>(
      sql`select name from accounts where name in ('left', 'right')`,
    );
    expect(names).toHaveLength(2);
  });

  test("a unit that throws changes nothing, and later units of the batch do not see it", async () => {
    const id = await open("thrower", 5);
    const failing = db.commits.submit({
      name: "fail",
      locks: [lock(Accounts, id)],
      decide(draft) {
        draft.update(Accounts, id, { balance: 99 });
        throw new RangeError("refused");
      },
    });
    const after = add(id, 1);
    await expect(failing).rejects.toThrow("refused");
    expect(await after).toBe(6);
  });

  test("locks asked for while deciding are taken, and order on the row is kept", async () => {
    const [a, b] = await Promise.all([open("wide a", 10), open("wide b", 0)]);
    const transfer = db.commits.submit({
      name: "transfer",
      locks: [lock(Accounts, a)],
      decide(draft) {
        const from = draft.find(Accounts, a);
        const to = draft.find(Accounts, b);
        if (!from || !to) throw new Error("missing");
        draft.update(Accounts, a, { balance: 0 });
        draft.update(Accounts, b, { balance: to.balance + from.balance });
        return from.balance;
      },
    });
    const later = add(a, 7);
    expect(await transfer).toBe(10);
    expect(await later).toBe(7);
    expect((await db.reads.find(Accounts, b))?.balance).toBe(10);
  });

  test("insert, change and delete within one batch leave what the last one says", async () => {
    const id = await db.commits.submit({
      name: "all at once",
      locks: [],
      decide(draft) {
        const created = draft.nextId("accounts");
        draft.insert(Accounts, { id: created, name: "brief", balance: 1, open: true, labels: [], note: "x" });
        draft.update(Accounts, created, { open: false, note: null });
        return created;
      },
    });
    expect(await db.reads.find(Accounts, id)).toMatchObject({ open: false, note: null, balance: 1 });
    await db.commits.submit({
      name: "replace",
      locks: [lock(Accounts, id)],
      decide(draft) {
        draft.delete(Accounts, id);
        expect(draft.find(Accounts, id)).toBeUndefined();
        draft.insert(Accounts, { id, name: "brief", balance: 2, open: true, labels: [], note: null });
      },
    });
    expect((await db.reads.find(Accounts, id))?.balance).toBe(2);
  });

  test("listeners hear of rows before and after, and before the caller does", async () => {
    const id = await open("heard", 1);
    const heard: unknown[] = [];
    const stop = db.commits.onCommit((committed) =>
      heard.push(...committed.changes.map((change) => [change.before?.["balance"], change.after?.["balance"]])),
    );
    await add(id, 4);
    expect(heard).toEqual([[1, 5]]);
    stop();
  });

  test("a set-based change that touches another number of rows than it must is undone whole", async () => {
    const id = await open("set", 1);
    const change = db.commits.execute({
      name: "set",
      statements: [
        db.reads.statement("raise", sql`update accounts set balance = balance + 1 where id = ${id}`, 1),
        db.reads.statement("guard", sql`update accounts set balance = 0 where id = ${-1}`, 1),
      ],
    });
    await expect(change).rejects.toBeInstanceOf(ExpectationFailed);
    expect((await db.reads.find(Accounts, id))?.balance).toBe(1);
  });

  test("a hundred units over ten rows from two sides never lose an update", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => open(`many ${index}`)));
    const pairs = Array.from(
      { length: 300 },
      (_, index) => [ids[index % 10] ?? 0, ids[(index * 7 + 3) % 10] ?? 0] as const,
    );
    await Promise.all(
      pairs.map(([a, b]) =>
        db.commits.submit({
          name: "both",
          locks: [lock(Accounts, a), lock(Accounts, b)],
          decide(draft) {
            for (const id of new Set([a, b])) {
              const account = draft.find(Accounts, id);
              if (account) draft.update(Accounts, id, { balance: account.balance + 1 });
            }
          },
        }),
      ),
    );
    const rows = await db.reads.query<{ total: number }>(
      sql`select sum(balance) as total from accounts where name like 'many %'`,
    );
    expect(rows[0]?.total).toBe(pairs.reduce((sum, [a, b]) => sum + new Set([a, b]).size, 0));
  });

  test("searching without regard to case knows more than ASCII", async () => {
    await open("ÜBER Москва");
    const found = await db.reads.query<{ name: string }>(
      sql`select name from accounts where lower(name) like ${"%über москва%"}`,
    );
    expect(found).toEqual([{ name: "ÜBER Москва" }]);
  });

  test("after drain nothing is accepted", async () => {
    const other = await openTestDatabase(dialect, [Accounts]);
    await other.dispose();
    await expect(other.commits.submit({ name: "late", locks: [], decide: () => 1 })).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
  });
});
