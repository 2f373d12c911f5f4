// The shards' leases: which process runs the residents of which actors. Empty if only one process can use the database.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../db/index.ts";

export const ShardRows = entity(
  defineEntity({
    name: "Shard",
    tableName: "shards",
    properties: {
      /** From 0, see `shardOf`. */
      id: p.integer().primary(),
      /** The process run that holds it; empty: nobody. */
      owner: p.text(),
      /** Grows with every lease, see `nextToken`. */
      token: p.bigint("number"),
      /** Unix milliseconds by the database's clock. */
      expiresAt: p.bigint("number"),
    },
  }),
  { archive: "never" },
);
