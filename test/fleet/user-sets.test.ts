// Users' digests in memory: equal to what an agent computes from what it holds, through every kind of change, and when
// the first read races with commits.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineEntity, p } from "@mikro-orm/core";
import { defineFact, entity, lock, sql } from "../../src/db/index.ts";
import type { ServedChange } from "../../src/fleet/desired/gathered-changes.ts";
import {
  planUserOf,
  servableById,
  servableLimited,
  servableOfOwner,
  servablePage,
  type ServableUser,
} from "../../src/fleet/desired/servable-user.ts";
import { TemplateRows } from "../../src/pool/index.ts";
import { UserSets } from "../../src/fleet/desired/user-sets.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { bucketOf, digestBuckets, digestUser, formatBucket } from "../../src/protocol/digest.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const PART = defineFact<boolean>("test.part");

const Users = entity(
  defineEntity({
    name: "User",
    tableName: "users",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      enable: p.boolean(),
      adminId: p.bigint("number"),
      config: p.json<{ uuid: string; password: string; ss16: string; ss32: string }>(),
      speedLimit: p.bigint("number"),
      ipLimit: p.bigint("number"),
      allTemplates: p.boolean(),
      templateIds: p.json<number[]>(),
      inboundIds: p.json<number[]>().nullable(),
    },
  }),
);

const Owners = entity(
  defineEntity({
    name: "Owner",
    tableName: "owners",
    properties: { id: p.bigint("number").primary().autoincrement(false), withheld: p.boolean() },
  }),
);

/** Inbounds of templates. */
type Carried = ReadonlyMap<number, readonly number[]>;

/** Whether a template's nodes are to serve an account. */
function isServed(user: ServableUser, templateId: number, carried: Carried): boolean {
  if (!user.enable || !(user.allTemplates || user.templateIds.includes(templateId))) return false;
  return user.inboundIds === null || user.inboundIds.some((id) => carried.get(templateId)?.includes(id));
}

/** What an agent that serves a template would say of these users. */
function expected(users: readonly ServableUser[], templateId: number, carried: Carried): string {
  const xors = Array.from({ length: 256 }, () => 0n);
  for (const user of users) {
    const plan = isServed(user, templateId, carried) ? planUserOf(user) : undefined;
    if (plan) xors[bucketOf(user.id)] = (xors[bucketOf(user.id)] ?? 0n) ^ digestUser(plan);
  }
  return digestBuckets(xors.map(formatBucket));
}

describe.each(dialects)("user sets on %s", (dialect) => {
  let db: TestDatabase;
  let sets: UserSets;
  const heard: ServedChange[] = [];
  const current = new Map<number, ServableUser>();
  const carried = new Map<number, readonly number[]>();

  const make = (id: number, more: Partial<ServableUser> = {}): ServableUser => ({
    id,
    enable: true,
    adminId: 0,
    config: { uuid: `u${id}`, password: `p${id}`, ss16: "", ss32: "" },
    speedLimit: 0,
    ipLimit: 0,
    allTemplates: id % 2 === 0,
    templateIds: id % 2 === 0 ? [] : [1 + (id % 3)],
    inboundIds: null,
    ...more,
  });
  const write = (user: ServableUser) =>
    db.commits.submit({
      name: "write",
      locks: [lock(Users, user.id)],
      decide(draft) {
        const { templateIds, inboundIds } = user;
        const row = { ...user, templateIds: [...templateIds], inboundIds: inboundIds && [...inboundIds] };
        if (draft.find(Users, user.id)) draft.update(Users, user.id, row);
        else draft.insert(Users, row);
        current.set(user.id, user);
      },
    });
  const carry = (id: number, inboundIds: readonly number[] | undefined) =>
    db.commits.submit({
      name: "template",
      locks: [lock(TemplateRows, id)],
      decide(draft) {
        const lists = { inboundIds: [...(inboundIds ?? [])], outboundIds: [], endpointIds: [], ruleSetIds: [] };
        const texts = { name: `t${id}`, remark: "", route: {}, core: {}, createdAt: 0, updatedAt: 0 };
        draft.find(TemplateRows, id);
        if (inboundIds) draft.upsert(TemplateRows, { id, ...texts, ...lists });
        else draft.delete(TemplateRows, id);
        carried.set(id, lists.inboundIds);
      },
    });
  const remove = (id: number) =>
    db.commits.submit({
      name: "remove",
      locks: [lock(Users, id)],
      decide(draft) {
        draft.find(Users, id);
        draft.delete(Users, id);
        current.delete(id);
      },
    });
  const check = () => {
    for (const template of [1, 2, 3, 9]) {
      expect(sets.digest(template)).toBe(expected([...current.values()], template, carried));
      const served = Array.from({ length: 310 }, (_, id) => id).filter((id) => sets.serves(template, id));
      expect(served).toEqual(
        [...current.values()]
          .filter((user) => isServed(user, template, carried))
          .map(({ id }) => id)
          .toSorted((a, b) => a - b),
      );
    }
    expect(sets.serves(0, 6)).toBe(false);
  };

  beforeAll(async () => {
    db = await openTestDatabase(dialect, [Users, Owners, TemplateRows]);
    for (const [id, inbounds] of [
      [1, [4]],
      [2, [4, 5, 9]],
      [3, [5, 6]],
    ] as const)
      await carry(id, inbounds);
    for (let id = 1; id <= 300; id++) void write(make(id, { enable: id % 10 !== 0 }));
    await write(make(301));
    sets = new UserSets({
      reads: db.reads,
      commits: db.commits,
      clock: systemClock,
      page: (after, limit) => db.reads.rows(Users, servablePage(after, limit)),
      byId: (ids) => db.reads.rows(Users, servableById(ids)),
      userOf: ({ table, id, before, after }) =>
        table === "users"
          ? { id: Number(id), before: before as ServableUser | undefined, after: after as ServableUser | undefined }
          : undefined,
      withheld: async () => (await db.reads.rows(Owners, sql`select * from owners where withheld`)).map(({ id }) => id),
      ownerOf: ({ table, id, after }) =>
        table === "owners" ? { id: Number(id), withheld: after?.["withheld"] === true } : undefined,
      ofOwner: (owner, after, limit) => db.reads.rows(Users, servableOfOwner(owner, after, limit)),
      limited: (after, limit) => db.reads.rows(Users, servableLimited(after, limit)),
      partFact: PART,
      onChange: (change) => heard.push(change),
      onError: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => db.dispose());

  test("the first read and commits that race with it agree with the table", async () => {
    const reading = sets.ready();
    await Promise.all([write(make(302)), write(make(7, { speedLimit: 5 })), remove(8), reading]);
    check();
  });

  // rule nodes.sync.1
  test("every change keeps the digests, and names the templates concerned", async () => {
    heard.length = 0;
    await write(make(2, { allTemplates: false, templateIds: [3] }));
    expect(heard.at(-1)).toMatchObject({ userId: 2, templates: "all", servedOn: new Set([3]) });
    await write(make(2, { allTemplates: false, templateIds: [1] }));
    expect(heard.at(-1)).toMatchObject({ templates: new Set([3, 1]), servedOn: new Set([1]) });
    await write(make(2, { allTemplates: false, templateIds: [1], enable: false }));
    expect(heard.at(-1)).toMatchObject({ userId: 2, user: undefined, templates: new Set([1]), servedOn: new Set() });
    await write(make(2));
    await remove(4);
    expect(heard.at(-1)).toMatchObject({ userId: 4, user: undefined, templates: "all" });
    check();
  });

  test("a write that changes nothing that a node knows is not news", async () => {
    heard.length = 0;
    await write(make(6));
    expect(heard).toEqual([]);
    check();
  });

  test("gives the users of some buckets, and of all", async () => {
    const some = await sets.usersOf(1, new Set([bucketOf(6), bucketOf(261)]));
    expect(some.get(6)?.map((user) => user.id)).toEqual(
      [6, 262].filter((id) => current.get(id)?.allTemplates || current.get(id)?.templateIds.includes(1)),
    );
    const all = await sets.usersOf(1, new Set(Array.from({ length: 256 }, (_, bucket) => bucket)));
    const served = [...current.values()].filter((user) => isServed(user, 1, carried));
    expect(
      [...all.values()]
        .flat()
        .map((user) => user.id)
        .toSorted((a, b) => a - b),
    ).toEqual(served.map((user) => user.id).toSorted((a, b) => a - b));
    expect(sets.count(1)).toBe(served.length);
  });

  test("reads everything again after a set-based change", async () => {
    await db.commits.execute({
      name: "set",
      statements: [db.reads.statement("off", sql`update users set enable = ${false} where id <= 50`)],
    });
    for (const [id, user] of current) current.set(id, { ...user, enable: user.enable && id > 50 });
    sets.forget();
    await sets.ready();
    check();
  });

  test("while everything is read again, what was known answers: nobody looks dropped", async () => {
    const before = sets.digest(1);
    sets.forget();
    expect(sets.digest(1)).toBe(before);
    const reading = sets.ready();
    sets.forget();
    const changed = write(make(60, { speedLimit: 9 }));
    expect(sets.count(1)).toBeGreaterThan(100);
    await Promise.all([reading, changed]);
    check();
  });

  // rule resellers.follow.1
  test("an owner that is withheld takes its accounts from every template at once, and gives them back", async () => {
    const withhold = (id: number, withheld: boolean) =>
      db.commits.submit({
        name: "withhold",
        locks: [lock(Owners, id)],
        decide: (draft) => draft.upsert(Owners, { id, withheld }),
      });
    const served = (ids: readonly number[]) => ids.filter((id) => [0, 1, 2, 3].some((on) => sets.serves(on, id)));
    const ids = [304, 305, 306, 307];
    for (const id of ids) await write(make(id, { adminId: 7, allTemplates: true, templateIds: [] }));
    await write(make(308, { adminId: 8, allTemplates: true, templateIds: [] }));
    heard.length = 0;
    await withhold(7, true);
    await expect.poll(() => served([...ids, 308])).toEqual([308]);
    expect(heard.map(({ userId, user }) => [userId, user])).toEqual(ids.map((id) => [id, undefined]));
    // What is written of one of them does not bring it back; a new owner does.
    await write(make(304, { adminId: 7, allTemplates: true, templateIds: [], speedLimit: 3 }));
    await write(make(305, { adminId: 8, allTemplates: true, templateIds: [] }));
    expect(served(ids)).toEqual([305]);
    // Memory that is read again says the same, also when the owner comes back meanwhile.
    sets.forget();
    await sets.ready();
    expect(served(ids)).toEqual([305]);
    await write(make(306, { adminId: 7, allTemplates: true, templateIds: [], enable: false }));
    sets.forget();
    await Promise.all([sets.ready(), withhold(7, false)]);
    await expect.poll(() => served(ids)).toEqual([304, 305, 307]);
    check();
  });

  // rule users.inbounds.2
  test("a list of inbounds is a change of one account alone, and an empty one takes it off", async () => {
    const made = { allTemplates: false, templateIds: [2] };
    await write(make(81, made));
    const version = sets.digest(1);
    heard.length = 0;
    await write(make(81, { ...made, inboundIds: [4, 9] }));
    expect(heard).toMatchObject([{ userId: 81, user: { inbounds: [4, 9] }, servedOn: new Set([2]) }]);
    await write(make(81, { ...made, inboundIds: [] }));
    expect(heard.at(-1)).toMatchObject({ userId: 81, user: undefined, servedOn: new Set() });
    await write(make(81, made));
    expect(heard.at(-1)?.user).not.toHaveProperty("inbounds");
    expect(sets.digest(1)).toBe(version);
    check();
  });

  // rule users.inbounds.3
  test("an inbound that goes changes those alone that named it, also where a commit of that moment still does", async () => {
    const made = { allTemplates: false, templateIds: [2] };
    await write(make(82, { ...made, inboundIds: [4, 9] }));
    await write(make(83, { ...made, inboundIds: [9] }));
    await write(make(84, { ...made, inboundIds: [5] }));
    heard.length = 0;
    await db.commits.execute({
      name: "gone",
      statements: [
        db.reads.statement("one", sql`update users set inbound_ids = ${"[4]"} where id = 82`),
        db.reads.statement("other", sql`update users set inbound_ids = ${"[]"} where id = 83`),
      ],
    });
    sets.inboundLeft(9);
    await expect.poll(() => heard.length).toBe(2);
    expect(heard).toMatchObject([
      { userId: 82, user: { inbounds: [4] } },
      { userId: 83, user: undefined, servedOn: new Set() },
    ]);
    await write(make(83, { ...made, inboundIds: [9] }));
    expect(sets.serves(2, 83)).toBe(false);
    await write(make(82, { ...made, inboundIds: [4] }));
    await write(make(83, { ...made, inboundIds: [] }));
    check();
  });

  // rule users.inbounds.7
  test("an account is on those of its templates alone that carry one of its inbounds, whatever changes", async () => {
    const on = (id: number) => [1, 2, 3].filter((each) => sets.serves(each, id));
    const known = async (...wanted: (readonly [number, readonly number[]])[]) => {
      for (const [id, templates] of wanted) expect(on(id), `account ${id}`).toEqual(templates);
      check();
      // Memory that is read from the tables says the same.
      sets.forget();
      await sets.ready();
      for (const [id, templates] of wanted) expect(on(id), `account ${id}, read again`).toEqual(templates);
      check();
    };
    await write(make(91, { allTemplates: true, templateIds: [], inboundIds: [6] }));
    await write(make(93, { allTemplates: false, templateIds: [1, 2], inboundIds: [5] }));
    await write(make(95, { allTemplates: false, templateIds: [1], inboundIds: [5, 6] }));
    await known([91, [3]], [93, [2]], [95, []]);
    // The template of a node takes an inbound in, gives one away, goes and comes.
    const before = sets.digest(1);
    heard.length = 0;
    await carry(1, [4, 6]);
    expect(sets.digest(1)).not.toBe(before);
    // Its nodes compare buckets: no account is looked at for it.
    expect(heard).toEqual([]);
    expect((await sets.usersOf(1, new Set([91, 95]))).get(95)?.map(({ id }) => id)).toEqual([95]);
    await known([91, [1, 3]], [93, [2]], [95, [1]]);
    await carry(3, [5]);
    await carry(2, [9]);
    await known([91, [1]], [93, []], [95, [1]]);
    await carry(1, undefined);
    await known([91, []], [93, []], [95, []]);
    await carry(1, [5]);
    await known([91, []], [93, [1]], [95, [1]]);
    // A commit that changes a template and an account at once.
    await Promise.all([carry(2, [6]), write(make(93, { allTemplates: false, templateIds: [1, 2], inboundIds: [6] }))]);
    await known([91, [2]], [93, [2]], [95, [1]]);
    // One inbound and another of the same account.
    await carry(2, [6, 9]);
    expect([sets.serves(2, 93, 6), sets.serves(2, 93, 9), sets.serves(2, 302, 9)]).toEqual([true, false, true]);
    // What races with a read.
    sets.forget();
    await Promise.all([sets.ready(), carry(3, [6]), write(make(95, { ...make(95), inboundIds: [6] }))]);
    await known([91, [2, 3]], [93, [2]]);
    await carry(1, [4]);
    await carry(2, [4, 5, 9]);
    await carry(3, [5, 6]);
    check();
  });

  test("a template that an account names twice counts once", async () => {
    await write(make(71, { allTemplates: false, templateIds: [2, 2] }));
    expect((await sets.usersOf(2, new Set([71]))).get(71)?.map((user) => user.id)).toEqual([71]);
    check();
  });
});
