// Where the log of events ends and begins: one row, which whoever gives positions locks.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../db/index.ts";

/** The id of the row. */
export const HEAD = 1;

export const LogHeadRows = entity(
  defineEntity({
    name: "LogHead",
    tableName: "event_log",
    properties: {
      id: p.integer().primary().autoincrement(false),
      /** Epoch of the database: another one after a restore that was noticed. */
      epoch: p.text(),
      /** The last position given, and the event that has it. */
      headPosition: p.bigint("number"),
      headId: p.bigint("number"),
      /** Unix seconds. */
      headTime: p.bigint("number"),
      /** The last position that retention took, and the event that had it: the log begins behind it. */
      forgottenPosition: p.bigint("number"),
      forgottenId: p.bigint("number"),
      forgottenTime: p.bigint("number"),
    },
  }),
);
