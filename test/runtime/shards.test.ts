// Shards shared out by leases: fair parts, tokens that grow, and nobody who believes in a lease that another one has.
// With the times of tests on the database's real clock.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql, StoreUnavailable, type Committer, type Database } from "../../src/db/index.ts";
import { ManualClock, systemClock } from "../../src/lib/clock.ts";
import { ShardRows, SHARDS, type LeasedShards } from "../../src/runtime/index.ts";
import { connectTestDatabase, dialects, follow, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { entities } from "./fixture.ts";
import { echo, joinShards, QUICK, type Part, type PartOptions } from "./shared-shards.ts";

const all = Array.from({ length: SHARDS }, (_, shard) => shard);
const heldBy = (shards: LeasedShards) => all.filter((shard) => shards.holds(shard));
const tokensOf = (shards: LeasedShards) => new Map(heldBy(shards).map((shard) => [shard, shards.token(shard) ?? 0]));
const quick = { times: QUICK, beatMs: 100, deadAfterMs: 600 };

describe.skipIf(!dialects.includes("postgresql"))("leased shards", () => {
  let first: TestDatabase;
  const opened: Database[] = [];
  const parts: Part[] = [];

  beforeEach(async () => {
    first = await openTestDatabase("postgresql", entities);
  });
  afterEach(async () => {
    for (const { shards, processes } of parts.splice(0)) {
      await shards.stop();
      await processes.stop();
    }
    for (const db of opened.splice(0)) await db.close();
    await first.dispose();
  });

  /** A process on the database: its part, not started, and what it heard of its shards. */
  const join = async (options: PartOptions = quick, wrap = (commits: Committer) => commits) => {
    const db = await connectTestDatabase(first.url, entities, Date.now, echo);
    opened.push(db);
    const part = await joinShards({ ...db, commits: wrap(db.commits) }, options);
    parts.push(part);
    const heard: { gained: number; lost: number; at: number }[] = [];
    part.shards.onChange(({ gained, lost }) =>
      heard.push({ gained: gained.size, lost: lost.size, at: performance.now() }),
    );
    return { ...part, db, heard };
  };
  const rows = () => first.reads.rows(ShardRows, sql`select * from shards order by id`);

  test("one process takes all, and its tokens are not smaller than the time", async () => {
    const one = await join();
    const seconds = Math.floor(Date.now() / 1000) - 60;
    await one.shards.start();
    expect(heldBy(one.shards)).toEqual(all);
    expect([...tokensOf(one.shards).values()].every((token) => token >= seconds)).toBe(true);
    expect(one.heard).toMatchObject([{ gained: SHARDS, lost: 0 }]);
  });

  test("a second and a third even the parts out, each shard is held once, and who leaves leaves all", async () => {
    const [one, two, three] = [await join(), await join(), await join()];
    const sizes = () => [one, two, three].map(({ shards }) => heldBy(shards).length);
    const owners = async () => {
      const held = [one, two, three].flatMap(({ shards }) => [...tokensOf(shards)]);
      return held.length === SHARDS && new Set(held.map(([shard]) => shard)).size === SHARDS;
    };
    await one.shards.start();
    await two.shards.start();
    await eventually(sizes).toEqual([32, 32, 0]);
    expect(await owners()).toBe(true);
    await three.shards.start();
    await eventually(() => sizes().toSorted((a, b) => a - b)).toEqual([20, 22, 22]);
    expect(await owners()).toBe(true);
    await two.shards.stop();
    await eventually(sizes).toEqual([32, 0, 32]);
    expect(await owners()).toBe(true);
  });

  test("what a dead one held is taken over when its leases have run out, under larger tokens", async () => {
    // The first one's clock stands still from its start on: it renews nothing, as a killed one.
    const one = await join({ ...quick, clock: new ManualClock(Date.now()) });
    await one.shards.start();
    const before = tokensOf(one.shards);
    const began = performance.now();
    const two = await join();
    await two.shards.start();
    expect(heldBy(two.shards)).toEqual([]);
    await eventually(() => heldBy(two.shards).length).toBe(SHARDS);
    expect(performance.now() - began).toBeGreaterThan(QUICK.lease - 250);
    for (const [shard, token] of tokensOf(two.shards)) expect(token).toBeGreaterThan(before.get(shard) ?? Infinity);
  });

  test("who cannot renew gives up by its own clock before anybody else can take", async () => {
    let away: Promise<never> | undefined;
    const back = Promise.withResolvers<never>();
    back.promise.catch(() => {});
    const one = await join({ ...quick, onError: () => {} }, (commits) =>
      wrapped(commits, (unit) => away ?? commits.execute(unit)),
    );
    await one.shards.start();
    const two = await join();
    away = back.promise;
    await two.shards.start();
    await eventually(() => heldBy(two.shards).length).toBe(SHARDS);
    const gaveUp = one.heard.findLast(({ lost }) => lost > 0);
    const took = two.heard.find(({ gained }) => gained > 0);
    expect(one.heard.reduce((held, { gained, lost }) => held + gained - lost, 0)).toBe(0);
    expect(gaveUp?.at).toBeLessThan(took?.at ?? 0);
    away = undefined;
    back.reject(new StoreUnavailable("nobody answered"));
  });

  test("a pause beyond the lease is known at the first look at the clock, before any timer has run", async () => {
    let skipped = 0;
    const one = await join({ ...quick, monotonic: () => performance.now() + skipped });
    await one.shards.start();
    skipped = QUICK.own;
    expect(one.shards.holds(5)).toBe(false);
    expect(one.shards.token(5)).toBeUndefined();
    await eventually(() => heldBy(one.shards).length).toBe(SHARDS);
    expect(one.heard.map(({ gained, lost }) => gained - lost)).toEqual([SHARDS, -SHARDS, SHARDS]);
  });

  test("a claim whose answer was lost is taken again, under new tokens", async () => {
    let lost = 0;
    const errors: unknown[] = [];
    const one = await join({ ...quick, onError: (error) => errors.push(error) }, (commits) =>
      wrapped(commits, async (unit) => {
        const results = await commits.execute(unit);
        if (unit.name === "shards.claim" && lost++ === 0) throw new StoreUnavailable("the answer was lost");
        return results;
      }),
    );
    await one.shards.start();
    expect(errors).toEqual([new StoreUnavailable("the answer was lost")]);
    const taken = await rows();
    expect(taken.every(({ owner }) => owner === one.db.boot)).toBe(true);
    expect(heldBy(one.shards)).toEqual([]);
    await eventually(() => heldBy(one.shards).length).toBe(SHARDS);
    for (const { id, token } of taken) expect(one.shards.token(id)).toBe(token + 1);
  });

  test("leases of a clock that was set back since do not bar the shards", async () => {
    const one = await join({ ...quick, clock: new ManualClock(Date.now()) });
    await one.shards.start();
    await first.commits.execute({
      name: "test.clock",
      statements: [first.reads.statement("later", sql`update shards set expires_at = expires_at + 86400000`)],
    });
    const two = await join();
    await two.shards.start();
    await eventually(() => heldBy(two.shards).length).toBe(SHARDS);
  });

  test("tokens go on from those of before, also when the clock was set back", async () => {
    const one = await join();
    await one.shards.start();
    await one.shards.stop();
    await first.commits.execute({
      name: "test.tokens",
      statements: [first.reads.statement("later", sql`update shards set token = token + 100000`)],
    });
    const [before] = await rows();
    const two = await join();
    await two.shards.start();
    expect(two.shards.token(0)).toBe((before?.token ?? 0) + 1);
  });

  test("a clean end is heard of at once: the others do not wait for their next look", async () => {
    const slow = { ...quick, times: { lease: 60_000, own: 50_000, renew: 20_000, poll: 15_000 } };
    const [one, two] = [await join(slow), await join(slow)];
    const followers = [await follow(one.db), await follow(two.db)];
    await one.shards.start();
    await two.shards.start();
    await eventually(() => [heldBy(one.shards).length, heldBy(two.shards).length]).toEqual([32, 32]);
    await one.shards.stop();
    await eventually(() => heldBy(two.shards).length).toBe(SHARDS);
    for (const follower of followers) await follower.stop();
  });

  test("a listener that throws does not keep the others from hearing", async () => {
    const errors: unknown[] = [];
    const one = await join({ ...quick, clock: systemClock, onError: (error) => errors.push(error) });
    one.shards.onChange(() => {
      throw new Error("a defect");
    });
    let heard = 0;
    one.shards.onChange(({ gained }) => (heard += gained.size));
    await one.shards.start();
    expect([heard, errors]).toEqual([SHARDS, [new Error("a defect")]]);
  });
});

/** A committer whose statements go through `execute`. */
function wrapped(commits: Committer, execute: Committer["execute"]): Committer {
  return new Proxy(commits, {
    get: (target, name) => {
      if (name === "execute") return execute;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
