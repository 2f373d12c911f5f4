// What changes templates: their lists, both sides of each, and the rules between route and lists.
import type { Draft } from "../db/index.ts";
import { withStoredSecrets } from "../dialect/index.ts";
import { invalid, notFound, refuseOutdated, rule } from "../http/index.ts";
import { coreIssues, parseRoute } from "./dialect/route.ts";
import { ownerOfExitTag } from "./exit-tags.commands.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
import { refuseInUse } from "./outbounds.commands.ts";
import { type PrivateTargets, refuseFragment } from "./refused-fragment.ts";
import { TemplateClaimRows, TemplateDepartureRows, TemplateRows, type TemplateRow } from "./template.entity.ts";
import type { TemplateCreateBody, TemplateUpdateBody } from "./template.schema.ts";

type Written = Omit<TemplateRow, "id" | "createdAt" | "updatedAt">;

/** A template with the records that its ids name, in its own order. */
export interface TemplateContent {
  readonly template: Readonly<TemplateRow>;
  readonly inbounds: readonly Readonly<InboundRow>[];
  readonly outbounds: readonly Readonly<OutboundRow>[];
}

const EMPTY: Omit<Written, "name"> = {
  remark: "",
  route: {},
  core: {},
  inboundIds: [],
  outboundIds: [],
  endpointIds: [],
  ruleSetIds: [],
};

function merged(stored: Written, body: TemplateUpdateBody): Written {
  return {
    name: body.name ?? stored.name,
    remark: body.remark ?? stored.remark,
    route: body.route === undefined ? stored.route : (body.route ?? {}),
    core: body.core === undefined ? stored.core : withStoredSecrets("core", "", body.core ?? {}, stored.core),
    inboundIds: body.inboundIds ?? stored.inboundIds,
    outboundIds: body.outboundIds ?? stored.outboundIds,
    endpointIds: body.endpointIds ?? stored.endpointIds,
    ruleSetIds: body.ruleSetIds ?? stored.ruleSetIds,
  };
}

/** The rows of `ids` in that order; 400 naming the field for one that there is not. */
function inOrder<R extends { id: number }>(
  field: string,
  ids: readonly number[],
  rows: readonly Readonly<R>[],
): Readonly<R>[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? invalid(field, rule("absent", field, id)));
}

/** `templateIds` of a member after the write; undefined where it stays as it is. */
function membership(current: readonly number[], templateId: number, carried: boolean): number[] | undefined {
  if (current.includes(templateId) === carried) return undefined;
  return carried ? [...current, templateId] : current.filter((each) => each !== templateId);
}

/** Checks the lists and keeps their other side. Members that leave or join are locked. */
function keepMembers(
  draft: Draft,
  id: number,
  before: Written | undefined,
  after: Written,
): Omit<TemplateContent, "template"> {
  for (const field of ["endpointIds", "ruleSetIds"] as const) {
    const unknown = after[field].find((each) => !before?.[field].includes(each));
    if (unknown !== undefined) invalid(field, rule("absent", field, unknown));
  }
  const inbounds = draft.findAll(InboundRows, [...new Set([...(before?.inboundIds ?? []), ...after.inboundIds])]);
  const outbounds = draft.findAll(OutboundRows, [...new Set([...(before?.outboundIds ?? []), ...after.outboundIds])]);
  const content = {
    inbounds: inOrder("inboundIds", after.inboundIds, inbounds),
    outbounds: inOrder("outboundIds", after.outboundIds, outbounds),
  };
  for (const row of inbounds) {
    const templateIds = membership(row.templateIds, id, after.inboundIds.includes(row.id));
    if (templateIds) draft.update(InboundRows, row.id, { templateIds });
  }
  for (const row of outbounds) {
    const templateIds = membership(row.templateIds, id, after.outboundIds.includes(row.id));
    if (templateIds) draft.update(OutboundRows, row.id, { templateIds });
  }
  return content;
}

function checkCore(core: Written["core"], body: TemplateUpdateBody, privateTargets: PrivateTargets): void {
  if (body.core !== undefined)
    refuseFragment("core", { collection: "core", type: "", value: core }, coreIssues(core), privateTargets);
}

/**
 * A route may name the outbounds that the template carries, and tunnels, which nodes get on their own. One that a
 * change does not touch stays as it is, also when it would be refused today: the rest stays editable.
 */
function checkRoute(
  draft: Draft,
  privateTargets: PrivateTargets,
  written: Written,
  body: TemplateUpdateBody,
  outbounds: readonly Readonly<OutboundRow>[],
): void {
  const parsed = parseRoute(written.route);
  const issues = parsed.ok ? [] : parsed.issues;
  if (body.route !== undefined)
    refuseFragment("route", { collection: "route", type: "", value: written.route }, issues, privateTargets);
  if (!parsed.ok) return;
  for (const tag of parsed.references.outbounds) {
    if (outbounds.some((outbound) => outbound.tag === tag)) continue;
    if (ownerOfExitTag(draft, tag)?.startsWith("tunnel:") !== true) invalid("route", rule("not_carried", tag));
  }
}

/**
 * Inserts a template. Throws 400 naming the field for ids that name nothing and for routes and core blocks that engines
 * would refuse.
 */
export function createTemplate(
  draft: Draft,
  privateTargets: PrivateTargets,
  body: TemplateCreateBody,
): TemplateContent {
  const written = merged({ ...EMPTY, name: body.name }, body);
  checkCore(written.core, body, privateTargets);
  const id = draft.nextId(TemplateRows.name);
  const content = keepMembers(draft, id, undefined, written);
  checkRoute(draft, privateTargets, written, body, content.outbounds);
  const template: TemplateRow = { id, ...written, createdAt: draft.time, updatedAt: draft.time };
  draft.insert(TemplateRows, template);
  return { template, ...content };
}

/** Changes a template; absent fields keep their value. `view`: as the caller sees it. */
export function updateTemplate(
  draft: Draft,
  privateTargets: PrivateTargets,
  id: number,
  body: TemplateUpdateBody,
  view: (content: TemplateContent) => object,
): { before: Readonly<TemplateRow>; after: TemplateContent } {
  const before = draft.find(TemplateRows, id) ?? notFound("template", id);
  refuseOutdated(body.version, before, () =>
    view({
      template: before,
      inbounds: draft.findAll(InboundRows, before.inboundIds, "read"),
      outbounds: draft.findAll(OutboundRows, before.outboundIds, "read"),
    }),
  );
  const written = merged(before, body);
  checkCore(written.core, body, privateTargets);
  const content = keepMembers(draft, id, before, written);
  checkRoute(draft, privateTargets, written, body, content.outbounds);
  const template = { ...draft.touch(TemplateRows, id, written) };
  return { before, after: { template, ...content } };
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

/** Who runs a template, as it was found out when the template had been given out so many times. */
export interface TemplateUse {
  readonly nodes: readonly string[];
  readonly claims: number;
}

/** The template was given to a node since that was looked up: nothing is changed, look again. */
export class TemplateUseStale extends Error {
  override readonly name = "TemplateUseStale";
}

/**
 * Deletes a template and leaves a departure: until that is processed, accounts may still contain its id. 409 with the
 * names of the nodes that run it; `TemplateUseStale`.
 */
export function deleteTemplate(draft: Draft, id: number, { nodes, claims }: TemplateUse): Readonly<TemplateRow> {
  const row = draft.find(TemplateRows, id) ?? notFound("template", id);
  if (claimsOf(draft, id) !== claims) throw new TemplateUseStale();
  refuseInUse(
    "the template is run by",
    nodes.map((name) => `node ${name}`),
  );
  draft.delete(TemplateClaimRows, id);
  keepMembers(draft, id, row, { ...row, inboundIds: [], outboundIds: [] });
  draft.delete(TemplateRows, id);
  draft.insert(TemplateDepartureRows, { id, deletedAt: draft.time });
  return row;
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
