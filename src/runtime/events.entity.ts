// The outbox: every event raised, in the transaction that caused it (rule events.catalogue.4).
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const EventRows = entity(
  defineEntity({
    name: "Event",
    tableName: "events",
    properties: {
      /** Envelope id: the same for every subscriber and retry. */
      id: p.bigint("number").primary().autoincrement(false),
      event: p.text(),
      /** Unix seconds. */
      time: p.bigint("number"),
      /** The envelope's `data` as JSON text, byte for byte as it is sent. */
      data: p.text(),
      /** `data.adminId` where the event names an account, else null: who may hear it. */
      adminId: p.bigint("number").nullable(),
      /** `user:7`: deliveries keep their order within it. */
      subject: p.text(),
      /** Its place in the log, given after the commit (rule events.log.4); null until then. */
      position: p.bigint("number").nullable(),
    },
    indexes: [
      { properties: ["time"] },
      // What happened to one record.
      { properties: ["subject", "time", "id"] },
      // Nearly always empty: what a commit adds to it is gone within moments.
      { name: "events_waiting", properties: ["id"], where: "position is null" },
      { name: "events_log", properties: ["position"], where: "position is not null" },
    ],
  }),
);
export type EventRow = RowOf<typeof EventRows>;
