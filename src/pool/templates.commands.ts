// What changes templates: their lists, both sides of each, and the rules between route and lists.
import { lock, type Draft, type Lock } from "../db/index.ts";
import { invalid, rule } from "../http/index.ts";
import { coreIssues, parseRoute } from "./dialect/route.ts";
import { ownerOfExitTag } from "./exit-tags.commands.ts";
import { AskedTooEarly, type Change } from "./fragments/fragments.commands.ts";
import { fragment, optional, required, type Shape, type Written } from "./fragments/shape.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
import { refuseInUse } from "./outbounds.commands.ts";
import { TemplateClaimRows, TemplateDepartureRows, TemplateRows, type TemplateRow } from "./template.entity.ts";
import type { TemplateUpdateBody } from "./template.schema.ts";

/** A template with the records that its ids name, in its own order. */
export interface TemplateContent {
  readonly template: Readonly<TemplateRow>;
  readonly inbounds: readonly Readonly<InboundRow>[];
  readonly outbounds: readonly Readonly<OutboundRow>[];
}

export type TemplateFields = Written<TemplateRow>;

export const TEMPLATE: Shape<TemplateRow, TemplateFields, TemplateUpdateBody> = {
  rows: TemplateRows,
  noun: "template",
  nameOf: ({ name }) => name,
  fields: {
    name: required,
    remark: optional(""),
    route: fragment({
      collection: "route",
      secrets: false,
      issues({ route }) {
        const parsed = parseRoute(route);
        return parsed.ok ? [] : parsed.issues;
      },
    }),
    core: fragment({ collection: "core", secrets: true, issues: ({ core }) => coreIssues(core) }),
    inboundIds: optional([]),
    outboundIds: optional([]),
    endpointIds: optional([]),
    ruleSetIds: optional([]),
  },
  others: {},
};

/** A template as a change leaves it, with what it carries. */
export function contentIn(draft: Draft, template: Readonly<TemplateRow>): TemplateContent {
  return {
    template,
    inbounds: draft.findAll(InboundRows, template.inboundIds, "read"),
    outbounds: draft.findAll(OutboundRows, template.outboundIds, "read"),
  };
}

/** 400 naming the field for an id that there is not. */
function refuseAbsent(field: string, ids: readonly number[], rows: readonly { readonly id: number }[]): void {
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) invalid(field, rule("absent", field, unknown));
}

/** `templateIds` of a member after the write; undefined where it stays as it is. */
function membership(current: readonly number[], templateId: number, carried: boolean): number[] | undefined {
  if (current.includes(templateId) === carried) return undefined;
  return carried ? [...current, templateId] : current.filter((each) => each !== templateId);
}

/**
 * Checks the lists and keeps their other side. Members that leave or join are locked. Returns the outbounds that the
 * template carries now.
 */
function keepMembers(
  draft: Draft,
  id: number,
  before: TemplateFields | undefined,
  after: TemplateFields,
): readonly Readonly<OutboundRow>[] {
  for (const field of ["endpointIds", "ruleSetIds"] as const) {
    const unknown = after[field].find((each) => !before?.[field].includes(each));
    if (unknown !== undefined) invalid(field, rule("absent", field, unknown));
  }
  const inbounds = draft.findAll(InboundRows, [...new Set([...(before?.inboundIds ?? []), ...after.inboundIds])]);
  const outbounds = draft.findAll(OutboundRows, [...new Set([...(before?.outboundIds ?? []), ...after.outboundIds])]);
  refuseAbsent("inboundIds", after.inboundIds, inbounds);
  refuseAbsent("outboundIds", after.outboundIds, outbounds);
  for (const row of inbounds) {
    const templateIds = membership(row.templateIds, id, after.inboundIds.includes(row.id));
    if (templateIds) draft.update(InboundRows, row.id, { templateIds });
  }
  for (const row of outbounds) {
    const templateIds = membership(row.templateIds, id, after.outboundIds.includes(row.id));
    if (templateIds) draft.update(OutboundRows, row.id, { templateIds });
  }
  return outbounds.filter((row) => after.outboundIds.includes(row.id));
}

/**
 * Keeps the lists of a template, and its route to what it carries: a route may name these outbounds, and tunnels, which
 * nodes get on their own.
 */
export function keepContent(draft: Draft, { id, before, after }: Change<TemplateRow, TemplateFields>): void {
  const outbounds = keepMembers(draft, id, before, after);
  const parsed = parseRoute(after.route);
  if (!parsed.ok) return;
  for (const tag of parsed.references.outbounds) {
    if (outbounds.some((outbound) => outbound.tag === tag)) continue;
    if (ownerOfExitTag(draft, tag)?.startsWith("tunnel:") !== true) invalid("route", rule("not_carried", tag));
  }
}

/** Holds a template against deletion and says that a node is given it in this change. False when there is none. */
export function claimTemplate(draft: Draft, id: number): boolean {
  if (!draft.find(TemplateRows, id, "read")) return false;
  draft.upsert(TemplateClaimRows, { id, claims: claimsOf(draft, id) + 1 });
  return true;
}

function claimsOf(draft: Draft, id: number): number {
  return draft.find(TemplateClaimRows, id)?.claims ?? 0;
}

/** The nodes that run a template, as looked up when the template had been given out `claims` times. */
export interface TemplateUse {
  readonly nodes: readonly string[];
  readonly claims: number;
}

/** The rows that `departTemplate` decides on, as far as the template's lists are known: its members may change yet. */
export function locksOfDeparture(id: number, row: Readonly<TemplateRow> | undefined): readonly Lock[] {
  return [
    lock(TemplateClaimRows, id),
    ...(row?.inboundIds ?? []).map((each) => lock(InboundRows, each)),
    ...(row?.outboundIds ?? []).map((each) => lock(OutboundRows, each)),
  ];
}

/**
 * A template is deleted and leaves a departure: until that is processed, accounts may still contain its id. 409 with
 * the names of the nodes that run it. Throws where it was given to a node since that was looked up.
 */
export function departTemplate(draft: Draft, row: Readonly<TemplateRow>, { nodes, claims }: TemplateUse): void {
  if (claimsOf(draft, row.id) !== claims) throw new AskedTooEarly();
  refuseInUse(
    "the template is run by",
    nodes.map((name) => `node ${name}`),
  );
  draft.delete(TemplateClaimRows, row.id);
  keepMembers(draft, row.id, row, { ...row, inboundIds: [], outboundIds: [] });
  draft.insert(TemplateDepartureRows, { id: row.id, deletedAt: draft.time });
}

/**
 * The templates of `ids`, protected from deletion until the commit. Throws 400 naming `field` for an id that names
 * none.
 */
export function requireTemplates(draft: Draft, ids: readonly number[], field: string): void {
  const found = new Set(draft.findAll(TemplateRows, ids, "read").map((row) => row.id));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) invalid(field, rule("absent", "template", unknown));
}
