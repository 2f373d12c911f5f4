// Deliveries: one row for each event and each subscriber that should hear it, inserted with the event.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";
import type { DeliveryFailure } from "./delivery-failure.schema.ts";

/**
 * `pending`: to be sent at `nextAttemptAt`. `delivered`: answered 2xx. `dead`: given up. A manual re-send makes either
 * pending again.
 */
export type DeliveryState = "pending" | "delivered" | "dead";

/** What is kept of an attempt. The body that was sent follows from the event. */
export interface DeliveryExchange {
  /** Unix seconds: the time in the signature. */
  readonly at: number;
  readonly signed: boolean;
  /** Milliseconds until the answer, or until none came. */
  readonly ms: number;
  /** Headers of the answer, as far as they are kept; empty where there was none. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of its body as text. */
  readonly body: string;
  /** Why it failed; absent where it did not, and where an older panel wrote it. */
  readonly failure?: DeliveryFailure;
}

export const DeliveryRows = entity(
  defineEntity({
    name: "Delivery",
    tableName: "deliveries",
    properties: {
      /** Told to the receiver; stays the same on every retry and re-send. */
      id: p.bigint("number").primary().autoincrement(false),
      subscriberId: p.bigint("number"),
      eventId: p.bigint("number"),
      event: p.text(),
      /**
       * Subject of the event. Deliveries of one subscriber and subject keep their order, which is that of (`raisedAt`,
       * `id`).
       */
      subject: p.text(),
      /** Unix milliseconds. Ids of several processes do not grow with time, so they order nothing by themselves. */
      raisedAt: p.bigint("number"),
      state: p.text().$type<DeliveryState>(),
      /** Attempts that failed or succeeded since it was last made pending. */
      attempts: p.integer(),
      /** Unix milliseconds; 0 unless pending. */
      nextAttemptAt: p.bigint("number"),
      /** HTTP status of the last attempt; 0: none was answered. */
      lastStatus: p.integer(),
      lastError: p.text(),
      /** Unix seconds; 0: never. */
      deliveredAt: p.bigint("number"),
      /** The last attempt as it went; null: none was recorded. */
      exchange: p.json<DeliveryExchange>().nullable(),
    },
    indexes: [
      // What is due, in order, with the subject so that busy ones are passed over without a look at the row.
      { properties: ["subscriberId", "state", "nextAttemptAt", "raisedAt", "id", "subject"] },
      // What holds back a subject: pending after some failures.
      { properties: ["subscriberId", "subject", "state", "attempts"] },
      { properties: ["subscriberId", "raisedAt"] },
      { properties: ["eventId"] },
    ],
  }),
);
export type DeliveryRow = RowOf<typeof DeliveryRows>;
