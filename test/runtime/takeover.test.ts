// What moves with a shard: residents run in the process that holds it, whichever process commits their start and end;
// effects of a dead process are taken over, and those that need the holder run with it.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database, Follower } from "../../src/db/index.ts";
import { ManualClock, systemClock, type Clock } from "../../src/lib/clock.ts";
import { SHARDS } from "../../src/runtime/index.ts";
import { type EffectRun, type QueuedEffect, type ResidentStart, type ShardTimes } from "../../src/runtime/testing.ts";
import { connectTestDatabase, dialects, follow, openTestDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "./eventually.ts";
import { endless, entities, panelOn, queued, type Panel } from "./fixture.ts";
import { echo, joinShards, QUICK, type Part } from "./shared-shards.ts";

const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
/** Leases that no test sees the end of. */
const LONG: ShardTimes = { lease: 600_000, own: 500_000, renew: 100_000, poll: 250 };

interface ProcessOptions {
  readonly limits?: Partial<QueuedEffect>;
  readonly clock?: Clock;
  readonly monotonic?: () => number;
  readonly times?: ShardTimes;
}

interface Process extends Panel {
  readonly name: string;
  readonly part: Part;
  readonly db: Database;
}

describe.skipIf(!dialects.includes("postgresql"))("takeover", () => {
  let shared: TestDatabase;
  let lives: (ResidentStart & { readonly by: string; over: boolean })[];
  let runs: (EffectRun & { readonly by: string })[];
  const processes: Process[] = [];
  const followers: Follower[] = [];

  beforeEach(async () => {
    shared = await openTestDatabase("postgresql", entities);
    lives = [];
    runs = [];
  });
  afterEach(async () => {
    for (const { supervisor, part } of processes) {
      await supervisor.drain(20);
      await part.processes.stop();
    }
    for (const follower of followers.splice(0)) await follower.stop();
    for (const { db } of processes.splice(0)) await db.close();
    await shared.dispose();
  });

  /**
   * A process, not started. With a clock that stands still it is dead from its start on: nothing of it is renewed,
   * nothing comes due, it hears of nobody.
   */
  const process = async (name: string, work: (run: EffectRun) => Promise<unknown>, options: ProcessOptions = {}) => {
    const { limits = {}, clock = systemClock, monotonic = () => performance.now(), times = QUICK } = options;
    const db = await connectTestDatabase(shared.url, entities, Date.now, echo);
    if (clock === systemClock) followers.push(await follow(db));
    const part = await joinShards(db, { times, beatMs: 100, deadAfterMs: 600, clock, monotonic, onError: () => {} });
    const panel = panelOn(db, {
      clock,
      ...part,
      work: queued(
        (_, run) => {
          runs.push({ ...run, by: name });
          return work(run);
        },
        { concurrency: 32, timeoutMs: 600_000, ...limits },
      ),
      line: {
        mode: "resident",
        start: (begun) => {
          const life = { ...begun, by: name, over: false };
          lives.push(life);
          return () => (life.over = true);
        },
      },
    });
    const made = { ...panel, name, part, db };
    processes.push(made);
    return made;
  };
  const idle = async () => {};
  const deadClock = () => new ManualClock(Date.now());
  const living = (id: number) => lives.filter((life) => life.id === id && !life.over);
  const holderOf = (id: number) => processes.find(({ part }) => part.shards.holds(id));
  /** Resolves when every process has its part. */
  const evened = () =>
    eventually(() => processes.map(({ part }) => shards.filter((shard) => part.shards.holds(shard)).length)).toEqual(
      processes.map(() => SHARDS / processes.length),
    );
  const both = async (work: (run: EffectRun) => Promise<void> = idle) => {
    const [one, two] = [await process("one", work), await process("two", work)];
    await one.supervisor.start();
    await two.supervisor.start();
    await evened();
    return { one, two };
  };

  test("a resident runs with the holder of its actor's shard, whichever process commits", async () => {
    const { one, two } = await both();
    const ids = await Promise.all(Array.from({ length: 24 }, () => one.create()));
    await Promise.all(ids.map((id, index) => (index % 2 === 0 ? one : two).ask(id, "link")));
    await eventually(() => ids.map((id) => living(id).map(({ by }) => by))).toEqual(
      ids.map((id) => [holderOf(id)?.name]),
    );
    expect(new Set(ids.map((id) => holderOf(id)?.name)).size).toBe(2);
    expect(lives.every(({ resumed }) => !resumed)).toBe(true);
    await Promise.all(ids.map((id, index) => (index % 2 === 0 ? two : one).ask(id, "again")));
    await eventually(() => ids.map((id) => lives.filter((life) => life.id === id).length)).toEqual(ids.map(() => 2));
    await Promise.all(ids.map((id, index) => (index % 3 === 0 ? one : two).ask(id, "lost")));
    await eventually(() => ids.flatMap(living)).toEqual([]);
  });

  test("commands of both processes on the same actors, as fast as they go: in the end what runs is what the states say", async () => {
    const { one, two } = await both();
    const ids = await Promise.all(Array.from({ length: 12 }, () => one.create()));
    for (let round = 0; round < 12; round++) {
      await Promise.all(
        ids.flatMap((id, index) => [
          one.ask(id, (index + round) % 2 === 0 ? "link" : "lost"),
          two.ask(id, (index + round) % 3 === 0 ? "again" : "lost"),
          one.ask(id, (index + round) % 5 === 0 ? "lost" : "link"),
        ]),
      );
    }
    const linked = new Map(await Promise.all(ids.map(async (id) => [id, (await one.state(id)) === "linked"] as const)));
    await eventually(() => ids.map((id) => living(id).map(({ by }) => by))).toEqual(
      ids.map((id) => (linked.get(id) ? [holderOf(id)?.name] : [])),
    );
    // What is still on its way in the log changes nothing any more.
    await Promise.all(followers.map((follower) => follower.caughtUp()));
    expect(ids.map((id) => living(id).length)).toEqual(ids.map((id) => Number(linked.get(id))));
  });

  test("residents of a dead process are resumed under a larger token, and begin nowhere else before its leases ran out", async () => {
    const one = await process("one", idle, { clock: deadClock() });
    await one.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 10 }, () => one.create()));
    await Promise.all(ids.map((id) => one.ask(id, "link")));
    expect(lives.map(({ by }) => by)).toEqual(ids.map(() => "one"));
    const before = new Map(lives.map(({ id, fence }) => [id, fence]));
    const two = await process("two", idle);
    await two.supervisor.start();
    await eventually(() => lives.filter(({ by }) => by === "two").length).toBe(ids.length);
    for (const { id, resumed, fence } of lives.filter(({ by }) => by === "two")) {
      expect(resumed).toBe(true);
      expect(fence).toBeGreaterThan(before.get(id) ?? Infinity);
    }
    const entries = await Promise.all(ids.map((id) => two.journal(id)));
    expect(entries.map((journal) => journal.at(-1)?.event)).toEqual(ids.map(() => "link"));
  });

  test("a process that joins takes residents over only after they were ended where they ran", async () => {
    const one = await process("one", idle);
    await one.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => one.create()));
    await Promise.all(ids.map((id) => one.ask(id, "link")));
    const two = await process("two", idle);
    let together = 0;
    const start = lives.push.bind(lives);
    lives.push = (...more) => {
      for (const { id } of more) together += living(id).length;
      return start(...more);
    };
    await two.supervisor.start();
    await evened();
    await eventually(() => ids.map((id) => living(id).map(({ by }) => by))).toEqual(
      ids.map((id) => [holderOf(id)?.name]),
    );
    expect(lives.filter(({ by }) => by === "two").length).toBeGreaterThan(0);
    expect(together).toBe(0);
    await one.supervisor.drain(20);
    await eventually(() => ids.map((id) => living(id).map(({ by }) => by))).toEqual(ids.map(() => ["two"]));
    expect(together).toBe(0);
  });

  test("what a resident says after its process lost the shard is not taken", async () => {
    let skipped = 0;
    const one = await process("one", idle, { monotonic: () => performance.now() + skipped });
    await one.supervisor.start();
    const id = await one.create();
    await one.ask(id, "link");
    // As after a pause: no timer has run yet, and the socket's end is told of first.
    skipped = QUICK.own;
    await lives[0]?.send({ type: "lost" });
    expect(await one.state(id)).toBe("linked");
  });

  test("an effect of a dead process runs again as soon as that counts as dead, long before its lease ends", async () => {
    const one = await process("one", endless, { clock: deadClock() });
    await one.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 3 }, () => one.create()));
    await Promise.all(ids.map((id) => one.ask(id, "go")));
    await eventually(() => runs.length).toBe(3);
    const two = await process("two", idle);
    await two.supervisor.start();
    await eventually(async () => Promise.all(ids.map((id) => two.state(id)))).toEqual(ids.map(() => "over"));
    expect(runs.slice(3).map(({ by, attempt }) => [by, attempt])).toEqual(ids.map(() => ["two", 2]));
  });

  test("timers and effects of shards that nobody looks after are carried out before the leases end", async () => {
    const one = await process("one", idle, { clock: deadClock(), times: LONG });
    await one.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => one.create({ patience: 1 })));
    await Promise.all(ids.slice(0, 10).map((id) => one.ask(id, "wait")));
    // As of commands of a process that died before it began them.
    const clerk = panelOn(shared);
    await Promise.all(ids.slice(10).map((id) => clerk.ask(id, "go")));
    const two = await process("two", idle, { times: LONG });
    await two.supervisor.start();
    await eventually(async () => Promise.all(ids.map((id) => two.state(id)))).toEqual(ids.map(() => "over"));
    expect(shards.filter((shard) => two.part.shards.holds(shard))).toEqual([]);
    expect(runs.map(({ by, attempt }) => [by, attempt])).toEqual(ids.slice(10).map(() => ["two", 1]));
  });

  test("an effect that another process ends is aborted at once, and one begun later is not", async () => {
    const { one, two } = await both(endless);
    const signals: AbortSignal[] = [];
    const three = await process("three", (run) => {
      signals.push(run.signal);
      return endless(run);
    });
    await three.supervisor.start();
    const id = await one.create();
    await three.ask(id, "go");
    await eventually(() => signals.length).toBe(1);
    await two.ask(id, "stop");
    await three.ask(id, "go");
    await eventually(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await two.ask(id, "again");
    await eventually(() => signals[1]?.aborted).toBe(true);
    await three.ask(id, "again");
    await eventually(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    await Promise.all(followers.map((follower) => follower.caughtUp()));
    expect(signals[2]?.aborted).toBe(false);
  });

  test("a held effect runs with the holder, with its token, and moves with the shard", async () => {
    const held = { limits: { held: true as const, attempts: 10 } };
    const [one, two] = [await process("one", endless, held), await process("two", endless, held)];
    await one.supervisor.start();
    const ids = await Promise.all(Array.from({ length: 8 }, () => one.create()));
    await Promise.all(ids.map((id) => one.ask(id, "go")));
    await eventually(() => runs.length).toBe(ids.length);
    await two.supervisor.start();
    await evened();
    const last = (id: number) => runs.findLast(({ actorId, signal }) => actorId === id && !signal.aborted);
    await eventually(() => ids.map((id) => last(id)?.by)).toEqual(ids.map((id) => holderOf(id)?.name));
    expect(runs.some(({ by }) => by === "two")).toBe(true);
    for (const id of ids) expect(last(id)?.fence).toBe(holderOf(id)?.part.shards.token(id));
    // Asked for where the shard is not held: it is found by who holds it.
    await Promise.all(ids.map((id) => two.ask(id, "again")));
    await eventually(() => ids.map((id) => [last(id)?.by, last(id)?.idempotencyKey])).toEqual(
      ids.map((id) => [holderOf(id)?.name, `job:${id}:3:0`]),
    );
  });
});
