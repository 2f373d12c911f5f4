// Table of domain fronts: other ways for clients to reach an inbound, through a CDN.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const FrontRows = entity(
  defineEntity({
    name: "Front",
    tableName: "fronts",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      /** What clients ask for in `Host`, and in TLS unless `sni` says otherwise. */
      domain: p.text(),
      /** Where clients connect; empty: the domain. */
      address: p.text(),
      /** 0: 443. */
      port: p.integer(),
      sni: p.text(),
      /** Empty: the inbound's own. */
      path: p.text(),
      remark: p.text(),
      enabled: p.boolean(),
      /** A header that the CDN sets. Where it is present, xhttp inbounds believe `X-Forwarded-For`. */
      clientHeader: p.text(),
      /** The other side of `Inbound.frontIds`, kept in the same commit. */
      inboundIds: p.json<number[]>(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type FrontRow = RowOf<typeof FrontRows>;
