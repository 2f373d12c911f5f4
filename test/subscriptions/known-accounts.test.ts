// Accounts that are kept in memory for clients that poll: what any commit changes is in the next answer.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KnownAccounts } from "../../src/subscriptions/delivery/known-accounts.ts";
import { ACCOUNTS_COUNTED, servedAccounts } from "../../src/accounts/serving/served-accounts.ts";
import { Facts, sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { START, TestPanel } from "../accounts/panel.ts";

describe.each(dialects)("accounts of subscriptions on %s", (dialect) => {
  let panel: TestPanel;
  let accounts: KnownAccounts<object>;

  beforeEach(async () => {
    panel = await TestPanel.open(dialect);
    accounts = new KnownAccounts(panel.database.reads, panel.database.commits);
  });
  afterEach(async () => {
    accounts.stop();
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });
  const usageOf = async (key: string) => (await accounts.find(key))?.state.usage.up;

  // rule subscriptions.entry.8
  test("what changes an account, its counters or its devices is known to the next request", async () => {
    const { reads, commits } = panel.database;
    const ali = await panel.ok("POST", "/users", { name: "ali" });
    const bob = await panel.ok("POST", "/users", { name: "bob" });
    const known = await accounts.find(ali.subId);
    const other = await accounts.find(bob.subId);
    expect(known?.state.row.name).toBe("ali");
    expect((await accounts.find(ali.subId)) === known).toBe(dialect === "sqlite");

    await panel.ok("PATCH", `/users/${ali.id}`, { remark: "new" });
    expect((await accounts.find(ali.subId))?.state.row.remark).toBe("new");
    expect((await accounts.find(bob.subId)) === other, "others stay").toBe(dialect === "sqlite");

    const sum = { id: ali.id, up: 70, down: 0, upRest: 0, downRest: 0, at: START, inbound: 0 };
    const { countUsers, countedFact } = servedAccounts.counting;
    await commits.execute({
      name: "usage",
      statements: () => countUsers(reads, [sum], START * 1000, START * 1_000_000, true),
      facts: new Facts().add(countedFact, [ali.id]),
    });
    expect(await usageOf(ali.subId)).toBe(70);
    expect((await accounts.find(bob.subId)) === other, "others stay").toBe(dialect === "sqlite");

    // Nobody says whose counters these are.
    await commits.execute({
      name: "all",
      statements: [reads.statement("all", sql`update user_usage set up = up + 1`)],
    });
    expect([await usageOf(ali.subId), await usageOf(bob.subId)]).toEqual([71, 1]);

    // A statement of a command's own transaction.
    await commits.submit({
      name: "altered",
      locks: [],
      decide: (draft) => draft.alter(reads.statement("altered", sql`update users set remark = 'altered'`)),
    });
    expect((await accounts.find(ali.subId))?.state.row.remark).toBe("altered");

    const found = await accounts.find(ali.subId);
    expect(found && (await accounts.devicesOf(found))).toBeUndefined();
    await panel
      .subscriptionPlaces()
      .admit(
        found?.state.row ?? expect.fail(),
        { hwid: "one", platform: "", osVersion: "", model: "", userAgent: "", ip: "" },
        true,
      );
    const again = await accounts.find(ali.subId);
    expect(again && (await accounts.devicesOf(again))?.devices).toHaveLength(1);
  });

  test("a key that becomes another account's, and one of nobody", async () => {
    const ali = await panel.ok("POST", "/users", { name: "ali", subId: "first" });
    const bob = await panel.ok("POST", "/users", { name: "bob", subId: "second" });
    expect((await accounts.find("first"))?.state.row.id).toBe(ali.id);
    expect(await accounts.find("third")).toBeUndefined();
    // Links that end are free at once.
    panel.settings.set("deleted_retention_days", "0");
    await panel.ok("PATCH", `/users/${ali.id}`, { subId: "third" });
    await panel.ok("PATCH", `/users/${bob.id}`, { subId: "first" });
    panel.settings.delete("deleted_retention_days");
    expect((await accounts.find("first"))?.state.row.id).toBe(bob.id);
    expect((await accounts.find("third"))?.state.row.id).toBe(ali.id);
    expect((await accounts.find(ali.subToken))?.state.row.id).toBe(ali.id);
    await panel.call("DELETE", `/users/${ali.id}`);
    expect([await accounts.find("third"), await accounts.find(ali.subToken)]).toEqual([undefined, undefined]);
  });

  test("a commit that ends while an account is read is not overlooked", async () => {
    const { reads, commits } = panel.database;
    const ali = await panel.ok("POST", "/users", { name: "ali" });
    const reading = accounts.find(ali.subId);
    commits.announce({ changes: [], facts: new Facts(), statements: ["update users set name = 'x'"] });
    const before = await reading;
    await commits.execute({
      name: "name",
      statements: [reads.statement("name", sql`update users set name = 'x' where id = ${ali.id}`)],
      facts: new Facts().add(ACCOUNTS_COUNTED, []),
    });
    expect((await accounts.find(ali.subId)) === before).toBe(false);
    expect((await accounts.find(ali.subId))?.state.row.name).toBe("x");
  });

  test("memory is bounded", async () => {
    accounts.stop();
    const kept = dialect === "sqlite";
    const { reads, commits } = panel.database;
    accounts = new KnownAccounts(reads, commits, { accounts: 2000, answers: 7000 });
    const keys: string[] = [];
    for (const name of ["a", "b", "c"]) keys.push((await panel.ok("POST", "/users", { name })).subId);
    for (const key of keys) await accounts.find(key);
    expect(accounts.count.accounts).toBe(kept ? 2 : 0);
    // Answers have room of their own: what goes is made again, and its account stays.
    const [before, last] = [await accounts.find(keys[1] ?? ""), await accounts.find(keys[2] ?? "")];
    if (!before || !last) return expect.unreachable();
    accounts.keep(before, "links", { made: "first" }, 4000);
    accounts.keep(last, "clash", { made: "second" }, 4000);
    accounts.keep(last, "links", { made: "later" }, 3000);
    expect(accounts.answerOf(last, "links")).toEqual(kept ? { made: "later" } : undefined);
    expect(accounts.answerOf(before, "links")).toBeUndefined();
    expect(accounts.count).toEqual(kept ? { accounts: 2, answers: 2 } : { accounts: 0, answers: 0 });
    // An answer goes with its account.
    await panel.ok("PATCH", `/users/${last.state.row.id}`, { remark: "new" });
    expect(accounts.count).toEqual(kept ? { accounts: 1, answers: 0 } : { accounts: 0, answers: 0 });
  });
});
