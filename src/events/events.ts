// Webhooks and their delivery, the log and the live feed, wired together.
import { randomUUID } from "node:crypto";
import type { Committer, Reader } from "../db/index.ts";
import type { Caller, Route, Socket } from "../http/index.ts";
import { Signals } from "../lib/signals.ts";
import { systemClock, type Clock } from "../lib/clock.ts";
import { openOutgoing, type Fetch } from "../outgoing/index.ts";
import { EventRows, type Outbox } from "../runtime/index.ts";
import type { ListenerOf } from "./audience.ts";
import type { Catalogue, PING } from "./catalogue.ts";
import { DeliveryQueueRows } from "./delivery-queue.entity.ts";
import { DeliveryRows } from "./delivery.entity.ts";
import { deliveryRoutes } from "./deliveries.routes.ts";
import { Dispatcher } from "./dispatcher.ts";
import { eventRoutes, heardBy } from "./events.routes.ts";
import { Feed } from "./feed.ts";
import type { Log } from "./log.ts";
import { LogCursors } from "./log-cursor.ts";
import { LogHeadRows } from "./log-head.entity.ts";
import { LogPositions } from "./log-positions.ts";
import { LogReader } from "./log-reader.ts";
import { LogTail } from "./log-tail.ts";
import { LogWaiting } from "./log-waiting.ts";
import { LogWitness } from "./log-witness.ts";
import { cursorParameter } from "./cursor-parameter.ts";
import { pruneEvents, type Pruned } from "./retention.ts";
import type { Subscribers } from "./subscribers.ts";
import { WebhookRows } from "./webhook.entity.ts";
import { webhookRoutes } from "./webhooks.routes.ts";

const SOLE_OWNER = "the only process";

/** Tables of this feature, with the events' own. */
export const eventEntities = [EventRows, LogHeadRows, WebhookRows, DeliveryRows, DeliveryQueueRows] as const;

export interface EventsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly catalogue: Catalogue;
  readonly subscribers: Subscribers;
  /** For the test event. */
  readonly outbox: Outbox<typeof PING>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The panel's key, under which secrets are sealed. */
  readonly key: Uint8Array;
  /** The setting `webhook_allow_private`, as it is now. */
  readonly allowPrivate: () => boolean;
  /** The setting `event_retention_days`, as it is now. */
  readonly retentionDays: () => number;
  /** Accounts by id, from memory. */
  readonly listenerOf: ListenerOf;
  readonly log: Log;
  /** Wakes what waits in the log; the system's unless given. */
  readonly clock?: Clock;
  /** Whether positions in the log are this process's to give; they are unless said. */
  readonly givesPositions?: () => boolean;
  /** Hears of deliveries; nobody where none is given. */
  readonly signals?: Signals;
  /** Where the process keeps its files; unless given it does not remember what it saw of the log. */
  readonly directory?: string;
  /** Names this process in leases; unless given random, or on SQLite always the same. */
  readonly owner?: string;
  readonly random?: () => number;
  readonly fetch?: Fetch;
  /** Milliseconds in which a receiver must answer; 10,000 unless a test says otherwise. */
  readonly timeout?: number;
}

export interface Events {
  readonly dispatcher: Dispatcher;
  readonly positions: LogPositions;
  readonly feed: Feed;
  readonly routes: readonly Route[];
  readonly sockets: readonly Socket[];
  /** Forgets what is past its retention. To be called hourly. */
  prune(): Promise<Pruned>;
  /** Aborts running deliveries and releases the leases. Call it before the database is closed. */
  stop(): Promise<void>;
}

/**
 * Wires the feature over subscribers that are loaded and follow the commits. Nothing is sent before
 * `dispatcher.start()`.
 */
export function openEvents(deps: EventsDeps): Events {
  const { allowPrivate, catalogue, commits, key, listenerOf, now, outbox, reads, subscribers } = deps;
  const dispatcher = new Dispatcher({
    commits,
    reads,
    subscribers,
    now,
    key,
    allowPrivate,
    log: deps.log,
    signals: deps.signals ?? new Signals(),
    // On SQLite there is only one process: after a kill, the next one takes over the deliveries immediately, without
    // waiting for the lease.
    owner: deps.owner ?? (reads.dialect === "sqlite" ? SOLE_OWNER : randomUUID()),
    random: deps.random ?? Math.random,
    fetch: deps.fetch ?? openOutgoing().fetch,
    timeout: deps.timeout ?? 10_000,
    steady: () => performance.now(),
  });
  const clock = deps.clock ?? systemClock;
  const holds = deps.givesPositions ?? (() => true);
  const positions = new LogPositions({ commits, reads, clock, holds, log: deps.log });
  const cursors = new LogCursors(key);
  const cursor = cursorParameter(cursors);
  const witness = new LogWitness({ commits, reads, clock, log: deps.log, directory: deps.directory });
  const ready = () => witness.ready();
  const reader = new LogReader({ reads, cursors, prepare: () => positions.prepare(), ready });
  const tail = new LogTail({ reader, clock, log: deps.log });
  const hears = (caller: Caller) => heardBy(catalogue, caller);
  tail.start();
  const feed = new Feed({ catalogue, reader, tail, cursor, heardBy: hears, log: deps.log });
  const waiting = new LogWaiting(reader, tail, clock);
  const unfollow = commits.onCommit((committed) => {
    dispatcher.follow(committed);
    positions.follow(committed);
    tail.follow(committed);
    witness.follow(committed);
  });
  return {
    dispatcher,
    positions,
    feed,
    sockets: [feed.socket],
    routes: [
      ...webhookRoutes({ reads, outbox, key, catalogue, allowPrivate, listenerOf }),
      ...deliveryRoutes({ commits, reads, catalogue, allowPrivate, listenerOf, now }),
      ...eventRoutes({ catalogue, reads, reader, waiting, cursor }),
    ],
    prune: async () => {
      await positions.give();
      return pruneEvents({ commits, reads }, Math.floor(now() / 1000), deps.retentionDays());
    },
    stop: async () => {
      unfollow();
      await Promise.all([dispatcher.stop(), tail.stop(), positions.stop()]);
      await witness.stop();
    },
  };
}
