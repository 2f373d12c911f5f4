// What changes outbounds. Their tags are what routes name, so none is renamed or deleted under a route.
import type { Draft } from "../db/index.ts";
import { notFound, Refusal, refuseOutdated } from "../http/index.ts";
import { parseOutboundConfig } from "./dialect/outbound.ts";
import { parseRoute } from "./dialect/route.ts";
import { releaseExitTag, takeExitTag } from "./exit-tags.commands.ts";
import { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
import type { OutboundCreateBody, OutboundUpdateBody } from "./outbound.schema.ts";
import { keptSecrets, type PrivateTargets, refuseFragment } from "./refused-fragment.ts";
import { TemplateRows, type TemplateRow } from "./template.entity.ts";

const ownerOf = (id: number) => `outbound:${id}`;

function check(type: string, config: Record<string, unknown>, privateTargets: PrivateTargets): void {
  const parsed = parseOutboundConfig(type, config);
  refuseFragment(
    "config",
    { collection: "outbounds", type, value: config },
    parsed.ok ? [] : parsed.issues,
    privateTargets,
  );
}

/** Inserts an outbound. Throws 400 naming the field of a faulty fragment or of a tag that is taken. */
export function createOutbound(draft: Draft, privateTargets: PrivateTargets, body: OutboundCreateBody): OutboundRow {
  const { tag, type, config = {}, remark = "" } = body;
  check(type, config, privateTargets);
  const id = draft.nextId(OutboundRows.name);
  takeExitTag(draft, tag, ownerOf(id));
  const row: OutboundRow = {
    id,
    tag,
    type,
    config,
    remark,
    templateIds: [],
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  draft.insert(OutboundRows, row);
  return row;
}

/**
 * Changes an outbound; absent fields keep their value. A tag that a template's route names cannot change: 409 with the
 * names. `routesNaming` as in `deleteOutbound`; `view`: as the caller sees it.
 */
export function updateOutbound(
  draft: Draft,
  privateTargets: PrivateTargets,
  id: number,
  body: OutboundUpdateBody,
  {
    routesNaming,
    view,
  }: { readonly routesNaming: readonly string[]; readonly view: (row: Readonly<OutboundRow>) => object },
): { before: Readonly<OutboundRow>; after: OutboundRow } {
  const before = draft.find(OutboundRows, id) ?? notFound("outbound", id);
  refuseOutdated(body.version, before, () => view(before));
  const { tag = before.tag, type = before.type, remark = before.remark } = body;
  const config = body.config ? keptSecrets("outbounds", before, type, body.config) : before.config;
  // What a change does not touch stays as it is, also when it would be refused today: the rest stays editable.
  if (body.config !== undefined || body.type !== undefined) check(type, config, privateTargets);
  if (tag !== before.tag) {
    refuseInUse(`the tag ${before.tag} is named by`, [
      ...carriers(draft, before)
        .filter((each) => routesTo(each, before.tag))
        .map(nameOf),
      ...routesNaming,
    ]);
    releaseExitTag(draft, before.tag);
    takeExitTag(draft, tag, ownerOf(id));
  }
  return { before, after: { ...draft.touch(OutboundRows, id, { tag, type, config, remark }) } };
}

/**
 * Deletes an outbound. 409 with the names while a template carries it or a route names it; `routesNaming`: what else
 * names its tag, as the caller read it.
 */
export function deleteOutbound(draft: Draft, id: number, routesNaming: readonly string[]): Readonly<OutboundRow> {
  const row = draft.find(OutboundRows, id) ?? notFound("outbound", id);
  refuseInUse("the outbound is used by", [...carriers(draft, row).map(nameOf), ...routesNaming]);
  releaseExitTag(draft, row.tag);
  draft.delete(OutboundRows, id);
  return row;
}

function carriers(draft: Draft, row: Readonly<OutboundRow>): Readonly<TemplateRow>[] {
  return draft.findAll(TemplateRows, row.templateIds, "read");
}

function routesTo(template: Readonly<TemplateRow>, tag: string): boolean {
  const parsed = parseRoute(template.route);
  return parsed.ok && parsed.references.outbounds.includes(tag);
}
const nameOf = (template: Readonly<TemplateRow>) => `template ${template.name}`;

/** Throws 409; its text and `names` say what prevents it. */
export function refuseInUse(what: string, users: readonly string[]): void {
  const names = [...new Set(users)];
  if (names.length > 0)
    throw new Refusal("conflict", { message: `${what} ${names.join(", ")}`, code: "in_use", extra: { names } });
}
