// One row for each subscriber: which process sends to it, and how that went last. Apart from the subscriber's own row,
// which only people change.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const DeliveryQueueRows = entity(
  defineEntity({
    name: "DeliveryQueue",
    tableName: "delivery_queues",
    properties: {
      subscriberId: p.bigint("number").primary().autoincrement(false),
      /** The process that sends to this subscriber, while `leaseUntil` lies ahead; empty: nobody yet. */
      owner: p.text(),
      /** Unix milliseconds. */
      leaseUntil: p.bigint("number"),
      /** HTTP status of the last attempt of any delivery; 0: none was answered. */
      lastStatus: p.integer(),
      /** Unix seconds of the last 2xx; 0: never. */
      lastDeliveredAt: p.bigint("number"),
      /** Whether the last attempt failed. */
      failing: p.boolean(),
    },
  }),
);
export type DeliveryQueueRow = RowOf<typeof DeliveryQueueRows>;

/** The queue of a new subscriber. */
export function emptyQueue(subscriberId: number): DeliveryQueueRow {
  return { subscriberId, owner: "", leaseUntil: 0, lastStatus: 0, lastDeliveredAt: 0, failing: false };
}
