// Tables of resellers' allowances: the actor, and apart from it, in a narrow table, what its accounts used.
import { defineEntity, p } from "@mikro-orm/core";
import type { ClosedBy } from "../../../machines/reseller.ts";
import { entity, type RowOf } from "../../db/index.ts";
import { actorColumns, actorIndexes } from "../../runtime/index.ts";

export const ResellerRows = entity(
  defineEntity({
    name: "Reseller",
    tableName: "resellers",
    properties: {
      /** The operator's id. */
      id: p.bigint("number").primary().autoincrement(false),
      ...actorColumns(),
      /** The limit for which its accounts are off, or about to be; empty: they may be served. Written by the chart. */
      closedBy: p.text().$type<ClosedBy>(),
      /** The last of its accounts whose row has followed. */
      cursor: p.bigint("number"),
    },
    indexes: [...actorIndexes("resellers")],
  }),
);
export type ResellerRow = RowOf<typeof ResellerRows>;

export const ResellerUsageRows = entity(
  defineEntity({
    name: "ResellerUsage",
    tableName: "reseller_usage",
    properties: {
      /** The operator's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Bytes that its accounts used in this period, multiplier applied. */
      used: p.bigint("number"),
      /** What multiplying left over, in millionths of a byte. */
      rest: p.bigint("number"),
      /** `used` from which the actor must look; null = never. Kept by the actor. */
      wakeAt: p.bigint("number").nullable(),
    },
  }),
);
