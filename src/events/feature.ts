// Events as the panel takes them: who is told of what happens, and that they are told.
import type { Draft } from "../db/index.ts";
import type { AnyFeature, Core, Ground, Opened } from "../feature/index.ts";
import { hasDuty, onDutyMoved, type Deliveries } from "../runtime/index.ts";
import type { ListenerOf } from "./audience.ts";
import { Catalogue } from "./catalogue.ts";
import { eventsRestored, retriesShortened } from "./due.queries.ts";
import { eventsEvents } from "./events.events.ts";
import { eventsSettings } from "./events.settings.ts";
import { eventEntities, openEvents } from "./events.ts";
import { POSITIONS_GIVEN, PositionsWithin } from "./log-positions.ts";
import { Subscribers } from "./subscribers.ts";
import { WebhookRows } from "./webhook.entity.ts";
import { departingWebhooks } from "./webhooks.commands.ts";
import { eventsWords } from "./events.words.ts";

type EventsCore = Core<keyof typeof eventsSettings, keyof typeof eventsEvents>;

/** What events ask of access. */
interface EventsNeeds {
  readonly listenerOf: ListenerOf;
}

/** What events answer others. */
interface EventsProvide {
  /** The webhooks in memory. */
  readonly subscribers: Subscribers;
  /** Records deliveries of events that are raised; `listenerOf` says what accounts may hear. */
  readonly deliveries: (listenerOf: ListenerOf) => Deliveries;
  /** What goes with an account that is deleted. */
  readonly departing: (adminId: number) => Promise<(draft: Draft) => void>;
}

async function provide({ alone, catalogue, clock, commits, reads, undo }: Ground): Promise<EventsProvide> {
  const subscribers = new Subscribers(new Catalogue(catalogue));
  undo.push(commits.onCommit((committed) => subscribers.follow(committed)));
  const within = alone ? new PositionsWithin(reads, clock) : undefined;
  if (within) undo.push(commits.onCommit((committed) => within.follow(committed)));
  await subscribers.load(reads);
  return {
    subscribers,
    deliveries: (listenerOf) => {
      const heard = subscribers.heardBy(listenerOf);
      return within ? placedAtOnce(heard, within) : heard;
    },
    departing: (adminId) => departingWebhooks(reads, adminId),
  };
}

/** An event that is raised alone gets its position in the same commit. */
function placedAtOnce(deliveries: Deliveries, within: PositionsWithin): Deliveries {
  return {
    record: (draft, event) => {
      deliveries.record(draft, event);
      within.place(draft);
    },
  };
}

function open(core: EventsCore, { listenerOf, subscribers }: EventsNeeds & Pick<EventsProvide, "subscribers">): Opened {
  const {
    catalogue,
    clock,
    commits,
    environment,
    log,
    outbox,
    outgoing,
    reads,
    secretKey,
    settings,
    shards,
    signals,
    undo,
  } = core;
  const events = openEvents({
    commits,
    reads,
    catalogue: new Catalogue(catalogue),
    subscribers,
    outbox,
    now: () => clock.now(),
    key: secretKey,
    allowPrivate: () => settings.flag("webhook_allow_private"),
    retentionDays: () => settings.number("event_retention_days"),
    listenerOf,
    log,
    clock,
    signals,
    fetch: outgoing.fetch,
    directory: environment.dataDirectory,
    givesPositions: () => hasDuty(shards, "events.positions"),
  });
  undo.push(() => events.stop());
  undo.push(onDutyMoved(shards, "events.positions", () => events.positions.wake()));
  return {
    routes: events.routes,
    sockets: events.sockets,
    start: () => {
      events.dispatcher.start();
      events.positions.wake();
    },
    hourly: () => events.prune(),
  };
}

export const feature = {
  name: "events",
  entities: eventEntities,
  echo: { tables: [WebhookRows], facts: [POSITIONS_GIVEN] },
  settings: eventsSettings,
  events: eventsEvents,
  words: eventsWords,
  clockSetBack: retriesShortened,
  restored: eventsRestored,
  provide,
  open,
} as const satisfies AnyFeature;
