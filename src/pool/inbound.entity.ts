// Table of inbounds: what nodes listen on, as the operator wrote it.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const InboundRows = entity(
  defineEntity({
    name: "Inbound",
    tableName: "inbounds",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      tag: p.text().unique(),
      type: p.text(),
      config: p.json<Record<string, unknown>>(),
      remark: p.text(),
      useNodeCert: p.boolean(),
      /** Panel certificate for its TLS; wins over `useNodeCert`. */
      certificateId: p.bigint("number").nullable(),
      clientConfig: p.json<Record<string, unknown>>(),
      frontedOnly: p.boolean(),
      /**
       * Templates that carry it: the other side of `Template.inboundIds`, kept in the same commit so that a delete
       * finds them by key.
       */
      templateIds: p.json<number[]>(),
      /** Its domain fronts, in the order of the entries that they give. */
      frontIds: p.json<number[]>().default("[]"),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
    indexes: [{ properties: ["type"] }],
  }),
);
export type InboundRow = RowOf<typeof InboundRows>;
