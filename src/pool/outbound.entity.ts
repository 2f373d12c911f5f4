// Table of outbounds: where nodes send traffic, as the operator wrote it.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const OutboundRows = entity(
  defineEntity({
    name: "Outbound",
    tableName: "outbounds",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      tag: p.text().unique(),
      type: p.text(),
      config: p.json<Record<string, unknown>>(),
      remark: p.text(),
      /** Templates that carry it: the other side of `Template.outboundIds`, kept in the same commit. */
      templateIds: p.json<number[]>(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type OutboundRow = RowOf<typeof OutboundRows>;
