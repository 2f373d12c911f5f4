// The schedule makes archives when they are due: soon after a start, again after a failure, by one process of several.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Scheduler, type SchedulerDeps } from "../../../src/backups/schedule/scheduler.ts";
import { BackupOutcomes } from "../../../src/backups/stored/outcomes.ts";
import { Outbox, EventRows } from "../../../src/runtime/index.ts";
import { sql } from "../../../src/db/index.ts";
import { ManualClock } from "../../../src/lib/clock.ts";
import { dialects } from "../../database.ts";
import { openMaker } from "../stored/made.ts";

const HOUR_MS = 3_600_000;

describe.each(dialects)("the schedule on %s", (dialect) => {
  let undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const each of undo.toReversed()) await each();
    undo = [];
  });

  async function scheduled(given: Partial<SchedulerDeps> = {}) {
    const made = await openMaker(dialect);
    undo.push(made.close);
    const values = new Map([
      ["backup_enabled", "true"],
      ["backup_interval_hours", "6"],
      ["backup_include_audit", "true"],
    ]);
    const settings: SchedulerDeps["settings"] = {
      text: (key) => values.get(key) ?? "",
      textAtStart: (key) => values.get(key) ?? "",
      number: (key) => Number(values.get(key) ?? "0"),
      flag: (key) => values.get(key) === "true",
      addresses: () => {
        throw new Error("no addresses");
      },
      entry: () => undefined,
    };
    const clock = new ManualClock(Date.now());
    const outcomes = new BackupOutcomes(made.database);
    const { commits, reads } = made.database;
    const begin = (more: Partial<SchedulerDeps> = {}) => {
      const scheduler = new Scheduler({
        clock,
        commits,
        folder: made.folder,
        makeBackup: made.maker.makeBackup,
        outcomes,
        outbox: new Outbox({ record: () => {} }),
        settings,
        holds: () => true,
        onMoved: () => () => {},
        made: async () => "",
        log: { info: () => {}, warn: () => {} },
        ...given,
        ...more,
      });
      undo.push(() => scheduler.stop());
      return scheduler;
    };
    const raised = async () =>
      (await reads.rows(EventRows, sql`select * from events where event like 'panel.backup%' order by id`)).map(
        ({ event, data }) => ({ event, data: JSON.parse(data) as unknown }),
      );
    return { ...made, clock, outcomes, values, begin, raised };
  }

  // rule backups.schedule.1
  test("one that became due meanwhile is made soon after the start, and the next an interval later", async () => {
    const { begin, clock, folder, outcomes, raised } = await scheduled();
    const tried: string[] = [];
    const scheduler = begin({ made: async ({ name }) => (tried.push(name), "") });
    scheduler.start();
    expect(await folder.list()).toEqual([]);
    clock.advance(15_000);
    await scheduler.look();
    const [first, ...more] = await folder.list();
    expect(more).toEqual([]);
    expect(first?.manifest).toMatchObject({ history: false, audit: true });
    const result = { at: Math.floor(clock.now() / 1000), ok: true, error: "", name: first?.name, size: first?.size };
    expect(await outcomes.last()).toEqual(result);
    expect(await raised()).toEqual([{ event: "panel.backup_done", data: { name: first?.name, size: first?.size } }]);
    expect(tried).toEqual([first?.name]);
    for (let hour = 0; hour < 5; hour++) {
      clock.advance(HOUR_MS);
      await scheduler.look();
    }
    expect(await folder.list()).toHaveLength(1);
    // Archives are as old as the machine's clock says, which went on meanwhile.
    clock.advance(HOUR_MS + 600_000);
    await scheduler.look();
    expect(await folder.list()).toHaveLength(2);
  });

  // rule backups.schedule.4
  test("a failure is told, outlives a restart, and is tried again within the hour", async () => {
    const { begin, clock, directory, folder, outcomes, raised } = await scheduled();
    // Nothing can be made in a file.
    await writeFile(directory, "in the way");
    const failing = { list: async () => [], directory } as unknown as SchedulerDeps["folder"];
    const first = begin({ folder: failing });
    await first.look();
    const failed = await outcomes.last();
    expect(failed).toMatchObject({ ok: false, name: "", size: 0, error: expect.stringMatching(/EEXIST|ENOTDIR/) });
    expect(await raised()).toEqual([{ event: "panel.backup_failed", data: { error: failed?.error } }]);
    await first.stop();
    await rm(directory);
    await mkdir(directory);
    const second = begin();
    await second.look();
    expect(await folder.list()).toEqual([]);
    clock.advance(HOUR_MS / 2 + 1000);
    await second.look();
    expect(await folder.list()).toHaveLength(1);
    expect(await outcomes.last()).toMatchObject({ ok: true, error: "" });
    expect((await raised()).map(({ event }) => event)).toEqual(["panel.backup_failed", "panel.backup_done"]);
  });

  test("nothing is made while it is off, nor by a process without the duty", async () => {
    const { begin, folder, values } = await scheduled();
    await begin({ holds: () => false }).look();
    values.set("backup_enabled", "false");
    const scheduler = begin();
    await scheduler.look();
    expect(await folder.list()).toEqual([]);
    // The service makes one, due or not.
    await scheduler.run();
    expect(await folder.list()).toHaveLength(1);
  });

  test("a panel that stops gives up what it makes, and has not failed", async () => {
    const { begin, directory, outcomes, raised } = await scheduled();
    const scheduler = begin();
    const looking = scheduler.look();
    await scheduler.stop();
    await looking;
    expect(await outcomes.last()).toBeNull();
    expect(await raised()).toEqual([]);
    expect(await readdir(directory).catch(() => [])).toEqual([]);
  });
});
