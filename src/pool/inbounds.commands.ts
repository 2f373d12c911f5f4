// What changes inbounds. Each function is part of one commit; every rule is checked on locked rows.
import type { Draft } from "../db/index.ts";
import { withStoredSecrets } from "../dialect/index.ts";
import { invalid, notFound, refuseOutdated, rule } from "../http/index.ts";
import { parseClientConfig } from "./dialect/client.ts";
import { parseInboundConfig } from "./dialect/inbound.ts";
import { leaveFronts } from "./fronts.commands.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import type { InboundCreateBody, InboundUpdateBody } from "./inbound.schema.ts";
import { keptSecrets, type PrivateTargets, refuseFragment } from "./refused-fragment.ts";
import { TemplateRows } from "./template.entity.ts";

/** Whether a panel certificate of that id exists; locks its row so that it stays. Implemented by `certificates`. */
export type CertificateExists = (draft: Draft, certificateId: number) => boolean;

/**
 * Takes an inbound out of all that names it beside templates: accounts and plans. Part of the change that deletes it.
 * Implemented by `accounts`.
 */
export type InboundLeaves = (draft: Draft, inboundId: number) => void;

export interface InboundRules {
  readonly certificateExists: CertificateExists;
  readonly privateTargets: PrivateTargets;
}

type Written = Omit<InboundRow, "id" | "templateIds" | "frontIds" | "createdAt" | "updatedAt">;

/** Stored values with the body's laid over them; what is absent stays. */
function merged(stored: Written, body: InboundUpdateBody): Written {
  return {
    tag: body.tag ?? stored.tag,
    type: body.type ?? stored.type,
    config: body.config ? keptSecrets("inbounds", stored, body.type ?? stored.type, body.config) : stored.config,
    remark: body.remark ?? stored.remark,
    useNodeCert: body.useNodeCert ?? stored.useNodeCert,
    certificateId: body.certificateId === undefined ? stored.certificateId : body.certificateId || null,
    clientConfig:
      body.clientConfig === undefined
        ? stored.clientConfig
        : withStoredSecrets("clientConfig", "", body.clientConfig ?? {}, stored.clientConfig),
    frontedOnly: body.frontedOnly ?? stored.frontedOnly,
  };
}

/**
 * What of a record's own fragments a change does not touch stays as it is, also when it would be refused today: the
 * rest stays editable.
 */
function check(
  draft: Draft,
  { certificateExists, privateTargets }: InboundRules,
  written: Written,
  body: InboundUpdateBody,
): void {
  const { type, tag, config, clientConfig, certificateId } = written;
  if (body.config !== undefined || body.type !== undefined || (body.tag !== undefined && config["tag"] !== undefined)) {
    const parsed = parseInboundConfig(type, tag, config);
    refuseFragment(
      "config",
      { collection: "inbounds", type, value: config },
      parsed.ok ? [] : parsed.issues,
      privateTargets,
    );
  }
  if (body.clientConfig !== undefined) {
    const client = parseClientConfig(clientConfig);
    refuseFragment(
      "clientConfig",
      { collection: "clientConfig", type, value: clientConfig },
      client.ok ? [] : client.issues,
      privateTargets,
    );
  }
  if (certificateId !== null && !certificateExists(draft, certificateId))
    invalid("certificateId", rule("absent", "certificate", certificateId));
}

const DEFAULTS: Omit<Written, "tag" | "type" | "config"> = {
  remark: "",
  useNodeCert: false,
  certificateId: null,
  clientConfig: {},
  frontedOnly: false,
};

/**
 * Inserts an inbound. Throws 400 naming the field of a faulty fragment; a taken tag is the commit's `UniqueConflict`.
 */
export function createInbound(draft: Draft, rules: InboundRules, body: InboundCreateBody): InboundRow {
  const written = merged({ ...DEFAULTS, tag: body.tag, type: body.type, config: body.config }, body);
  check(draft, rules, written, body);
  const id = draft.nextId(InboundRows.name);
  const row: InboundRow = {
    id,
    ...written,
    templateIds: [],
    frontIds: [],
    createdAt: draft.time,
    updatedAt: draft.time,
  };
  draft.insert(InboundRows, row);
  return row;
}

/** Changes an inbound; absent fields keep their value. `view`: as the caller sees it. */
export function updateInbound(
  draft: Draft,
  rules: InboundRules,
  id: number,
  body: InboundUpdateBody,
  view: (row: Readonly<InboundRow>) => object,
): { before: Readonly<InboundRow>; after: InboundRow } {
  const before = draft.find(InboundRows, id) ?? notFound("inbound", id);
  refuseOutdated(body.version, before, () => view(before));
  const written = merged(before, body);
  check(draft, rules, written, body);
  return { before, after: { ...draft.touch(InboundRows, id, written) } };
}

/**
 * Deletes an inbound and takes it out of the templates that carry it, from its fronts, and out of the accounts and
 * plans that name it.
 */
export function deleteInbound(draft: Draft, leaves: InboundLeaves, id: number): Readonly<InboundRow> {
  const row = draft.find(InboundRows, id) ?? notFound("inbound", id);
  for (const template of draft.findAll(TemplateRows, row.templateIds)) {
    draft.touch(TemplateRows, template.id, { inboundIds: template.inboundIds.filter((each) => each !== id) });
  }
  leaveFronts(draft, row);
  draft.delete(InboundRows, id);
  leaves(draft, id);
  return row;
}

/**
 * The inbounds of `ids`, protected from deletion until the commit. Throws 400 naming `field` for an id that names none.
 */
export function requireInbounds(draft: Draft, ids: readonly number[], field: string): void {
  const found = new Set(draft.findAll(InboundRows, ids, "read").map((row) => row.id));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) invalid(field, rule("absent", "inbound", unknown));
}
