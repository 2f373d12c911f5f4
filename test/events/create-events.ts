// The events feature without the rest of a panel: its two passes in one.
import type { Database } from "../../src/db/index.ts";
import { Catalogue, openEvents, Subscribers, type Events, type EventsDeps } from "../../src/events/testing.ts";
import { PANEL } from "../../src/panel/features.ts";
import { Outbox } from "../../src/runtime/index.ts";

export interface TestEvents extends Events {
  readonly outbox: Outbox;
  /** Reads the webhooks. To be awaited before the first event is raised. */
  load(): Promise<void>;
}

export type TestEventsDeps = Omit<EventsDeps, "commits" | "reads" | "catalogue" | "subscribers" | "outbox"> & {
  readonly database: Pick<Database, "commits" | "reads">;
};

export const CATALOGUE = new Catalogue(PANEL.events);

export function createEvents({ database: { commits, reads }, ...deps }: TestEventsDeps): TestEvents {
  const subscribers = new Subscribers(CATALOGUE);
  const outbox = new Outbox(subscribers.heardBy(deps.listenerOf));
  const unfollow = commits.onCommit((committed) => subscribers.follow(committed));
  const events = openEvents({ ...deps, commits, reads, catalogue: CATALOGUE, subscribers, outbox });
  return {
    ...events,
    outbox,
    load: () => subscribers.load(reads),
    stop: async () => {
      unfollow();
      await events.stop();
    },
  };
}
