// Events: the catalogue, webhooks and their delivery. What other parts use of it.
import { randomUUID } from "node:crypto";
import type { AnyEntity, Database } from "../db/index.ts";
import type { Route, Socket } from "../http/index.ts";
import { createGuardedFetch, type GuardedFetch } from "../lib/guarded-fetch.ts";
import { EventRows, Outbox } from "../runtime/index.ts";
import type { ListenerOf } from "./audience.ts";
import { DeliveryQueueRows } from "./delivery-queue.entity.ts";
import { DeliveryRows } from "./delivery.entity.ts";
import { Dispatcher } from "./dispatcher.ts";
import { eventRoutes } from "./events.routes.ts";
import { Feed } from "./feed.ts";
import type { Log } from "./log.ts";
import { pruneEvents, type Pruned } from "./retention.ts";
import { Subscribers } from "./subscribers.ts";
import { WebhookRows } from "./webhook.entity.ts";
import { webhookRoutes } from "./webhooks.routes.ts";

export type { Listener, ListenerOf } from "./audience.ts";
export { mayHear } from "./audience.ts";
export { retriesShortened } from "./due.queries.ts";
export { WebhookRows } from "./webhook.entity.ts";
export { departingWebhooks } from "./webhooks.commands.ts";
export { CATALOGUE, catalogued, type CatalogueEvent } from "./catalogue.ts";

const SOLE_OWNER = "the only process";

/** Tables of this feature, with the events' own. */
export const eventEntities: readonly AnyEntity[] = [EventRows, WebhookRows, DeliveryRows, DeliveryQueueRows];

export interface EventsDeps {
  readonly database: Pick<Database, "commits" | "reads">;
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
  /** Raises events; each is recorded for the webhooks that hear it, in the same change. */
  readonly outbox: Outbox;
  /** Who is told: what `outbox` was made with. */
  readonly deliveries: Subscribers;
  readonly dispatcher: Dispatcher;
  readonly feed: Feed;
  readonly routes: readonly Route[];
  readonly sockets: readonly Socket[];
  /** Reads the webhooks. To be awaited before the first event is raised. */
  load(): Promise<void>;
  /** Forgets what is past its retention. To be called hourly. */
  prune(): Promise<Pruned>;
  /** Ends what is under way and gives up the leases. Before the database is closed. */
  stop(): Promise<void>;
}

/** Wires the feature. Nothing is sent before `dispatcher.start()`. */
export function createEvents(deps: EventsDeps): Events {
  const { commits, reads } = deps.database;
  const { key, allowPrivate, listenerOf, now } = deps;
  const subscribers = new Subscribers(listenerOf);
  const outbox = new Outbox(subscribers);
  const dispatcher = new Dispatcher({
    commits,
    reads,
    subscribers,
    now,
    key,
    allowPrivate,
    log: deps.log,
    // On SQLite there is never another process: what a killed one left is the next one's own at once, not after the lease.
    owner: deps.owner ?? (reads.dialect === "sqlite" ? SOLE_OWNER : randomUUID()),
    random: deps.random ?? Math.random,
    fetch: deps.fetch ?? createGuardedFetch(),
    timeout: deps.timeout ?? 10_000,
  });
  const feed = new Feed();
  const unfollow = commits.onCommit((committed) => {
    subscribers.follow(committed);
    dispatcher.follow(committed);
    feed.follow(committed);
  });
  return {
    outbox,
    deliveries: subscribers,
    dispatcher,
    feed,
    sockets: [feed.socket],
    routes: [...webhookRoutes({ reads, outbox, key, allowPrivate, listenerOf }), ...eventRoutes({ reads })],
    load: () => subscribers.load(reads),
    prune: () => pruneEvents(commits, reads, Math.floor(now() / 1000), deps.retentionDays()),
    stop: async () => {
      unfollow();
      await dispatcher.stop();
    },
  };
}
