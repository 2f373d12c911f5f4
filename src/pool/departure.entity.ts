// Table of what was until a change took it away: on which templates an account was served, which template a node had,
// which inbounds a template carried.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

/** The kind of record whose place changed. */
export type DepartureKind = "account" | "node" | "template";

/**
 * Written in the commit that changes the place, kept until every node has told what it counted before it: what comes
 * late is believed by these rows.
 */
export const DepartureRows = entity(
  defineEntity({
    name: "Departure",
    tableName: "departures",
    properties: {
      id: p.text().primary(),
      kind: p.text().$type<DepartureKind>(),
      /** Id of the account, node or template. */
      subject: p.bigint("number"),
      /** Unix milliseconds. */
      until: p.bigint("number"),
      /** Templates of an account or a node, inbounds of a template, until then; null: every template. */
      was: p.json<number[]>().nullable(),
      /** For an account: the only inbounds that it might use; null: every inbound. */
      inbounds: p.json<number[]>().nullable(),
    },
    indexes: [{ properties: ["subject", "kind"] }, { properties: ["until"] }],
  }),
);
export type DepartureRow = RowOf<typeof DepartureRows>;
