// A link is one account's, living or lately ended, and that it is taken is told at the price of a credential: whoever
// finds the link of another account may fetch its servers and credentials.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forgetKept } from "../../src/accounts/deleted/forgetting.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { DAY, TestPanel, type Answer } from "./panel.ts";
import { reseller } from "./resellers.ts";

interface Account {
  readonly id: number;
  readonly name: string;
  readonly subId: string;
  readonly subToken: string;
}

const LIMIT = 1000;

describe.each(dialects)("links of accounts on %s", (dialect) => {
  let panel: TestPanel;
  let serial = 0;
  const made = (body: object = {}, by?: string): Promise<Account> =>
    panel.ok("POST", "/users", { name: `user-${++serial}`, ...body }, by);
  const rotated = async (account: Account) => {
    await panel.ok("POST", `/users/${account.id}/sub/rotate`, {});
    return account;
  };
  const deleted = async (account: Account) => {
    await panel.ok("DELETE", `/users/${account.id}`);
    return account;
  };

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    while (!(await panel.credentialEntry.step()));
    await reseller(panel, 31);
  });
  afterAll(() => panel.dispose());

  /** The keys that open, or lately opened, another account's subscription. */
  const KEYS: Readonly<Record<string, () => Promise<string>>> = {
    "another's chosen subId": async () => (await made({ subId: `chosen-${++serial}` })).subId,
    "another's drawn subId": async () => (await made()).subId,
    "another's subToken": async () => (await made()).subToken,
    "a rotated subId": async () => (await rotated(await made())).subId,
    "a rotated subToken": async () => (await rotated(await made())).subToken,
    "a subId that PATCH replaced": async () => {
      const { id, subId } = await made();
      await panel.ok("PATCH", `/users/${id}`, { subId: `after-${id}` });
      return subId;
    },
    "a subId that PUT replaced": async () => {
      const { id, name, subId } = await made();
      await panel.ok("PUT", `/users/${id}`, { name, subId: `after-${id}` });
      return subId;
    },
    "a deleted account's subId": async () => (await deleted(await made())).subId,
    "a deleted account's subToken": async () => (await deleted(await made())).subToken,
    "a former subId of a deleted account": async () => (await deleted(await rotated(await made()))).subId,
    "the subId of one that is forgotten for ever": async () => {
      const { id, subId } = await deleted(await made());
      await panel.ok("DELETE", `/users/deleted/${id}`);
      return subId;
    },
  };

  type Way = (subId: string, by: string) => Promise<Answer>;
  /** Every request of one account's, or some accounts', writing that names a link. Imports are in `test/jobs`. */
  const WAYS: Readonly<Record<string, Way>> = {
    "POST /users": (subId, by) => panel.call("POST", "/users", { name: `new-${++serial}`, subId }, by),
    "POST /users beside a reference that is taken": async (subId, by) => {
      const externalId = `shop-${++serial}`;
      await made({ externalId });
      return panel.call("POST", "/users", { name: `new-${++serial}`, subId, externalId }, by);
    },
    PATCH: async (subId, by) => panel.call("PATCH", `/users/${(await made({}, by)).id}`, { subId }, by),
    PUT: async (subId, by) => {
      const { id, name } = await made({}, by);
      return panel.call("PUT", `/users/${id}`, { name, subId }, by);
    },
    restore: async (subId, by) => {
      const { id } = await deleted(await made({}, by));
      return panel.call("POST", `/users/${id}/restore`, { subId }, by);
    },
    "POST /users/batch": (subId, by) =>
      panel.call("POST", "/users/batch", { users: [{ name: `new-${++serial}`, subId }] }, by),
  };

  /** What a request uses of the budget of a token that sees its own accounts alone. */
  async function costOf(way: Way, subId: string): Promise<{ readonly answer: Answer; readonly cost: number }> {
    const by = `seller-${++serial}`;
    panel.reseller(by, 31, undefined, LIMIT);
    const remaining = async () =>
      Number((await panel.call("GET", "/plans", undefined, by)).headers["x-ratelimit-remaining"]);
    const answer = await way(subId, by);
    return { answer, cost: LIMIT - (await remaining()) - 1 };
  }

  // rules users.link.1, users.link.2, users.link.3
  test.each(Object.keys(KEYS))("%s is refused in every way of writing, for ten requests", async (kind) => {
    for (const [name, way] of Object.entries(WAYS)) {
      const key = (await KEYS[kind]?.()) ?? "";
      const free = await costOf(way, `free-${++serial}`);
      const { answer, cost } = await costOf(way, key);
      if (name.includes("batch")) {
        expect(answer.body, name).toEqual({
          created: [],
          problems: [{ index: 0, error: "subId: the value is taken" }],
        });
      } else {
        const { status, body } = answer;
        expect([status, body.code, body.field], name).toEqual([name === "restore" ? 409 : 400, "duplicate", "subId"]);
      }
      expect(cost - free.cost, name).toBe(9);
      expect(JSON.stringify(answer.body)).not.toContain(key);
    }
  });

  // rule users.link.1
  test("what is no key is told like a name: for one request", async () => {
    const externalId = `shop-${++serial}`;
    await made({ externalId });
    const { answer, cost } = await costOf(
      (_, by) => panel.call("POST", "/users", { name: `new-${++serial}`, externalId }, by),
      "",
    );
    expect([answer.body.field, cost]).toEqual(["externalId", 1]);
  });

  // rule users.link.2
  test("sessions are told of twelve a minute, in whatever way and however many ask at once", async () => {
    panel.session("browser", 91);
    const { subId } = await made();
    const own = await made();
    const ways = [
      () => panel.call("POST", "/users", { name: `new-${++serial}`, subId }, "browser"),
      () => panel.call("PATCH", `/users/${own.id}`, { subId }, "browser"),
      () => panel.call("PUT", `/users/${own.id}`, { name: own.name, subId }, "browser"),
    ];
    const answers = await Promise.all(Array.from({ length: 10 }, () => ways.map((way) => way())).flat());
    const statuses = answers.map(({ status }) => status);
    const told = statuses.filter((status) => status === 400).length;
    // Some that are charged at the same moment may share what is left, and are told nothing then.
    expect([told > 0, told <= 12]).toEqual([true, true]);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30 - told);
    // What names the link that it has is no guess, and neither is a body without one.
    expect((await panel.call("PATCH", `/users/${own.id}`, { subId: own.subId, desc: "x" }, "browser")).status).toBe(
      200,
    );
    expect((await panel.call("PATCH", `/users/${own.id}`, { subId: `more-${++serial}` }, "browser")).status).toBe(429);
    await panel.advance(60);
    expect((await panel.call("PATCH", `/users/${own.id}`, { subId: `more-${++serial}` }, "browser")).status).toBe(200);
  });

  // rule users.link.2
  test("a batch pays for all of them before anybody is made", async () => {
    panel.token("small", 92, 60);
    const keys = await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => (await made())[n % 2 ? "subId" : "subToken"]));
    const users = keys.map((subId) => ({ name: `batch-${++serial}`, subId }));
    const first = `rides-${++serial}`;
    const answer = await panel.call("POST", "/users/batch", { users: [{ name: first }, ...users] }, "small");
    expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([200, "0"]);
    expect(answer.body.problems).toHaveLength(6);
    await panel.advance(60);
    const more = [...users, { name: `batch-${++serial}`, subId: keys[0] }];
    expect((await panel.call("POST", "/users/batch", { users: more }, "small")).status).toBe(429);
  });

  // rule users.link.4
  test("an account has its own again: by PATCH, and when it comes back", async () => {
    const account = await rotated(await made({ subId: `own-${++serial}` }));
    expect((await panel.ok("PATCH", `/users/${account.id}`, { subId: account.subId })).subId).toBe(account.subId);
    const before = await panel.ok("GET", `/users/${account.id}`);
    await deleted(account);
    for (const subId of [before.subId, before.subToken])
      expect((await panel.call("POST", "/users", { name: `thief-${++serial}`, subId })).status).toBe(400);
    expect((await panel.ok("GET", `/users/deleted/${account.id}`)).taken).toEqual([]);
    const back = await panel.ok("POST", `/users/${account.id}/restore`, {});
    expect([back.subId, back.subToken]).toEqual([before.subId, before.subToken]);
    // Also one that it had before the last, in place of the last.
    const third = await panel.ok("PATCH", `/users/${account.id}`, { subId: `third-${account.id}` });
    await deleted(third);
    expect((await panel.ok("POST", `/users/${account.id}/restore`, { subId: account.subId })).subId).toBe(
      account.subId,
    );
  });

  // rule users.link.3
  test("an ended link is kept by hash, for as long as deleted accounts are", async () => {
    const account = await rotated(await made({ subId: `kept-${++serial}` }));
    const rows = () =>
      panel.database.reads.query<{ id: string }>(sql`select id from ended_links where user_id = ${account.id}`);
    const hashes = [account.subId, account.subToken].map((key) =>
      createHash("sha256").update(key).digest("base64url").slice(0, 22),
    );
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(hashes.toSorted());
    const take = () => panel.call("POST", "/users", { name: `next-${++serial}`, subId: account.subId });
    const forget = async (days: number) => {
      const { commits, reads } = panel.database;
      await forgetKept({ commits, reads }, Math.floor(panel.clock.now() / 1000), days);
    };
    await panel.advance(7 * DAY - 1);
    await forget(7);
    expect((await take()).status).toBe(400);
    expect(await rows()).toHaveLength(2);
    panel.settings.set("deleted_retention_days", "8");
    await panel.advance(1);
    expect((await take()).status).toBe(400);
    panel.settings.set("deleted_retention_days", "7");
    // Free at its second, whenever the row goes.
    const { status, body } = await take();
    expect(status).toBe(200);
    await forget(7);
    expect(await rows()).toEqual([]);
    panel.settings.set("deleted_retention_days", "0");
    await panel.ok("DELETE", `/users/${body.id}`);
    expect((await take()).status).toBe(200);
    panel.settings.delete("deleted_retention_days");
  });

  // rule users.link.1
  test("of many that ask for one at once one gets it, whoever ended it meanwhile", async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => made()));
    const subId = `wanted-${++serial}`;
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => panel.call("POST", "/users", { name: `many-${++serial}`, subId })),
      ...others.map(({ id }) => panel.call("PATCH", `/users/${id}`, { subId })),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code, body.field]).toEqual([400, "duplicate", "subId"]);
    const holder = answers.find(({ status }) => status === 200)?.body;
    const [, ...late] = await Promise.all([
      panel.ok("POST", `/users/${holder.id}/sub/rotate`, {}),
      ...others.map(({ id }) => panel.call("PATCH", `/users/${id}`, { subId })),
    ]);
    for (const { status } of late.filter((_, at) => others[at]?.id !== holder.id)) expect(status).toBe(400);
  });

  // rule users.link.5
  test("what a deleted account would have again is told a reseller by a refusal alone", async () => {
    const subId = `again-${++serial}`;
    const config = { password: `again ${++serial}` };
    const { id } = await deleted(await made({ subId, config, adminId: 31 }));
    // As an account that was deleted by a version that kept no ended links.
    await panel.database.commits.execute({
      name: "older",
      statements: [panel.database.reads.statement("links", sql`delete from ended_links`)],
    });
    await made({ subId, config });
    panel.reseller("owner-31", 31);
    expect((await panel.ok("GET", `/users/deleted/${id}`)).taken).toEqual(["subId", "config.password"]);
    expect((await panel.ok("GET", `/users/deleted/${id}`, undefined, "owner-31")).taken).toEqual([]);
    for (const [body, field] of [
      [{}, "subId"],
      [{ subId: `other-${++serial}` }, "config.password"],
    ] as const) {
      const { answer, cost } = await costOf((_, by) => panel.call("POST", `/users/${id}/restore`, body, by), "");
      expect([answer.status, answer.body.field, cost]).toEqual([409, field, 10]);
    }
  });

  // rule users.link.1
  test("nobody finds another's link by the filters and the search of a list", async () => {
    const other = await made({ subId: `Searched-${++serial}` });
    panel.reseller("owner-31", 31);
    for (const query of [`subId=${other.subId}`, `q=${other.subId}`, `q=${other.subToken}`])
      for (const path of [`/users?${query}`, `/users/deleted?${query.replace("subId=", "q=")}`])
        expect(await panel.ok("GET", path, undefined, "owner-31"), path).toMatchObject({ items: [], total: 0 });
  });
});
