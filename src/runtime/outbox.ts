// Raising events: an outbox row in the change's own transaction. The implementation of `Deliveries` (in `events/`)
// decides who receives them.
import { type Draft, type Query, sql } from "../db/index.ts";
import { EventRows, type EventRow } from "./events.entity.ts";
import { EVENT } from "./facts.ts";

export interface RaisedEvent<E extends string = string> {
  /** Name in the catalogue, for example `user.disabled`. */
  readonly event: E;
  /** Payload; never a password, key or subscription link. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The record it is about, for example `user:7`; deliveries of one subject keep their order. */
  readonly subject: string;
}

/**
 * Records in the same draft who should be told; implemented by `events/`. Must be quick and decide on what is in memory
 * or locked.
 */
export interface Deliveries {
  record(draft: Draft, event: EventRow): void;
}

/** `E`: the events that may be raised here. */
export class Outbox<in E extends string = string> {
  readonly #deliveries: Deliveries;

  constructor(deliveries: Deliveries) {
    this.#deliveries = deliveries;
  }

  /**
   * Raises an event with the change; it exists if and only if the change commits. Listeners get it as the fact `EVENT`.
   */
  raise(draft: Draft, { event, data, subject }: RaisedEvent<E>): void {
    // One event tells of the whole (rule jobs.bulk.4).
    if (draft.hushed) return;
    const adminId = data["adminId"];
    const row: EventRow = {
      id: draft.nextId("events"),
      event,
      time: draft.time,
      data: JSON.stringify(data),
      adminId: typeof adminId === "number" ? adminId : null,
      subject,
      position: null,
    };
    draft.insert(EventRows, row);
    this.#deliveries.record(draft, row);
    draft.publish(EVENT, row);
  }
}

/** Deletes events; `ids` selects those of one statement. */
export function forgetEvents(ids: Query): Query {
  return sql`delete from events where id in (${ids})`;
}

/** Gives events their positions in the log, once each; `places` selects `id` and `position`. */
export function placeEvents(places: Query): Query {
  return sql`update events set position = n.position from (${places}) n where events.id = n.id and events.position is null`;
}
