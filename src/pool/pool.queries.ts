// What reads the pool: templates with their content, which templates reach an inbound, what names a tag, what of the
// stored is forbidden today.
import { sql, type Reader } from "../db/index.ts";
import { pageOf, type Condition, type ListQuery, type Page } from "../http/index.ts";
import { parseOutboundConfig } from "./dialect/outbound.ts";
import { parseRoute } from "./dialect/route.ts";
import { InboundRows } from "./inbound.entity.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { forbiddenOfInbound, forbiddenOfOutbound, forbiddenOfTemplate } from "./pool.views.ts";
import type { PrivateTargets } from "./refused-fragment.ts";
import { TemplateRows, type TemplateRow } from "./template.entity.ts";
import type { Named } from "./used-by.schema.ts";
import type { TemplateContent } from "./templates.commands.ts";

/** Joins templates with everything that they name; `all` tables are small (hundreds of rows). */
async function contentsOf(reads: Reader, templates: readonly TemplateRow[]): Promise<TemplateContent[]> {
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

export async function templatePage(
  reads: Reader,
  list: ListQuery,
  where: readonly Condition[],
): Promise<Page<TemplateContent>> {
  const { rows, total } = await pageOf(reads, TemplateRows, list, { where });
  return { rows: await contentsOf(reads, rows), total };
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
  const [inbounds, outbounds, templates] = await Promise.all([
    reads.rows(InboundRows, sql`select * from inbounds order by id`),
    reads.rows(OutboundRows, sql`select * from outbounds order by id`),
    reads.rows(TemplateRows, sql`select * from templates order by id`),
  ]);
  const told = (what: string, fields: readonly string[]) =>
    fields.length === 0 ? [] : [`${what}: ${fields.join(", ")}`];
  return [
    ...inbounds.flatMap((row) => told(`inbound ${row.tag}`, forbiddenOfInbound(row, privateTargets))),
    ...outbounds.flatMap((row) => told(`outbound ${row.tag}`, forbiddenOfOutbound(row, privateTargets))),
    ...templates.flatMap((row) => told(`template ${row.name}`, forbiddenOfTemplate(row, privateTargets))),
  ];
}
