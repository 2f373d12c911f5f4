// How many accounts each reseller owns: kept in the commits that create, move and delete accounts, so that a cap is
// decided on a locked row.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const OwnerCountRows = entity(
  defineEntity({
    name: "OwnerCount",
    tableName: "owner_counts",
    properties: {
      /** The reseller's admin id; the panel's own accounts are not counted here. */
      id: p.bigint("number").primary().autoincrement(false),
      users: p.bigint("number"),
    },
  }),
);
