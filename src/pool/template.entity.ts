// Tables of templates: what a node runs, as lists of ids; and the templates that were deleted but not yet taken out of
// accounts.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const TemplateRows = entity(
  defineEntity({
    name: "Template",
    tableName: "templates",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      remark: p.text(),
      route: p.json<Record<string, unknown>>(),
      /** The dns, log and ntp blocks. */
      core: p.json<Record<string, unknown>>(),
      inboundIds: p.json<number[]>(),
      outboundIds: p.json<number[]>(),
      endpointIds: p.json<number[]>(),
      ruleSetIds: p.json<number[]>(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type TemplateRow = RowOf<typeof TemplateRows>;

/**
 * How often a template was given to a node, counted up with every such change: a deletion that asked which nodes run
 * the template sees by it whether the answer still holds. Apart from the template, since it is no change of what nodes
 * run.
 */
export const TemplateClaimRows = entity(
  defineEntity({
    name: "TemplateClaim",
    tableName: "template_claims",
    properties: {
      /** The template's id. */
      id: p.bigint("number").primary().autoincrement(false),
      claims: p.bigint("number"),
    },
  }),
);

/**
 * A deleted template whose id may still be in accounts and plans. It is written with the delete, and removed with the
 * statement that removes the id from them.
 */
export const TemplateDepartureRows = entity(
  defineEntity({
    name: "TemplateDeparture",
    tableName: "template_departures",
    properties: {
      /** The template's id. */
      id: p.bigint("number").primary().autoincrement(false),
      deletedAt: p.bigint("number"),
    },
  }),
);
