// Where inbounds, domain fronts and templates lead the programs of customers (rules admins.point.3).
import { each, nowhere, partsOf, toPoint, traffic, whole, type Points } from "../http/index.ts";
import { isFragment } from "./dialect/issue.ts";
import { parseInboundConfig } from "./dialect/inbound.ts";
import type { TransportDialect } from "./dialect/transport.ts";
import type { FrontRow } from "./front.entity.ts";
import type { FrontUpdateBody } from "./front.schema.ts";
import type { InboundRow } from "./inbound.entity.ts";
import type { InboundUpdateBody } from "./inbound.schema.ts";
import type { TemplateUpdateBody } from "./template.schema.ts";

type Fields<T> = Omit<T, "version">;

/** Where an inbound leads; where its names lead depends on who carries it: see `partsOfInbound`. */
export const INBOUND_POINTS: Points<Fields<InboundUpdateBody>> = {
  tag: nowhere,
  type: nowhere,
  // Another server that clients fetch from.
  config: (config) => whole(downloadOf(config)),
  remark: nowhere,
  useNodeCert: nowhere,
  certificateId: nowhere,
  // All of it: another server or port, another certificate to believe, no TLS at all.
  clientConfig: whole,
  frontedOnly: nowhere,
};

export const FRONT_POINTS: Points<Fields<FrontUpdateBody>> = {
  name: nowhere,
  domain: whole,
  address: whole,
  port: whole,
  sni: whole,
  path: whole,
  remark: nowhere,
  enabled: nowhere,
  // What nodes believe, not what clients are told.
  clientHeader: nowhere,
  inboundIds: each,
};

/** Where a template leads; an inbound that joins it leads where the inbound does: see `leadsByJoining`. */
export const TEMPLATE_POINTS: Points<Fields<TemplateUpdateBody>> = {
  name: nowhere,
  remark: nowhere,
  route: traffic,
  core: traffic,
  inboundIds: nowhere,
  outboundIds: traffic,
  endpointIds: traffic,
  ruleSetIds: traffic,
};

export const POINTS = toPoint("for what leads the programs of customers where the stored values do not");

/**
 * Where an inbound leads. Its names of hosts choose a server where a CDN or a proxy stands in front of the nodes; they
 * count once a template carries it, since nobody is told of it before.
 */
export function partsOfInbound(row: Readonly<InboundRow>): readonly string[] {
  return [...ownParts(row), ...(row.templateIds.length > 0 ? namesOf(row) : [])];
}

export function partsOfFront(row: Readonly<FrontRow>): readonly string[] {
  return partsOf<Fields<FrontUpdateBody>>(FRONT_POINTS, row);
}

/** Whether an inbound joins a template that leads elsewhere than to the addresses of its nodes. */
export function leadsByJoining(before: readonly number[], after: readonly Readonly<InboundRow>[]): boolean {
  const joined = after.filter(({ id }) => !before.includes(id));
  return joined.some((row) => row.frontIds.length > 0 || namesOf(row).length > 0 || ownParts(row).length > 0);
}

function ownParts(row: Readonly<InboundRow>): readonly string[] {
  return partsOf<Fields<InboundUpdateBody>>(INBOUND_POINTS, row);
}

/** Names of hosts by which clients ask at an inbound. With REALITY nobody but the nodes can answer them. */
function namesOf({ type, tag, config }: Pick<InboundRow, "type" | "tag" | "config">): string[] {
  const parsed = parseInboundConfig(type, tag, config);
  if (!parsed.ok || parsed.inbound.tls?.reality) return [];
  const { tls, transport } = parsed.inbound;
  return [tls?.serverName ?? "", ...hostsOf(transport)].filter((name) => name !== "").map((name) => `name ${name}`);
}

function hostsOf(transport: TransportDialect | undefined): readonly string[] {
  if (!transport || transport.type === "quic") return [];
  if (transport.type === "grpc") return [transport.authority];
  return transport.type === "http" ? transport.hosts : [transport.host];
}

function downloadOf({ transport }: Readonly<Record<string, unknown>>): unknown {
  const extra = isFragment(transport) ? transport["extra"] : undefined;
  return isFragment(extra) ? (extra["downloadSettings"] ?? null) : null;
}
