// What an inbound holds, and what follows for others when it is changed or deleted. Each function is part of one
// commit; every rule is checked on locked rows.
import type { Draft } from "../db/index.ts";
import { invalid, rule } from "../http/index.ts";
import { parseClientConfig } from "./dialect/client-config.ts";
import { parseInboundConfig } from "./dialect/inbound.ts";
import type { Follow } from "./fragments/fragments.commands.ts";
import { fragment, optional, required, type Shape, type Written } from "./fragments/shape.ts";
import { leaveFronts } from "./fronts.commands.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import type { InboundUpdateBody } from "./inbound.schema.ts";
import { TemplateRows } from "./template.entity.ts";

/** Whether a panel certificate of that id exists; locks its row so that it stays. Implemented by `certificates`. */
export type CertificateExists = (draft: Draft, certificateId: number) => boolean;

/**
 * Takes an inbound out of all that names it beside templates: accounts and plans. Part of the change that deletes it.
 * Implemented by `accounts`.
 */
export type InboundLeaves = (draft: Draft, inboundId: number) => void;

export type InboundFields = Written<InboundRow, "templateIds" | "frontIds">;

export const INBOUND: Shape<InboundRow, InboundFields, InboundUpdateBody> = {
  rows: InboundRows,
  noun: "inbound",
  nameOf: ({ tag }) => tag,
  fields: {
    tag: required,
    type: required,
    config: fragment({
      collection: "inbounds",
      secrets: true,
      typeOf: ({ type }) => type,
      issues({ type, tag, config }) {
        const parsed = parseInboundConfig(type, tag, config);
        return parsed.ok ? [] : parsed.issues;
      },
      recheck: ({ type, tag }, { config }) => type !== undefined || (tag !== undefined && config["tag"] !== undefined),
    }),
    remark: optional(""),
    useNodeCert: optional(false),
    certificateId: { initial: null, read: (id) => id || null },
    clientConfig: fragment({
      collection: "clientConfig",
      secrets: true,
      issues({ clientConfig }) {
        const client = parseClientConfig(clientConfig);
        return client.ok ? [] : client.issues;
      },
    }),
    frontedOnly: optional(false),
  },
  others: { templateIds: [], frontIds: [] },
};

/** An inbound may name certificates that exist. */
export function checkCertificate(certificateExists: CertificateExists): Follow<InboundRow, InboundFields> {
  return (draft, { after: { certificateId } }) => {
    if (certificateId !== null && !certificateExists(draft, certificateId))
      invalid("certificateId", rule("absent", "certificate", certificateId));
  };
}

/** A deleted inbound leaves the templates that carry it, its fronts, and the accounts and plans that name it. */
export function leaveAll(draft: Draft, row: Readonly<InboundRow>, leaves: InboundLeaves): void {
  for (const template of draft.findAll(TemplateRows, row.templateIds)) {
    draft.touch(TemplateRows, template.id, { inboundIds: template.inboundIds.filter((each) => each !== row.id) });
  }
  leaveFronts(draft, row);
  leaves(draft, row.id);
}

/**
 * The inbounds of `ids`, protected from deletion until the commit. Throws 400 naming `field` for an id that names none.
 */
export function requireInbounds(draft: Draft, ids: readonly number[], field: string): void {
  const found = new Set(draft.findAll(InboundRows, ids, "read").map((row) => row.id));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) invalid(field, rule("absent", "inbound", unknown));
}
