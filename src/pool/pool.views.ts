// Records of the pool as the API answers them: who may not change them reads no secrets, and everybody reads what of
// them is forbidden today.
import { type Collection, forbiddenPaths, privateTargetPaths, withoutSecrets } from "../dialect/index.ts";
import type { Caller } from "../http/index.ts";
import type { InboundRow } from "./inbound.entity.ts";
import type { InboundAnswer } from "./inbound.schema.ts";
import type { OutboundRow } from "./outbound.entity.ts";
import type { OutboundAnswer } from "./outbound.schema.ts";
import { fieldOf, type PrivateTargets } from "./refused-fragment.ts";
import { readStoredInbound } from "./stored-inbound.ts";
import type { TemplateRow } from "./template.entity.ts";
import type { TemplateAnswer } from "./template.schema.ts";
import type { TemplateContent } from "./templates.commands.ts";

type Json = Record<string, unknown>;

/** Who may see a record. */
export interface FragmentReader {
  readonly secrets: boolean;
  readonly privateTargets: PrivateTargets;
}

/** Private keys and passwords of fragments are for those who could replace them. */
export function readerOf({
  privateTargets,
}: {
  readonly privateTargets: PrivateTargets;
}): (caller: Caller) => FragmentReader {
  return ({ scopes }) => ({ secrets: scopes.has("pool:write"), privateTargets });
}

/** Fields of a stored fragment that a write would refuse today, as the API names them. */
export function forbiddenFieldsOf(
  under: string,
  collection: Collection,
  type: string,
  fragment: unknown,
  privateTargets: PrivateTargets,
): string[] {
  const targets = privateTargets === "allow" ? [] : privateTargetPaths(collection, type, fragment);
  return [...forbiddenPaths(collection, type, fragment), ...targets].map((path) => fieldOf(under, path));
}

export function forbiddenOfInbound(
  { type, config, clientConfig }: Readonly<InboundRow>,
  privateTargets: PrivateTargets,
): string[] {
  return [
    ...forbiddenFieldsOf("config", "inbounds", type, config, privateTargets),
    ...forbiddenFieldsOf("clientConfig", "clientConfig", "", clientConfig, privateTargets),
  ];
}

export function forbiddenOfOutbound({ type, config }: Readonly<OutboundRow>, privateTargets: PrivateTargets): string[] {
  return forbiddenFieldsOf("config", "outbounds", type, config, privateTargets);
}

/** Of a template's own fields; what it carries says it itself. */
export function forbiddenOfTemplate({ route, core }: Readonly<TemplateRow>, privateTargets: PrivateTargets): string[] {
  return [
    ...forbiddenFieldsOf("route", "route", "", route, privateTargets),
    ...forbiddenFieldsOf("core", "core", "", core, privateTargets),
  ];
}

function shown(collection: Collection, type: string, fragment: Json, { secrets }: FragmentReader): Json {
  return secrets ? fragment : withoutSecrets(collection, type, fragment);
}

/** An inbound as the audit log keeps it. */
export function inboundRecord({
  templateIds: _templateIds,
  frontIds: _frontIds,
  ...record
}: Readonly<InboundRow>): Omit<InboundRow, "templateIds" | "frontIds"> {
  return record;
}

/** An outbound as the audit log keeps it. */
export function outboundRecord({
  templateIds: _templateIds,
  ...record
}: Readonly<OutboundRow>): Omit<OutboundRow, "templateIds"> {
  return record;
}

export function inboundView(row: Readonly<InboundRow>, reader: FragmentReader): InboundAnswer {
  return {
    ...inboundRecord(row),
    config: shown("inbounds", row.type, row.config, reader),
    clientConfig: shown("clientConfig", "", row.clientConfig, reader),
    forbidden: forbiddenOfInbound(row, reader.privateTargets),
    refused: refusedOfInbound(row),
  };
}

/** Fields that subscriptions miss, and with those of `config` the inbound as a whole. */
function refusedOfInbound(row: Readonly<InboundRow>): string[] {
  const { refused, untold } = readStoredInbound(row);
  return [...refused, ...untold];
}

export function outboundView(row: Readonly<OutboundRow>, reader: FragmentReader): OutboundAnswer {
  return {
    ...outboundRecord(row),
    config: shown("outbounds", row.type, row.config, reader),
    forbidden: forbiddenOfOutbound(row, reader.privateTargets),
  };
}

export function templateView(
  { template, inbounds, outbounds }: TemplateContent,
  reader: FragmentReader,
): TemplateAnswer {
  return {
    ...template,
    core: shown("core", "", template.core, reader),
    inbounds: inbounds.map((row) => inboundView(row, reader)),
    outbounds: outbounds.map((row) => outboundView(row, reader)),
    endpoints: [],
    ruleSets: [],
    forbidden: forbiddenOfTemplate(template, reader.privateTargets),
  };
}
