// A client that is killed at random and resumes by its last cursor, by stream and by requests, on either process: it
// gets every event once, in one order, whatever commits late and whoever dies.
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { sql, type Database, type Follower } from "../../src/db/index.ts";
import { eventEntities } from "../../src/events/testing.ts";
import { POSITIONS_GIVEN } from "../../src/events/log-positions.ts";
import { httpEntities } from "../../src/http/index.ts";
import { EVENT } from "../../src/runtime/index.ts";
import { connectTestDatabase, dialects, follow } from "../database.ts";
import { openApi, type EventsApi } from "./api.ts";
import type { TestEvents } from "./create-events.ts";
import { openPanel, RESELLER, type Panel } from "./panel.ts";

interface Frame {
  readonly id: number;
  readonly cursor: string;
  readonly data: { readonly n: number };
}

/** A panel process on the test's database. */
interface Process {
  readonly database: Database;
  readonly events: TestEvents;
  readonly api: EventsApi;
  readonly base: string;
  readonly follower: Follower | undefined;
}

describe.each(dialects)("resuming on %s", (dialect) => {
  let panel: Panel;
  const processes: Process[] = [];
  /** Whether positions are the first process's to give. */
  let holds = true;

  beforeAll(async () => {
    panel = await openPanel(dialect);
    const echo = { tables: new Set<string>(), facts: new Set([EVENT.name, POSITIONS_GIVEN.name]) };
    for (const first of dialect === "postgresql" ? [true, false] : [true]) {
      const entities = [...eventEntities, ...httpEntities];
      const database =
        dialect === "postgresql"
          ? await connectTestDatabase(panel.database.url, entities, panel.clock.now, echo)
          : panel.database;
      const events =
        dialect === "postgresql"
          ? await panel.another(database, { givesPositions: () => first && holds })
          : panel.events;
      const api = await openApi({ ...panel, database: { ...panel.database, ...database }, events });
      const base = await api.api.app.listen({ host: "127.0.0.1", port: 0 });
      const follower = dialect === "postgresql" ? await follow(database) : undefined;
      processes.push({ database, events, api, base, follower });
    }
  });
  afterAll(async () => {
    for (const { api, follower, database, events } of processes) {
      await api.close();
      await events.stop();
      await follower?.stop();
      if (dialect === "postgresql") await database.close();
    }
    await panel.dispose();
  });

  const process = (n: number): Process => {
    const found = processes[n % processes.length];
    if (!found) throw new Error("no process");
    return found;
  };
  const raise = async (by: number, n: number, adminId = RESELLER): Promise<void> => {
    const { database, events } = process(by);
    await database.commits.submit({
      name: "raise",
      locks: [],
      decide: (draft) =>
        events.outbox.raise(draft, {
          event: "user.created",
          subject: `user:${n}`,
          data: { userId: n, name: "a", adminId, n },
        }),
    });
  };
  const endOf = async (): Promise<string> => {
    await process(0).events.positions.give();
    for (let cursor = ""; ;) {
      const { body } = await process(0).api.call("GET", `/events/log?limit=1000&cursor=${cursor}`);
      const page = body as { cursor: string; more: boolean };
      if (!page.more) return page.cursor;
      ({ cursor } = page);
    }
  };
  const dial = (by: number, cursor: string, as = "reseller"): WebSocket =>
    new WebSocket(
      `${process(by).base.replace("http", "ws")}/api/v1/events/stream?cursor=${encodeURIComponent(cursor)}`,
      {
        headers: { authorization: `Bearer ${as}` },
      },
    );

  /** Takes at most `most` frames, then is gone without a word; resolves to what had arrived by then. */
  async function takeSome(by: number, cursor: string, most: number): Promise<Frame[]> {
    const socket = dial(by, cursor);
    const frames: Frame[] = [];
    const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
    // One that is refused or breaks off is dialled again, like any other.
    socket.on("error", () => resolve());
    socket.on("close", (code) => (code === 4410 ? reject(new Error("the cursor expired")) : resolve()));
    socket.on("message", (text: Buffer) => {
      if (frames.length < most) frames.push(JSON.parse(text.toString("utf8")) as Frame);
      if (frames.length === most) resolve();
    });
    await enough;
    socket.terminate();
    return frames;
  }

  // rule events.log.8
  test("a stream that is cut at random and resumed elsewhere: none lost, none twice", async () => {
    let cursor = await endOf();
    const total = 240;
    const raising = (async () => {
      for (let n = 0; n < total; n += 4) {
        await Promise.all([0, 1, 2, 3].map((step) => raise(step, n + step)));
        // What others are told of in between takes no part in it.
        await raise(n, -1, 0);
      }
    })();
    const got: Frame[] = [];
    for (let round = 0; got.length < total; round++) {
      const frames = await takeSome(round, cursor, Math.min(total - got.length, [1, 37, 2, 61, 13][round % 5] ?? 1));
      got.push(...frames);
      cursor = frames.at(-1)?.cursor ?? cursor;
    }
    await raising;
    expect(got.map(({ data }) => data.n).toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n));
    // Each process raised its own one after the other, and so they came.
    for (let step = 0; step < 4; step++) {
      const own = got.map(({ data }) => data.n).filter((n) => n % 4 === step);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
    const after = await process(1).api.call("GET", `/events/log?cursor=${cursor}`, undefined, "reseller");
    expect(after.body).toMatchObject({ items: [], more: false });
  });

  // rule events.log.8
  test("a cursor that is no longer known closes the stream with 4410, and what is none is refused before", async () => {
    const cursor = await endOf();
    const { commits, reads } = process(0).database;
    const run = (query: ReturnType<typeof sql>) =>
      commits.execute({ name: "test", statements: [reads.statement("test", query)] });
    const [{ epoch } = { epoch: "" }] = await reads.query<{ epoch: string }>(sql`select epoch from event_log`);
    await run(sql`update event_log set epoch = 'after a restore'`);
    const [code] = (await once(dial(0, cursor), "close")) as [number];
    expect(code).toBe(4410);
    await run(sql`update event_log set epoch = ${epoch}`);
    const [, response] = (await once(dial(0, "nonsense"), "unexpected-response")) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(400);
  });

  // Writers of SQLite take turns, so there is no order of commits to get wrong.
  if (dialect === "postgresql") {
    // rule events.log.4
    test("what commits late comes after every cursor that was given out, and a holder that dies in the middle is replaced", async () => {
      const late = new pg.Client({ connectionString: panel.database.url });
      const dying = new pg.Client({ connectionString: panel.database.url });
      dying.on("error", () => {});
      await Promise.all([late.connect(), dying.connect()]);
      let cursor = await endOf();
      const got: number[] = [];
      const read = async (wait: number): Promise<void> => {
        const answer = await process(got.length).api.call(
          "GET",
          `/events/log?cursor=${cursor}&wait=${wait}`,
          undefined,
          "reseller",
        );
        const { items, cursor: next } = answer.body as { items: { data: { n: number } }[]; cursor: string };
        got.push(...items.map(({ data }) => data.n));
        cursor = next;
      };
      // An early time, and a transaction that takes long.
      await late.query("begin");
      for (const n of [1, 2])
        await late.query(
          `insert into events (id, event, time, data, admin_id, subject) values ($1, 'user.created', 1, $2, $3, 'user:1')`,
          [900_000_000 + n, JSON.stringify({ n, adminId: RESELLER }), RESELLER],
        );
      await raise(0, 3);
      await raise(1, 4);
      while (got.length < 2) await read(5);
      await late.query("commit");
      await raise(0, 5);
      while (got.length < 5) await read(5);
      expect(got.slice(0, 2).toSorted((a, b) => a - b)).toEqual([3, 4]);
      expect(got.slice(2).toSorted((a, b) => a - b)).toEqual([1, 2, 5]);
      // The holder dies while it gives positions: it holds the head, and says nothing more.
      holds = false;
      const [{ pid } = { pid: 0 }] = (await dying.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
      await dying.query("begin");
      await dying.query("select * from event_log for update");
      await dying.query("update events set position = 1e9 where position is null");
      await dying.query("update event_log set head_position = head_position + 100");
      await raise(0, 6);
      await raise(1, 7);
      await turn();
      await late.query("select pg_terminate_backend($1)", [pid]);
      while (got.length < 7) await read(5);
      expect(got.slice(5).toSorted((a, b) => a - b)).toEqual([6, 7]);
      holds = true;
      await late.end();
    });

    // rule events.log.4
    test("of two events about one record the later commit's comes later", async () => {
      let cursor = await endOf();
      // The second process has larger ids by now, or smaller ones: the order of commits decides.
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      for (const n of numbers) await raise(n, n);
      const got: number[] = [];
      while (got.length < numbers.length) {
        const { body } = await process(0).api.call("GET", `/events/log?cursor=${cursor}&wait=5`, undefined, "reseller");
        const page = body as { cursor: string; items: { data: { n: number } }[] };
        got.push(...page.items.map(({ data }) => data.n));
        ({ cursor } = page);
      }
      expect(got).toEqual(numbers);
    });
  }
});
