// Heartbeats of process runs: who is alive by the database's own clock, also when that is set back.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databaseNow, Processes, sql } from "../../src/db/index.ts";
import { ProcessRows } from "../../src/db/processes.entity.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

describe.each(dialects)("processes on %s", (dialect) => {
  let db: TestDatabase;
  let clock: ManualClock;
  const started: Processes[] = [];

  beforeEach(async () => {
    db = await openTestDatabase(dialect, []);
    clock = new ManualClock(0);
  });
  afterEach(async () => {
    for (const each of started.splice(0)) await each.stop();
    await db.dispose();
  });

  const join = async (boot: string) => {
    const onError = (error: unknown) => {
      throw error;
    };
    const processes = new Processes({ commits: db.commits, reads: db.reads, clock, boot, onError });
    await processes.start();
    started.push(processes);
    return processes;
  };
  /** The database's clock goes on by so much, for those that were seen until now. */
  const pass = async (ms: number) => {
    await db.commits.execute({
      name: "test.pass",
      statements: [db.reads.statement("pass", sql`update processes set seen_at = seen_at - ${ms}`)],
    });
  };
  const rows = () => db.reads.rows(ProcessRows, sql`select * from processes order by id`);

  test("the time is the database's, in whole milliseconds", async () => {
    const [found] = await db.reads.query<{ now: number }>(sql`select ${databaseNow(dialect)} as now`);
    expect(Number.isInteger(found?.now)).toBe(true);
    expect(Math.abs((found?.now ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  // rule http.key.8
  test("a run is alive while it beats, dead when it was not seen for four seconds, and alive again when it beats again", async () => {
    const [one] = [await join("one"), await join("two")];
    expect([await one.isAlive("two"), await one.dead()]).toEqual([true, []]);
    await pass(3000);
    expect(await one.isAlive("two")).toBe(true);
    await pass(1500);
    expect([await one.isAlive("two"), await one.dead()]).toEqual([false, ["two"]]);
    clock.advance(1500);
    await expect.poll(() => one.isAlive("two")).toBe(true);
    expect(await one.dead()).toEqual([]);
  });

  test("one that ends is gone at once, and nobody is alive who was never there", async () => {
    const [one, two] = [await join("one"), await join("two")];
    await two.stop();
    expect([await one.isAlive("two"), await one.isAlive("three"), await one.dead()]).toEqual([false, false, []]);
  });

  test("who was seen by a clock that was set back since is dead until it beats again", async () => {
    const [one] = [await join("one"), await join("two")];
    await pass(-86_400_000);
    expect(await one.isAlive("two")).toBe(false);
    clock.advance(1500);
    await expect.poll(() => one.isAlive("two")).toBe(true);
  });

  test("whether a run takes shards is said with its heartbeat; the long dead are forgotten at a start", async () => {
    const [one] = [await join("one"), await join("two")];
    await one.takeShards(true);
    expect((await rows()).map(({ id, takesShards }) => [id, takesShards])).toEqual([
      ["one", true],
      ["two", false],
    ]);
    await pass(2 * 3_600_000);
    await join("three");
    expect((await rows()).map(({ id }) => id)).toEqual(["three"]);
  });
});
