// Syncing one agent under load and while the database is away, against an agent in memory that keeps what it is sent.
import { describe, expect, test } from "vitest";
import { DesiredPlan } from "../../src/agent/desired-state.ts";
import { StoreUnavailable } from "../../src/db/index.ts";
import { Membership } from "../../src/fleet/desired/membership.ts";
import { structureOf } from "../../src/fleet/desired/structure.ts";
import { Sync } from "../../src/fleet/link/sync.ts";
import type { DesiredNode } from "../../src/fleet/desired/structures.ts";
import type { UserSets } from "../../src/fleet/desired/user-sets.ts";
import type { AgentCalls } from "../../src/fleet/link/agent-pushes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { NOTHING_ACKNOWLEDGED, type Acknowledged } from "../../src/fleet/records/node-progress.ts";
import { bucketOf, BUCKETS, digestBuckets, formatBucket } from "../../src/protocol/digest.ts";
import type { PlanUser } from "../../src/protocol/plan.ts";
import { until } from "./panel-side.ts";
import { otherNotice } from "../../src/fleet/records/notices.ts";

const TEMPLATE = 1;
const userOf = (id: number, password = ""): PlanUser => ({
  id,
  uuid: "u",
  password,
  ss16: "",
  ss32: "",
  flow: "",
  speedLimit: 0,
  ipLimit: 0,
});

/** Panel and agent of one node: users in memory, an agent that applies at once, and what the link would hear. */
async function pair(before: readonly PlanUser[] = [], last?: Acknowledged, greeted?: number) {
  const users = new Map(before.map((user) => [user.id, user]));
  const members = new Membership();
  for (const user of before) members.put(user.id, user, { allTemplates: true, templateIds: [] });
  const buckets = () => Array.from({ length: BUCKETS }, (_, bucket) => formatBucket(members.xor(TEMPLATE, bucket)));
  const plan = new DesiredPlan();
  // What it greets with: it is still at those who were there before.
  const applied = { ...plan.applied(), ...(greeted !== undefined && { revision: greeted }) };
  plan.take(plan.plan({ revision: 1, users: { put: [...before] } }));
  const state = {
    away: false,
    lies: false,
    synced: 0,
    pushes: 0,
    gathers: false,
    warnings: [] as readonly string[],
    failed: undefined as unknown,
  };
  const desired = async (): Promise<DesiredNode> => {
    if (state.away) throw new StoreUnavailable("away");
    return { templateId: TEMPLATE, structure: structureOf(undefined, null) };
  };
  const sets = {
    ready: async () => {},
    count: () => users.size,
    buckets,
    digest: () => digestBuckets(buckets()),
    gathersFor: () => state.gathers,
    tellGathered: () => {},
    usersOf: async (_: number, wanted: ReadonlySet<number>) =>
      new Map(
        [...wanted].map((bucket) => [bucket, [...users.values()].filter((user) => bucketOf(user.id) === bucket)]),
      ),
  } as unknown as UserSets;
  const engine = { kind: "none", version: "", state: "running", message: "", restarts: 0 };
  const call = async (method: "state.digests" | "state.report" | "state.apply", params: object) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (method === "state.digests") return plan.digests();
    if (method === "state.report") return { applied: plan.applied(), warnings: ["said when it was done"], engine };
    state.pushes++;
    if (!state.lies) plan.take(plan.plan(params as Parameters<typeof plan.plan>[0]));
    return { applied: plan.applied(), warnings: [], engine };
  };
  const sync = new Sync({
    nodeId: 1,
    agent: { call } as unknown as AgentCalls,
    users: sets,
    clock: systemClock,
    desired,
    applied,
    ...(last && { last }),
    said: { warnings: ["of what was applied before"] },
    onSynced: (notices) => {
      state.synced++;
      state.warnings = notices.map(({ detail }) => detail);
    },
    onFailed: (error) => (state.failed = error),
    onRefused: () => {},
    onEngine: () => {},
  });
  const change = (user: PlanUser) => {
    users.set(user.id, user);
    members.put(user.id, user, { allTemplates: true, templateIds: [] });
    sync.userChanged(user.id, user);
  };
  /** It changes, and the node is to be told later. */
  const gather = (user: PlanUser) => {
    users.set(user.id, user);
    members.put(user.id, user, { allTemplates: true, templateIds: [] });
    state.gathers = true;
  };
  const agrees = () => plan.applied().users === sets.digest(TEMPLATE);
  const progress = async () => sync.progress(await desired());
  return { sync, state, change, gather, agrees, progress, plan };
}

describe("syncing", () => {
  // rule nodes.sync.5
  test("users who change without a pause keep no node from being synced, and a nudge among them does not end the link", async () => {
    const { sync, state, change, agrees } = await pair();
    sync.nudge();
    let id = 0;
    for (let turn = 0; turn < 200; turn++) {
      change(userOf(++id));
      if (turn % 20 === 10) sync.nudge();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(state).toMatchObject({ failed: undefined, synced: expect.toSatisfy((count: number) => count > 1) });
    await sync.run();
    expect(agrees()).toBe(true);
  });

  test("more changes at once than are sent singly arrive, with others right behind them", async () => {
    const { sync, state, change, agrees } = await pair();
    await sync.run();
    for (let id = 1; id <= 6000; id++) change(userOf(id));
    await new Promise((resolve) => setImmediate(resolve));
    change(userOf(1, "again"));
    await sync.run();
    expect(agrees()).toBe(true);
    expect(state.failed).toBeUndefined();
  });

  test("a database that is away ends no link: what changed is made up for", async () => {
    const { sync, state, change, agrees } = await pair();
    await sync.run();
    state.away = true;
    change(userOf(1));
    const asked = sync.run();
    await new Promise((resolve) => setImmediate(resolve));
    expect([state.failed, agrees()]).toEqual([undefined, false]);
    state.away = false;
    await asked;
    await until(() => agrees());
    expect(state.failed).toBeUndefined();
  });

  test("an agent that is still at what it was told is waited for, not told again, and its warnings are those of then", async () => {
    const { sync, state, agrees } = await pair([userOf(1), userOf(2)]);
    expect(await sync.run()).toEqual({ revision: 1, notices: [otherNotice("said when it was done")] });
    expect(state).toMatchObject({ pushes: 0, failed: undefined, warnings: ["said when it was done"] });
    expect(agrees()).toBe(true);
  });

  // rule nodes.sync.6
  test("a node that is still to be told of more is not compared for it, and does not know everything yet", async () => {
    const { sync, state, change, gather, agrees } = await pair();
    await sync.run();
    const pushes = state.pushes;
    gather(userOf(1));
    const toldAt = sync.toldAt;
    change(userOf(2));
    await until(() => state.pushes > pushes);
    // The one that waits comes neither with this push nor in a comparison after it.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([state.pushes, agrees(), state.failed]).toEqual([pushes + 1, false, undefined]);
    expect(sync.toldAt).toBe(toldAt);
    state.gathers = false;
    change(userOf(1));
    await until(() => agrees());
    expect(state.pushes).toBe(pushes + 2);
    await until(() => sync.toldAt > toldAt);
  });

  // rule nodes.sync.1
  test("an agent that takes everything and reports something else is given up", async () => {
    const { sync, state, change } = await pair();
    state.lies = true;
    change(userOf(1));
    await expect(sync.run()).rejects.toThrow("reports another");
    expect(state.failed).toBeDefined();
    expect(state.pushes).toBeLessThan(20);
  });
});

// rule nodes.progress.1
describe("how far a node is", () => {
  test("what is wanted has a higher number until the agent acknowledges it, and the same one then", async () => {
    const { sync, change, progress, plan } = await pair();
    await sync.run();
    const first = await progress();
    expect(first.revision).toBe(first.applied);
    change(userOf(1));
    const second = await progress();
    expect(second).toMatchObject({ applied: first.applied, appliedAt: first.appliedAt, revision: first.applied + 1 });
    await sync.run();
    expect(await progress()).toMatchObject({ revision: second.revision, applied: second.revision });
    expect(plan.revision).toBe(second.revision);
  });

  test("a number that somebody read is acknowledged only with all that was wanted by then", async () => {
    const { sync, change, progress, plan } = await pair();
    await sync.run();
    const read = new Map<number, number>();
    for (let id = 1; id <= 50; id++) {
      change(userOf(id));
      read.set(id, (await progress()).revision);
      const { applied } = await progress();
      for (const [user, revision] of read) if (applied >= revision) expect(plan.state.users.has(user)).toBe(true);
      if (id % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await sync.run();
    expect((await progress()).applied).toBeGreaterThanOrEqual(Math.max(...read.values()));
  });

  test("an agent that begins with nothing, or says a number that no panel gave, gets higher numbers all the same", async () => {
    const last = { ...NOTHING_ACKNOWLEDGED, revision: 58, applied: 57, appliedAt: 5, structure: "f".repeat(32) };
    const empty = await pair([], last, 0);
    empty.change(userOf(1));
    expect(await empty.progress()).toMatchObject({ revision: 58, applied: 0 });
    await empty.sync.run();
    expect(await empty.progress()).toMatchObject({ revision: 58, applied: 58 });
    const boasting = await pair([], last, Number.MAX_SAFE_INTEGER);
    boasting.change(userOf(1));
    await boasting.sync.run();
    expect(await boasting.progress()).toMatchObject({ revision: 58, applied: 58 });
  });
});
