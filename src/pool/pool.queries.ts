// What reads the pool: templates with their content, which templates reach an inbound, what names a tag, what of the
// stored is forbidden today.
import { sql, type Reader } from "../db/index.ts";
import type { z } from "zod";
import type { Condition } from "../http/index.ts";
import { parseOutboundConfig } from "./dialect/outbound.ts";
import { parseRoute } from "./dialect/route.ts";
import type { Body, Shape, Stored } from "./fragments/shape.ts";
import { forbiddenOf } from "./fragments/views.ts";
import { InboundRows } from "./inbound.entity.ts";
import type { PoolFilters } from "./inbound.schema.ts";
import { INBOUND } from "./inbounds.commands.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { OUTBOUND } from "./outbounds.commands.ts";
import type { PrivateTargets } from "./refused-fragment.ts";
import { TemplateRows, type TemplateRow } from "./template.entity.ts";
import type { Named } from "./used-by.schema.ts";
import { TEMPLATE, type TemplateContent } from "./templates.commands.ts";

/** Joins templates with everything that they name; `all` tables are small (hundreds of rows). */
export async function contentsOf(reads: Reader, templates: readonly TemplateRow[]): Promise<TemplateContent[]> {
  if (templates.length === 0) return [];
  const [inbounds, outbounds] = await Promise.all([
    reads.rows(InboundRows, sql`select * from inbounds`),
    reads.rows(OutboundRows, sql`select * from outbounds`),
  ]);
  const inboundOf = new Map(inbounds.map((row) => [row.id, row]));
  const outboundOf = new Map(outbounds.map((row) => [row.id, row]));
  // A row that was deleted between the two reads is left out.
  return templates.map((template) => ({
    template,
    inbounds: template.inboundIds.flatMap((id) => inboundOf.get(id) ?? []),
    outbounds: template.outboundIds.flatMap((id) => outboundOf.get(id) ?? []),
  }));
}

/** A template with the inbounds and outbounds that it carries, in its order; undefined when there is none. */
export async function templateContent(reads: Reader, templateId: number): Promise<TemplateContent | undefined> {
  const template = await reads.find(TemplateRows, templateId);
  return template && (await contentsOf(reads, [template]))[0];
}

/** Every template with its content. */
export async function allTemplateContents(reads: Reader): Promise<TemplateContent[]> {
  return contentsOf(reads, await reads.rows(TemplateRows, sql`select * from templates order by id`));
}

/** Rows whose list in a column (`template_ids`) holds an id; without an id all. */
export function holding(reads: Reader, column: string, id: number | undefined): Condition[] {
  if (id === undefined) return [];
  return [
    reads.dialect === "sqlite"
      ? sql<boolean>`exists (select 1 from json_each(${sql.raw(column)}) where value = ${id})`
      : sql<boolean>`${sql.raw(column)} @> ${JSON.stringify([id])}::jsonb`,
  ];
}

/** Filters of inbounds and outbounds: of this type, carried by this template. */
export function ofTypeAndTemplate(
  reads: Reader,
  { type, template_id: template }: z.output<typeof PoolFilters>,
): Condition[] {
  return [...(type === undefined ? [] : [sql<boolean>`type = ${type}`]), ...holding(reads, "template_ids", template)];
}

/** An inbound with the templates that carry it. */
export interface CarriedInbound {
  readonly id: number;
  readonly templateIds: readonly number[];
}

/** An inbound, or those of a type, as far as templates carry them. */
export async function carriedInbounds(
  reads: Reader,
  inbound: { readonly id: number } | { readonly type: string },
): Promise<CarriedInbound[]> {
  const where = "id" in inbound ? sql`id = ${inbound.id}` : sql`type = ${inbound.type}`;
  const rows = await reads.rows(InboundRows, sql`select * from inbounds where ${where} order by id`);
  return rows.flatMap(({ id, templateIds }) =>
    templateIds.length === 0 ? [] : [{ id, templateIds: templateIds.toSorted((a, b) => a - b) }],
  );
}

/**
 * What refers to an outbound's tag, in addition to the templates that contain it: templates' routes and other outbounds
 * (members of a group, detours), by name.
 */
export async function namersOfTag(
  reads: Reader,
  tag: string,
): Promise<{ readonly templates: Named[]; readonly outbounds: Named[] }> {
  const [templates, outbounds] = await Promise.all([
    reads.rows(TemplateRows, sql`select * from templates order by name, id`),
    reads.rows(OutboundRows, sql`select * from outbounds order by tag`),
  ]);
  const routes = templates.filter(({ route }) => {
    const parsed = parseRoute(route);
    return parsed.ok && parsed.references.outbounds.includes(tag);
  });
  const groups = outbounds.filter(({ type, config }) => {
    const parsed = parseOutboundConfig(type, config);
    return parsed.ok && parsed.references.includes(tag);
  });
  return {
    templates: routes.map(({ id, name }) => ({ id, name })),
    outbounds: groups.map(({ id, tag: name }) => ({ id, name })),
  };
}

/** What is stored of the pool and would be refused today, in words: `inbound edge: config.masquerade`. */
export async function storedForbidden(reads: Reader, privateTargets: PrivateTargets): Promise<string[]> {
  const forbidden = async <R extends Stored & W, W extends object, U extends Body<W>>(shape: Shape<R, W, U>) => {
    const rows = await reads.rows(shape.rows, sql`select * from ${sql.table(shape.rows.name)} order by id`);
    return rows.flatMap((row) => {
      const fields = forbiddenOf(shape, row, privateTargets);
      return fields.length === 0 ? [] : [`${shape.noun} ${shape.nameOf(row)}: ${fields.join(", ")}`];
    });
  };
  return (await Promise.all([forbidden(INBOUND), forbidden(OUTBOUND), forbidden(TEMPLATE)])).flat();
}
