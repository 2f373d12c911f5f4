// What a route rule of the stored (sing-box) dialect matches, as fields of v2ray and Xray rules.
// sing-box: items of one field and all of domain, suffix, keyword, regex, address are alternatives; other fields must
// all hold. v2ray and Xray: every field must hold.
import { z } from "zod";
import { parseEngineUserName } from "../../../protocol/plan.ts";
import { Range } from "./hosts.ts";
import { PRIVATE_RANGES } from "../../private-ranges.ts";
import { type Speaker } from "./refusal.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const list = <T extends z.ZodType>(item: T) =>
  z.union([item, z.array(item)]).transform((value) => [value].flat() as z.output<T>[]);
const Texts = list(z.string());
const Ports = list(z.int().min(0).max(65_535));
const Ranges = list(Range);

export const Match = z.strictObject({
  type: z.literal("default").optional(),
  action: z.enum(["route", "reject", "hijack-dns"]).optional(),
  outbound: z.string().optional(),
  method: z.unknown().optional(),
  no_drop: z.unknown().optional(),
  invert: z.boolean().optional(),
  inbound: Texts.optional(),
  auth_user: Texts.optional(),
  network: list(z.enum(["tcp", "udp"])).optional(),
  protocol: Texts.optional(),
  port: Ports.optional(),
  port_range: Texts.optional(),
  source_port: Ports.optional(),
  source_port_range: Texts.optional(),
  domain: Texts.optional(),
  domain_suffix: Texts.optional(),
  domain_keyword: Texts.optional(),
  domain_regex: Texts.optional(),
  ip_cidr: Ranges.optional(),
  ip_is_private: z.boolean().optional(),
  source_ip_cidr: Ranges.optional(),
  source_ip_is_private: z.boolean().optional(),
  rule_set: Texts.optional(),
});
export type Match = z.infer<typeof Match>;

/** Fields of one engine rule, all of which must hold. */
export type Fields = Readonly<Record<string, unknown>>;

export interface MatchContext {
  readonly speaker: Speaker;
  /** Protocols that the engine recognises by a connection's first bytes. */
  readonly protocols: readonly string[];
  /** Engine tags of an inbound of the plan. */
  inbound(tag: string): readonly string[] | undefined;
}

/**
 * One match as one or two sets of fields: names and addresses are alternatives in the stored dialect, but both must
 * hold in one engine rule. Empty: it can never match.
 */
export function fieldsOf(match: Match, context: MatchContext): Fields[] {
  if (match.invert) throw context.speaker.unserved("`invert`", "singBox");
  const domains = domainsOf(match);
  const addresses = [...(match.ip_cidr ?? []), ...(match.ip_is_private ? PRIVATE_RANGES : [])];
  const sources = [...(match.source_ip_cidr ?? []), ...(match.source_ip_is_private ? PRIVATE_RANGES : [])];
  const ports = portsOf(match.port, match.port_range, "port_range");
  const sourcePorts = portsOf(match.source_port, match.source_port_range, "source_port_range");
  const common = {
    ...(match.inbound && { inboundTag: match.inbound.flatMap((tag) => context.inbound(tag) ?? []) }),
    ...(match.auth_user && { user: match.auth_user.map(userName) }),
    ...(match.network && { network: match.network.join(",") }),
    ...(match.protocol && { protocol: match.protocol.map((protocol) => sniffedProtocol(protocol, context)) }),
    ...(ports.length > 0 && { port: ports.join(",") }),
    ...(sourcePorts.length > 0 && { sourcePort: sourcePorts.join(",") }),
    ...(sources.length > 0 && { source: sources }),
  };
  if ("inboundTag" in common && common.inboundTag?.length === 0) return [];
  const rules = [
    ...(domains.length > 0 ? [{ ...common, domain: domains }] : []),
    ...(addresses.length > 0 ? [{ ...common, ip: addresses }] : []),
  ];
  return rules.length > 0 ? rules : [common];
}

/** Names that a match or a resolver rule asks for, as the engine writes them. */
export function domainsOf(
  match: Pick<Match, "domain" | "domain_suffix" | "domain_keyword" | "domain_regex">,
): string[] {
  return [
    ...(match.domain ?? []).map((name) => `full:${name}`),
    // ".example.org" means subdomains alone; domain: means both.
    ...(match.domain_suffix ?? []).map((name) => (name.startsWith(".") ? `regexp:${escape(name)}$` : `domain:${name}`)),
    ...(match.domain_keyword ?? []).map((word) => `keyword:${word}`),
    ...(match.domain_regex ?? []).map((pattern) => `regexp:${pattern}`),
  ];
}

function portsOf(ports: readonly number[] | undefined, ranges: readonly string[] | undefined, field: string): string[] {
  return [...(ports ?? []).map(String), ...(ranges ?? []).map((range) => portRange(range, field))];
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** sing-box "1000:2000", ":3000", "4000:" to "1000-2000". */
function portRange(range: string, field: string): string {
  const match = /^(\d*):(\d*)$/.exec(range);
  if (!match) throw new Refusal(reason("malformed", field, range, "from:to"));
  return `${match[1] === "" ? "0" : match[1]}-${match[2] === "" ? "65535" : match[2]}`;
}

function userName(name: string): string {
  if (!parseEngineUserName(name)) throw new Refusal(reason("malformed", "auth_user", name, "<user id>.<inbound id>"));
  return name;
}

function sniffedProtocol(protocol: string, { protocols, speaker }: MatchContext): string {
  if (!protocols.includes(protocol)) throw speaker.unserved(`protocol ${protocol}`, "singBox");
  return protocol;
}
