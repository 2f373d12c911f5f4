// What an outbound holds. Their tags are what routes name, so none is renamed or deleted under a route.
import type { Draft } from "../db/index.ts";
import { Refusal } from "../http/index.ts";
import { parseOutboundConfig } from "./dialect/outbound.ts";
import { parseRoute } from "./dialect/route.ts";
import { releaseExitTag, takeExitTag } from "./exit-tags.commands.ts";
import type { Change } from "./fragments/fragments.commands.ts";
import { fragment, optional, required, type Shape, type Written } from "./fragments/shape.ts";
import { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
import type { OutboundUpdateBody } from "./outbound.schema.ts";
import { TemplateRows, type TemplateRow } from "./template.entity.ts";

export type OutboundFields = Written<OutboundRow, "templateIds">;

export const OUTBOUND: Shape<OutboundRow, OutboundFields, OutboundUpdateBody> = {
  rows: OutboundRows,
  noun: "outbound",
  nameOf: ({ tag }) => tag,
  fields: {
    tag: required,
    type: required,
    config: fragment({
      collection: "outbounds",
      secrets: true,
      typeOf: ({ type }) => type,
      issues({ type, config }) {
        const parsed = parseOutboundConfig(type, config);
        return parsed.ok ? [] : parsed.issues;
      },
      recheck: ({ type }) => type !== undefined,
    }),
    remark: optional(""),
  },
  others: { templateIds: [] },
};

/**
 * Takes the tag of a new outbound: 400 for one that is taken. A tag that a template's route names cannot change: 409
 * with the names. `routesNaming` as in `leaveExits`.
 */
export function keepExitTag(
  draft: Draft,
  { id, before, after: { tag } }: Change<OutboundRow, OutboundFields>,
  routesNaming: readonly string[],
): void {
  if (tag === before?.tag) return;
  if (before) {
    const routed = carriers(draft, before).filter((each) => routesTo(each, before.tag));
    refuseInUse(`the tag ${before.tag} is named by`, [...routed.map(nameOf), ...routesNaming]);
    releaseExitTag(draft, before.tag);
  }
  takeExitTag(draft, tag, `outbound:${id}`);
}

/**
 * An outbound is deleted: 409 with the names while a template carries it or a route names it; `routesNaming`: what else
 * names its tag, as the caller read it.
 */
export function leaveExits(draft: Draft, row: Readonly<OutboundRow>, routesNaming: readonly string[]): void {
  refuseInUse("the outbound is used by", [...carriers(draft, row).map(nameOf), ...routesNaming]);
  releaseExitTag(draft, row.tag);
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
