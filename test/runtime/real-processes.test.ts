// Two to four real processes on one PostgreSQL: they share the work, none of it is lost or done twice, and what one
// that is killed, paused or joins held or gets moves within its lease.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { SHARDS, shardOf } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { startStopwatch } from "../stopwatch.ts";
import { ChildProcess } from "./child-processes.ts";
import { entities, panelOn } from "./fixture.ts";

/**
 * Where a lease has to run out: so long that a process which a busy machine keeps from running for some seconds does
 * not lose its own.
 */
const ENDING = { times: { lease: 6000, own: 5000, renew: 750, poll: 250 }, deadAfterMs: 4000 };
/** Where none has to: whatever moves, moves because a process gave it over. */
const LASTING = { times: { lease: 40_000, own: 35_000, renew: 750, poll: 250 }, deadAfterMs: 30_000 };
/** Milliseconds on a quiet machine: a lease, and a good deal more. */
const SOON_MS = 15_000;
/** Processes start and take turns on few cores; what must be quick is measured, not waited for. */
const patient = <T>(look: () => T) => expect.poll(look, { timeout: 90_000, interval: 50 });

describe.skipIf(!dialects.includes("postgresql"))("real processes", { timeout: 300_000 }, () => {
  let db: TestDatabase;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    db = await openTestDatabase("postgresql", entities);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.stop()));
    await db.dispose();
  });

  const start = async (count: number, leases: typeof ENDING, effectMs = 5) => {
    const settings = { url: db.url, ...leases, effectMs };
    const starts = Array.from({ length: count }, async () => {
      const child = await ChildProcess.start(settings);
      children.push(child);
      return child;
    });
    return Promise.all(starts);
  };
  const owners = async () => {
    const rows = await db.reads.query<{ id: number; owner: string }>(
      sql`select id, owner from shards where owner <> ''`,
    );
    return new Map(rows.map(({ id, owner }) => [id, owner]));
  };
  const parts = async () => {
    const held = [...(await owners()).values()];
    return children.map(({ boot }) => held.filter((owner) => owner === boot).length).toSorted((a, b) => a - b);
  };
  const create = (count: number, patience: number) =>
    Promise.all(Array.from({ length: count }, () => panelOn(db).create({ patience })));
  const states = async (ids: readonly number[]) => {
    const rows = await db.reads.query<{ mstate: string }>(
      sql`select distinct mstate from jobs where id in (${sql.join([...ids])})`,
    );
    return rows.map(({ mstate }) => mstate).toSorted((a, b) => a.localeCompare(b));
  };
  const said = (what: "timer" | "effect") => children.map((child) => child.said.filter((each) => each.what === what));

  /**
   * Gapless journals in which each entry begins where the one before ended, and rows that say what their journals end
   * with.
   */
  const checkBooks = async () => {
    const broken = await db.reads.query(sql`
      select * from (
        select actor_id, seq, from_state, lag(seq) over w as before, lag(to_state) over w as was from journal window w as (partition by actor_id order by seq)
      ) entries where seq <> coalesce(before, 0) + 1 or from_state is distinct from was`);
    expect(broken).toEqual([]);
    const differing = await db.reads.query(sql`
      select id from jobs j where rev <> (select max(seq) from journal where actor_id = j.id)
        or mstate <> (select to_state from journal where actor_id = j.id and seq = j.rev)`);
    expect(differing).toEqual([]);
    expect(await db.reads.query(sql`select id from timers union all select id from effects`)).toEqual([]);
  };

  test("200 hot actors, four processes: nothing lost, each timer fires once, everybody does its part", async () => {
    const ids = await create(200, 2500);
    const four = await start(4, LASTING);
    await patient(parts).toEqual([16, 16, 16, 16]);
    const failed = await Promise.all(
      four.map((child) => child.drive({ events: ["count"], ids, count: 800, inFlight: 32 })),
    );
    expect(failed).toEqual([0, 0, 0, 0]);
    const [sums] = await db.reads.query<{ count: number }>(sql`select sum(count) as count from jobs`);
    expect(sums?.count).toBe(3200);
    // One process arms them all; those who hold their shards fire them.
    expect(await four[0]?.drive({ events: ["wait"], ids: ids.slice(0, 160), count: 160, inFlight: 32 })).toBe(0);
    await patient(() => states(ids.slice(0, 160))).toEqual(["over"]);
    const fired = () => said("timer").map((each) => each.length);
    const sumFired = () => fired().reduce((sum, count) => sum + count, 0);
    // What a process says of itself comes after what it wrote.
    await patient(sumFired).toBe(160);
    expect(Math.min(...fired())).toBeGreaterThanOrEqual(0.15 * 160);
    await Promise.all(
      four.map((child, index) =>
        child.drive({ events: ["go"], ids: ids.slice(160 + index * 10, 170 + index * 10), count: 10, inFlight: 10 }),
      ),
    );
    await patient(() => states(ids.slice(160))).toEqual(["over"]);
    const keys = () =>
      said("effect").flatMap((each) => each.flatMap((one) => (one.what === "effect" ? [one.key] : [])));
    await patient(() => keys().length).toBe(40);
    expect(new Set(keys()).size).toBe(40);
    await checkBooks();
    expect([sumFired(), keys().length]).toEqual([160, 40]);
  });

  test("one of three is killed: its residents, timers and effects are with the others soon, and nothing is lost", async () => {
    const ids = await create(120, 4000);
    const [waiting, working, linked] = [ids.slice(0, 40), ids.slice(40, 80), ids.slice(80)];
    const [victim, ...others] = await start(3, ENDING, 3000);
    if (!victim) throw new Error("no process was started");
    await patient(parts).toEqual([20, 22, 22]);
    await victim.drive({ events: ["link"], ids: linked, count: 40, inFlight: 40 });
    const everywhere = () => linked.map((id) => children.filter((child) => child.lines.has(id)).length);
    await patient(everywhere).toEqual(linked.map(() => 1));
    await victim.drive({ events: ["wait"], ids: waiting, count: 40, inFlight: 40 });
    await victim.drive({ events: ["go"], ids: working, count: 40, inFlight: 40 });
    await patient(() => victim.said.filter(({ what }) => what === "effect").length).toBe(40);
    const before = victim.lines;
    expect(before.size).toBeGreaterThan(0);

    const killed = performance.now();
    const sinceKill = startStopwatch();
    victim.signal("SIGKILL");
    const taken = () => [...before.keys()].every((id) => others.some((child) => child.lines.has(id)));
    await patient(taken).toBe(true);
    expect(sinceKill()).toBeLessThan(SOON_MS);
    for (const child of others) {
      for (const each of child.said) {
        if (each.what !== "begin" || !before.has(each.id) || each.at < killed) continue;
        expect(each.resumed).toBe(true);
        expect(each.fence).toBeGreaterThan(before.get(each.id) ?? Infinity);
      }
    }
    const again = () =>
      others.flatMap((child) => child.said.flatMap((each) => (each.what === "effect" ? [each.attempt] : [])));
    await patient(() => again().length).toBeGreaterThanOrEqual(40);
    expect(sinceKill()).toBeLessThan(SOON_MS);
    await patient(() => states(waiting)).toEqual(["over"]);
    await patient(() => states(working)).toEqual(["over"]);
    expect(again()).toEqual(working.map(() => 2));
    await checkBooks();
  });

  test("one that is paused beyond its lease finds out, ends its residents, and comes back with larger tokens", async () => {
    const ids = await create(64, 1000);
    const [paused, other] = await start(2, ENDING);
    if (!paused || !other) throw new Error("no process was started");
    await patient(parts).toEqual([32, 32]);
    await other.drive({ events: ["link"], ids, count: ids.length, inFlight: 32 });
    await patient(() => paused.lines.size + other.lines.size).toBe(64);
    const before = paused.lines;
    expect(before.size).toBeGreaterThan(0);
    paused.signal("SIGSTOP");
    await patient(() => other.lines.size).toBe(64);
    // Both believe in theirs now: the one that was paused has the smaller token.
    for (const [id, fence] of before) expect(other.lines.get(id)).toBeGreaterThan(fence);
    const from = paused.said.length;
    paused.signal("SIGCONT");
    const ended = () => paused.said.slice(from).flatMap((each) => (each.what === "end" ? [each.fence] : []));
    await patient(() => ended().length).toBeGreaterThanOrEqual(before.size);
    await patient(parts).toEqual([32, 32]);
    await patient(() => [
      paused.lines.size + other.lines.size,
      new Set([...paused.lines.keys(), ...other.lines.keys()]).size,
    ]).toEqual([64, 64]);
    for (const [id, fence] of paused.lines) expect(fence).toBeGreaterThan(before.get(id) ?? 0);
    expect((await db.reads.query(sql`select id from jobs where mstate <> 'linked'`)).length).toBe(0);
  });

  test("a third that joins gets its part, and one that leaves gives it over at once", async () => {
    const ids = await create(SHARDS, 1000);
    const [one] = await start(2, LASTING);
    await patient(parts).toEqual([32, 32]);
    await one?.drive({ events: ["link"], ids, count: ids.length, inFlight: 32 });
    const [third] = await start(1, LASTING);
    await patient(parts).toEqual([20, 22, 22]);
    const where = async () => {
      const held = await owners();
      return ids.every((id) =>
        children.every((child) => child.lines.has(id) === (held.get(shardOf(id)) === child.boot)),
      );
    };
    await patient(where).toBe(true);
    const sinceLeaving = startStopwatch();
    await third?.stop();
    children.pop();
    await patient(parts).toEqual([32, 32]);
    await patient(where).toBe(true);
    // Long before a lease of its would have run out.
    expect(sinceLeaving()).toBeLessThan(SOON_MS);
  });
});
