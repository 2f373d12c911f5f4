// Records of the pool as the API answers them, and what of them is written.
import type { z } from "zod";
import type { InboundView } from "../../pool/inbound.schema.ts";
import type { OutboundView } from "../../pool/outbound.schema.ts";
import type { TemplateView } from "../../pool/template.schema.ts";
import type { UsedBy as UsedBySchema } from "../../pool/used-by.schema.ts";

export type Inbound = z.output<typeof InboundView>;
export type Outbound = z.output<typeof OutboundView>;
export type Template = z.output<typeof TemplateView>;
/** What `GET /{id}` adds to a record. */
export interface Used {
  readonly usedBy: z.output<typeof UsedBySchema>;
}
export type Json = Readonly<Record<string, unknown>>;

/** The fields of a node that the pool's pages show. */
export interface PoolNode {
  readonly id: number;
  readonly name: string;
  readonly templateId: number | null;
  readonly online?: number;
}

/** The fields of an inbound that a person writes. */
export function inboundDocument({
  tag,
  type,
  remark,
  config,
  useNodeCert,
  certificateId,
  clientConfig,
  frontedOnly,
}: Inbound): Json {
  return { tag, type, remark, config, useNodeCert, certificateId, clientConfig, frontedOnly };
}

export function outboundDocument({ tag, type, remark, config }: Outbound): Json {
  return { tag, type, remark, config };
}

export function templateDocument({ name, remark, inboundIds, outboundIds, route, core }: Template): Json {
  return { name, remark, inboundIds, outboundIds, route, core };
}

/** Ports of TLS that networks let through. */
const USUAL_PORTS = [443, 8443, 2053, 2083, 2087, 2096];

/** A port that no inbound listens on: one machine may serve them all. */
export function freePort(inbounds: readonly Pick<Inbound, "config">[]): number {
  const taken = new Set(inbounds.map(({ config }) => config["listen_port"]));
  const usual = USUAL_PORTS.find((port) => !taken.has(port));
  let port = usual ?? 8444;
  while (taken.has(port)) port++;
  return port;
}
