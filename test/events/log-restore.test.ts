// A database that was put back to an older state: a start notices it by what its process saw before, and no cursor from
// before is known any more, also where its place is in both histories.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { eventEntities } from "../../src/events/testing.ts";
import { httpEntities } from "../../src/http/index.ts";
import { connectTestDatabase, createEmptyDatabase, createTestDatabase, dialects } from "../database.ts";
import { openApi } from "./api.ts";
import { createEvents } from "./create-events.ts";
import { Clock, key, listenerOf } from "./panel.ts";

interface Page {
  readonly cursor: string;
  readonly items: readonly { readonly data: { readonly n: number } }[];
}

describe.each(dialects)("a restored database on %s", (dialect) => {
  const entities = [...eventEntities, ...httpEntities];
  const clock = new Clock();
  const undo: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const step of undo.toReversed()) await step();
  });

  const newDirectory = (): string => {
    const directory = mkdtempSync(join(tmpdir(), "signalbox-log-"));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  };

  /** One run of a panel process, with its files in a directory. */
  async function run<T>(url: string, directory: string, work: (process: Run) => Promise<T>): Promise<T> {
    const database = await connectTestDatabase(url, entities, clock.now);
    const events = createEvents({
      database,
      now: clock.now,
      key,
      allowPrivate: () => true,
      retentionDays: () => 30,
      listenerOf,
      directory,
      log: { warn: () => {} },
    });
    await events.load();
    const api = await openApi({ database, events, clock });
    const ask = async (cursor: string) => {
      const { status, body } = await api.call("GET", `/events/log?cursor=${encodeURIComponent(cursor)}`);
      return { status, ...(body as Page) };
    };
    try {
      return await work({
        ask,
        raise: async (n) => {
          await database.commits.submit({
            name: "raise",
            locks: [],
            decide: (draft) =>
              events.outbox.raise(draft, {
                event: "user.created",
                subject: `user:${n}`,
                data: { userId: n, name: "a", adminId: 0, n },
              }),
          });
          await events.positions.give();
        },
        undoLast: async () => {
          const rewind = [
            sql`delete from events where position = (select head_position from event_log)`,
            sql`update event_log set (head_position, head_id, head_time) =
              (select position, id, time from events order by position desc limit 1)`,
          ];
          const statements = rewind.map((query) => database.reads.statement("rewind", query));
          await database.commits.execute({ name: "rewind", statements });
        },
      });
    } finally {
      await api.close();
      await events.stop();
      await database.close();
    }
  }

  interface Run {
    readonly ask: (cursor: string) => Promise<Page & { readonly status: number }>;
    readonly raise: (n: number) => Promise<void>;
    /** As a restore under a running panel. */
    readonly undoLast: () => Promise<void>;
  }

  /** Copies a database that nobody has open, and resolves to the copy's address. */
  async function copyOf(url: string): Promise<string> {
    const template = dialect === "sqlite" ? url.replace("sqlite:", "") : new URL(url).pathname.slice(1);
    const copy = await createEmptyDatabase(dialect, template);
    undo.push(copy.drop);
    if (dialect === "sqlite" && existsSync(`${template}-wal`))
      copyFileSync(`${template}-wal`, `${copy.url.replace("sqlite:", "")}-wal`);
    return copy.url;
  }

  // rule events.log.9
  test("a start begins another epoch, one for all processes; a start that finds what it saw does not", async () => {
    const { url, drop } = await createTestDatabase(dialect, entities);
    undo.push(drop);
    const [one, other, fresh] = [newDirectory(), newDirectory(), newDirectory()];
    const shared = await run(url, one, async ({ raise, ask }) => {
      await raise(1);
      await raise(2);
      return (await ask("")).cursor;
    });
    const backup = await copyOf(url);
    const numbers = ({ items }: Page) => items.map(({ data }) => data.n);
    const last = await run(url, one, async ({ raise, ask }) => {
      expect((await ask(shared)).status).toBe(200);
      await raise(3);
      const page = await ask(shared);
      expect(numbers(page)).toEqual([3]);
      return page.cursor;
    });
    await run(url, other, async ({ ask }) => expect((await ask(last)).items).toEqual([]));
    // A panel that was never on this database has seen nothing of it, and decides nothing.
    const restored = await copyOf(backup);
    await run(restored, fresh, async ({ ask }) => expect((await ask(shared)).status).toBe(200));
    const renewed = await run(restored, one, async ({ raise, ask }) => {
      expect([(await ask(shared)).status, (await ask(last)).status]).toEqual([410, 410]);
      await raise(11);
      expect((await ask(last)).status).toBe(410);
      const page = await ask("");
      expect(numbers(page)).toEqual([1, 2, 11]);
      return page.cursor;
    });
    for (const directory of [other, fresh, one])
      await run(restored, directory, async ({ ask }) =>
        expect(await ask(renewed)).toMatchObject({ status: 200, items: [] }),
      );
    // What a killed process had written of its file, or nothing at all, is no reason to begin another epoch.
    rmSync(join(one, "event-log.json"));
    await run(restored, one, async ({ ask }) => expect((await ask(renewed)).status).toBe(200));
    expect(JSON.parse(readFileSync(join(one, "event-log.json"), "utf8"))).toMatchObject({ position: 3 });
  });

  // rule events.log.9
  test("under a running panel too", async () => {
    const { url, drop } = await createTestDatabase(dialect, entities);
    undo.push(drop);
    const directory = newDirectory();
    await run(url, directory, async ({ raise, ask, undoLast }) => {
      await raise(1);
      const { cursor } = await ask("");
      await raise(2);
      const kept = () => readFileSync(join(directory, "event-log.json"), "utf8").includes('"position":2');
      while (!existsSync(join(directory, "event-log.json")) || !kept()) await pause(50);
      await undoLast();
      await raise(12);
      for (let { status } = await ask(cursor); status !== 410; { status } = await ask(cursor)) await pause(50);
    });
  });
});
