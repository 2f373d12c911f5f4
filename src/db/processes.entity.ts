// The process runs on the database, with their heartbeats.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "./table.ts";

export const ProcessRows = entity(
  defineEntity({
    name: "Process",
    tableName: "processes",
    properties: {
      /** Names one run of a process, see `Database.boot`. */
      id: p.text().primary(),
      /** Unix milliseconds by the database's clock. */
      seenAt: p.bigint("number"),
      /** It asks for its share of the shards. */
      takesShards: p.boolean(),
    },
  }),
  { archive: "never" },
);
