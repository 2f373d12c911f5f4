// Webhooks and their delivery, the log and the live feed, wired together.
import { randomUUID } from "node:crypto";
import type { Committer, Reader } from "../db/index.ts";
import type { Route, Socket } from "../http/index.ts";
import { createGuardedFetch, type GuardedFetch } from "../lib/guarded-fetch.ts";
import { EventRows, type Outbox } from "../runtime/index.ts";
import type { ListenerOf } from "./audience.ts";
import type { Catalogue, PING } from "./catalogue.ts";
import { DeliveryQueueRows } from "./delivery-queue.entity.ts";
import { DeliveryRows } from "./delivery.entity.ts";
import { Dispatcher } from "./dispatcher.ts";
import { eventRoutes } from "./events.routes.ts";
import { Feed } from "./feed.ts";
import type { Log } from "./log.ts";
import { pruneEvents, type Pruned } from "./retention.ts";
import type { Subscribers } from "./subscribers.ts";
import { WebhookRows } from "./webhook.entity.ts";
import { webhookRoutes } from "./webhooks.routes.ts";

const SOLE_OWNER = "the only process";

/** Tables of this feature, with the events' own. */
export const eventEntities = [EventRows, WebhookRows, DeliveryRows, DeliveryQueueRows] as const;

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
  /** Names this process in leases; unless given random, or on SQLite always the same. */
  readonly owner?: string;
  readonly random?: () => number;
  readonly fetch?: GuardedFetch;
  /** Milliseconds in which a receiver must answer; 10,000 unless a test says otherwise. */
  readonly timeout?: number;
}

export interface Events {
  readonly dispatcher: Dispatcher;
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
    // On SQLite there is only one process: after a kill, the next one takes over the deliveries immediately, without
    // waiting for the lease.
    owner: deps.owner ?? (reads.dialect === "sqlite" ? SOLE_OWNER : randomUUID()),
    random: deps.random ?? Math.random,
    fetch: deps.fetch ?? createGuardedFetch(),
    timeout: deps.timeout ?? 10_000,
  });
  const feed = new Feed(catalogue);
  const unfollow = commits.onCommit((committed) => {
    dispatcher.follow(committed);
    feed.follow(committed);
  });
  return {
    dispatcher,
    feed,
    sockets: [feed.socket],
    routes: [
      ...webhookRoutes({ reads, outbox, key, catalogue, allowPrivate, listenerOf }),
      ...eventRoutes({ catalogue, reads }),
    ],
    prune: () => pruneEvents(commits, reads, Math.floor(now() / 1000), deps.retentionDays()),
    stop: async () => {
      unfollow();
      await dispatcher.stop();
    },
  };
}
