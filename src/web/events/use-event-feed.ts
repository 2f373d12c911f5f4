// The events of the log and the feed that a page's address selects.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import type { Listing } from "../api/queries.ts";
import { SteadySocket } from "../api/steady-socket.ts";
import { EventFeed, PAGE, type FeedPicture } from "./event-feed.ts";
import type { RaisedEvent } from "./raised-event.ts";

export interface EventSelection {
  /** A name of the catalogue; empty: any. */
  readonly event: string;
  /** `user:7`; empty: any. */
  readonly entity: string;
  /** A part of the name or of what is told; empty: any. */
  readonly q: string;
}

export function useEventFeed({ event, entity, q }: EventSelection): { feed: EventFeed; picture: FeedPicture } {
  const feed = useMemo(() => {
    const selected = { ...(event === "" ? {} : { event }), ...(entity === "" ? {} : { entity }) };
    return new EventFeed({
      list: (offset, signal) =>
        call<Listing<RaisedEvent>>("GET", "/events/log", {
          query: { ...selected, ...(q === "" ? {} : { q }), limit: PAGE, offset },
          signal,
        }),
      socket: (owner) =>
        new SteadySocket({
          ...owner,
          // The feed knows no search: what does not match is left out here.
          message: (data) => {
            if (matches(data as RaisedEvent, q)) owner.message(data);
          },
          path() {
            const cursor = owner.path();
            const query = new URLSearchParams({ ...selected, ...(cursor === "" ? {} : { cursor }) });
            return `api/v1/events/stream?${query.toString()}`;
          },
        }),
    });
  }, [event, entity, q]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  return { feed, picture: useSyncExternalStore(feed.subscribe, feed.picture) };
}

/** As the list finds it: in any case, in the name or in the data. */
function matches({ event, data }: RaisedEvent, q: string): boolean {
  if (q === "") return true;
  return `${event}\n${JSON.stringify(data)}`.toLowerCase().includes(q.toLowerCase());
}
