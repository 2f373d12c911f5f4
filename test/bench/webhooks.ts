// Events to 20 webhooks of one receiver in another process: deliveries per second of a burst, and from commit to
// arrival while events come steadily. Run: node bin/node24.mjs test/bench/webhooks.ts
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { sql, type Dialect } from "../../src/db/index.ts";
import { eventEntities } from "../../src/events/testing.ts";
import { createEvents, type TestEvents } from "../events/create-events.ts";
import { DeliveryQueueRows, emptyQueue } from "../../src/events/delivery-queue.entity.ts";
import { WebhookRows } from "../../src/events/webhook.entity.ts";
import { httpEntities, SCOPES } from "../../src/http/index.ts";
import { openOutgoing } from "../../src/outgoing/index.ts";
import { EVENT } from "../../src/runtime/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { Child } from "./measure/child.ts";
import { closedLoop } from "./measure/closed-loop.ts";
import { extent, LOOP_MS, RUNS } from "./measure/extent.ts";
import { median, medianOf, percent, printTable, quantile, thousands, type Cell } from "./measure/table.ts";

const HOOKS = 20;
/** Subjects that the panel sends to one webhook at once. */
const LANES = 8;
/** Events of a burst. */
const BURST = extent(500, 50);
/** Events per second, each to all hooks. */
const STEADY = [10, 50];
const STEADY_MS = extent(5000, 1000);
/** Accounts that the events are about: deliveries of one keep their order. */
const SUBJECTS = 1000;

interface Delivered {
  readonly perSecond: number;
  /** Milliseconds from the commit to the arrival. */
  readonly p50: number;
  readonly p99: number;
  /** Deliveries that arrived more than once. */
  readonly again: number;
}

function createWebhooks({ commits }: TestDatabase, port: number): Promise<void> {
  return commits.submit({
    name: "webhooks",
    locks: [],
    decide(draft) {
      for (let hook = 0; hook < HOOKS; hook++) {
        const id = draft.nextId("webhooks");
        const who = {
          secret: "" as const,
          events: [],
          ownOnly: false,
          adminId: 0,
          creatorId: 1,
          editorId: 0,
          reach: null,
          enabled: true,
        };
        const url = `http://127.0.0.1:${port}/${hook}`;
        draft.insert(WebhookRows, {
          id,
          name: `hook ${hook}`,
          url,
          ...who,
          createdAt: draft.time,
          updatedAt: draft.time,
        });
        draft.insert(DeliveryQueueRows, emptyQueue(id));
      }
    },
  });
}

let raised = 0;
const raise = ({ commits }: TestDatabase, { outbox }: TestEvents) => {
  const userId = 1 + (raised++ % SUBJECTS);
  const event = {
    event: "user.enabled",
    subject: `user:${userId}`,
    data: { userId, name: `user ${userId}`, adminId: 0 },
  };
  return commits.submit({ name: "raise", locks: [], decide: (draft) => outbox.raise(draft, event) });
};

/** Raises events as `send` does it, and waits until all have arrived everywhere. */
async function observe(
  db: TestDatabase,
  receiver: Child,
  events: number,
  send: () => Promise<unknown>,
): Promise<Delivered> {
  const committed = new Map<number, number>();
  const unlisten = db.commits.onCommit(({ facts }) => {
    for (const { id } of facts.of(EVENT)) committed.set(id, performance.timeOrigin + performance.now());
  });
  const began = performance.timeOrigin + performance.now();
  const [arrivals] = await Promise.all([
    receiver.ask({ do: "take", arrivals: events * HOOKS }, z.array(z.tuple([z.number(), z.number(), z.number()]))),
    send(),
  ]);
  unlisten();
  const seen = new Set(arrivals.map(([hook, id]) => `${hook}:${id}`));
  if (committed.size !== events || seen.size !== events * HOOKS)
    throw new Error(`${seen.size} of ${events * HOOKS} deliveries arrived`);
  const late = arrivals.map(([, id, at]) => at - (committed.get(id) ?? Number.NaN));
  const last = Math.max(...arrivals.map(([, , at]) => at));
  return {
    perSecond: (arrivals.length * 1000) / (last - began),
    p50: quantile(late, 0.5),
    p99: quantile(late, 0.99),
    again: arrivals.length - seen.size,
  };
}

/** Requests alone, as many at once as the panel has lanes: nothing is decided, committed or recorded. */
async function bareRequests(receiver: Child, port: number): Promise<number> {
  const { fetch } = openOutgoing();
  const body = Buffer.from(
    JSON.stringify({ v: 1, id: 1, event: "user.enabled", time: 1, data: { userId: 1, name: "user 1", adminId: 0 } }),
  );
  const headers = { "content-type": "application/json" };
  const once = (caller: number) =>
    fetch({
      url: `http://127.0.0.1:${port}/${caller % HOOKS}`,
      method: "POST",
      headers,
      body,
      allowPrivate: true,
      timeout: 10_000,
      beginning: { bytes: 0, within: 0 },
    });
  const { rate } = await closedLoop(HOOKS * LANES, LOOP_MS, once);
  await receiver.ask({ do: "take" }, z.unknown());
  return rate;
}

async function measure(dialect: Dialect): Promise<Cell[][]> {
  const receiver = new Child("children/receiver.ts");
  const { port } = await receiver.ask({ do: "listen" }, z.object({ port: z.int() }));
  const db = await openTestDatabase(dialect, [...eventEntities, ...httpEntities]);
  const sudo = { base: "sudo" as const, scopes: new Set(SCOPES) };
  const events = createEvents({
    database: db,
    now: Date.now,
    key: Buffer.alloc(32, 9),
    allowPrivate: () => true,
    retentionDays: () => 30,
    listenerOf: () => sudo,
    log: { warn: (...said) => console.error(said) },
  });
  await createWebhooks(db, port);
  await events.load();
  events.dispatcher.start();
  const burst = (count: number) =>
    observe(db, receiver, count, () => Promise.all(Array.from({ length: count }, () => raise(db, events))));
  const steady = (rate: number) =>
    observe(db, receiver, (rate * STEADY_MS) / 1000, async () => {
      const began = performance.now();
      for (let sent = 0; sent < (rate * STEADY_MS) / 1000; sent++) {
        await pause(Math.max(0, began + (sent * 1000) / rate - performance.now()));
        await raise(db, events);
      }
    });
  await burst(Math.ceil(BURST / 5));
  const measured = new Map<string, Delivered[]>();
  const bare: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    bare.push(await bareRequests(receiver, port));
    const add = (name: string, one: Delivered) => measured.set(name, [...(measured.get(name) ?? []), one]);
    add(`${thousands(BURST)} at once`, await burst(BURST));
    for (const rate of STEADY) add(`${rate} a second`, await steady(rate));
  }
  await events.dispatcher.idle();
  const [left] = await db.reads.query<{ rows: number }>(
    sql`select count(*) as rows from deliveries where state <> 'delivered'`,
  );
  if (left?.rows !== 0) throw new Error(`${left?.rows} deliveries are not recorded as delivered`);
  await events.stop();
  await receiver.end("SIGKILL");
  await db.dispose();
  const base = median(bare);
  const rows = [...measured].map(([name, runs]): Cell[] => {
    const of = (pick: (run: Delivered) => number) => medianOf(runs, pick);
    const rate = of((run) => run.perSecond);
    return [
      dialect,
      name,
      rate,
      percent(rate, base),
      of((run) => run.p50),
      of((run) => run.p99),
      of((run) => run.again),
    ];
  });
  return [...rows, [dialect, "bare requests", base, "100 %", "", "", ""]];
}

const rows: Cell[][] = [];
for (const dialect of dialects) rows.push(...(await measure(dialect)));
printTable(
  `Events to ${HOOKS} webhooks, from commit to arrival, medians of ${RUNS}`,
  ["database", "events", "deliveries/s", "of bare", "p50 ms", "p99 ms", "sent again"],
  rows,
);
