// Route rules of the stored (sing-box) dialect as v2ray rules.
// sing-box: items of one field and all of domain, suffix, keyword, regex, address are alternatives; other fields must all hold. v2ray: every field must hold.
import { z } from "zod";
import { parseEngineUserName } from "../../../protocol/plan.ts";
import { parsed, Refusal, unserved } from "./refusal.ts";

const list = <T extends z.ZodType>(item: T) => z.union([item, z.array(item)]).transform((value) => [value].flat() as z.output<T>[]);
const Texts = list(z.string());
const Ports = list(z.int().min(0).max(65_535));

const Match = z.strictObject({
  type: z.literal("default").optional(),
  action: z.enum(["route", "reject"]).optional(),
  outbound: z.string().optional(),
  method: z.unknown().optional(),
  no_drop: z.unknown().optional(),
  invert: z.boolean().optional(),
  inbound: Texts.optional(),
  auth_user: Texts.optional(),
  network: Texts.optional(),
  protocol: Texts.optional(),
  port: Ports.optional(),
  port_range: Texts.optional(),
  domain: Texts.optional(),
  domain_suffix: Texts.optional(),
  domain_keyword: Texts.optional(),
  domain_regex: Texts.optional(),
  ip_cidr: Texts.optional(),
  ip_is_private: z.boolean().optional(),
  source_ip_cidr: Texts.optional(),
  rule_set: Texts.optional(),
});
type Match = z.infer<typeof Match>;

const Logical = z.looseObject({
  type: z.literal("logical"),
  mode: z.enum(["and", "or"]),
  rules: z.array(z.record(z.string(), z.unknown())),
  invert: z.boolean().optional(),
});
const RuleSet = z.looseObject({
  tag: z.string(),
  type: z.string().optional(),
  rules: z.array(z.record(z.string(), z.unknown())).optional(),
});
const Kind = z.looseObject({ action: z.string().optional(), type: z.string().optional() });
const Route = z.looseObject({
  rules: z.array(z.record(z.string(), z.unknown())).default([]),
  rule_set: z.array(RuleSet).default([]),
  final: z.string().optional(),
});

/** Loopback, private, link-local and carrier-grade NAT ranges; `::/128` reaches loopback too. */
export const PRIVATE_RANGES = [
  "127.0.0.0/8",
  "::1/128",
  "::/128",
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "fc00::/7",
  "fe80::/10",
];

export interface RouteTargets {
  /** The engine's outbound for a tag of the plan; undefined for one that is not served. */
  outbound(tag: string): string | undefined;
  /** Engine tags of an inbound of the plan. */
  inbound(tag: string): readonly string[] | undefined;
  readonly block: string;
}

export interface CompiledRoute {
  readonly rules: readonly Record<string, unknown>[];
  readonly final: string | undefined;
  readonly sniffing: boolean;
  readonly warnings: readonly string[];
}

/** Rules that cannot be expressed are left out with a warning, never widened. */
export function compileRoute(value: unknown, targets: RouteTargets): CompiledRoute {
  const route = parsed(Route, value);
  const sets = new Map(route.rule_set.map((set) => [set.tag, set]));
  const rules: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  let sniffing = false;
  for (const [index, rule] of route.rules.entries()) {
    try {
      const { action } = parsed(Kind, rule);
      if (action === "sniff") sniffing = true;
      // Names are resolved for every address rule anyway.
      else if (action !== "resolve") {
        const { outbound } = rule;
        const lost = action !== "reject" && typeof outbound === "string" && targets.outbound(outbound) === undefined;
        rules.push(...compileRule(rule, sets, targets));
        if (lost) warnings.push(`route rule ${index + 1}: the outbound "${outbound}" is not served; what the rule matches is refused`);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(`route rule ${index + 1}: ${error.message}; the rule is left out`);
    }
  }
  return { rules, final: route.final, sniffing, warnings };
}

function compileRule(
  rule: Record<string, unknown>,
  sets: ReadonlyMap<string, z.infer<typeof RuleSet>>,
  targets: RouteTargets,
): Record<string, unknown>[] {
  const { action = "route", type } = parsed(Kind, rule);
  if (action !== "route" && action !== "reject") throw unserved(`the action ${action}`, "singBox");
  const outboundTag = action === "reject" ? targets.block : targetOf(rule["outbound"], targets);
  return alternatives(rule, type, sets)
    .flatMap((match) => toRules(match, targets))
    .map((fields) => ({ type: "field", ...fields, outboundTag }));
}

/** What was meant for an outbound that is not served must not leave another way. */
function targetOf(tag: unknown, targets: RouteTargets): string {
  if (typeof tag !== "string") throw new Refusal("`outbound` is missing");
  return targets.outbound(tag) ?? targets.block;
}

/** The plain matches of which any must hold. */
function alternatives(
  rule: Record<string, unknown>,
  type: string | undefined,
  sets: ReadonlyMap<string, z.infer<typeof RuleSet>>,
): Match[] {
  if (type === "logical") {
    const logical = parsed(Logical, rule);
    if (logical.invert) throw unserved("`invert`", "singBox");
    if (logical.mode === "and") throw unserved("logical rules of mode and", "singBox");
    return logical.rules.flatMap((inner) => alternatives(inner, parsed(Kind, inner).type, sets));
  }
  const match = parsed(Match, rule);
  if (match.invert) throw unserved("`invert`", "singBox");
  if (!match.rule_set) return [match];
  const { rule_set: names, ...rest } = match;
  return names.flatMap((name) => {
    const set = sets.get(name);
    if (!set?.rules || (set.type ?? "inline") !== "inline") throw unserved(`the rule set "${name}", which is not inline`, "singBox");
    return set.rules.map((item) => {
      const inner = parsed(Match, item);
      if (inner.invert || inner.rule_set) throw unserved("`invert` or `rule_set` within a rule set", "singBox");
      const clash = Object.keys(inner).find((key) => key in rest && key !== "type");
      if (clash !== undefined) throw unserved(`a rule set and its rule both naming \`${clash}\``, "singBox");
      return { ...inner, ...rest };
    });
  });
}

/** One match as one or two rules: names and addresses are alternatives in the stored dialect, but both must hold in one v2ray rule. */
function toRules(match: Match, targets: RouteTargets): Record<string, unknown>[] {
  const domains = [
    ...(match.domain ?? []).map((name) => `full:${name}`),
    // ".example.org" means subdomains alone; v2ray's domain: means both.
    ...(match.domain_suffix ?? []).map((name) => (name.startsWith(".") ? `regexp:${escape(name)}$` : `domain:${name}`)),
    ...(match.domain_keyword ?? []).map((word) => `keyword:${word}`),
    ...(match.domain_regex ?? []).map((pattern) => `regexp:${pattern}`),
  ];
  const addresses = [...(match.ip_cidr ?? []), ...(match.ip_is_private ? PRIVATE_RANGES : [])];
  const ports = [...(match.port ?? []).map(String), ...(match.port_range ?? []).map(portRange)];
  const common = {
    ...(match.inbound && { inboundTag: match.inbound.flatMap((tag) => targets.inbound(tag) ?? []) }),
    ...(match.auth_user && { user: match.auth_user.map(userName) }),
    ...(match.network && { network: match.network.join(",") }),
    ...(match.protocol && { protocol: match.protocol.map(sniffedProtocol) }),
    ...(ports.length > 0 && { port: ports.join(",") }),
    ...(match.source_ip_cidr && { source: match.source_ip_cidr }),
  };
  if ("inboundTag" in common && common.inboundTag?.length === 0) return [];
  const rules = [
    ...(domains.length > 0 ? [{ ...common, domain: domains }] : []),
    ...(addresses.length > 0 ? [{ ...common, ip: addresses }] : []),
  ];
  if (rules.length > 0) return rules;
  if (Object.keys(common).length === 0) throw new Refusal("the rule matches everything; `final` is the place for that");
  return [common];
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** sing-box "1000:2000", ":3000", "4000:" to v2ray "1000-2000". */
function portRange(range: string): string {
  const match = /^(\d*):(\d*)$/.exec(range);
  if (!match) throw new Refusal(`\`port_range\`: "${range}" is not of the form from:to`);
  return `${match[1] === "" ? "0" : match[1]}-${match[2] === "" ? "65535" : match[2]}`;
}

function userName(name: string): string {
  if (!parseEngineUserName(name)) throw new Refusal(`\`auth_user\`: nodes know users as <user id>.<inbound id>, not as "${name}"`);
  return name;
}

function sniffedProtocol(protocol: string): string {
  if (!["http", "tls", "bittorrent"].includes(protocol)) throw unserved(`the protocol ${protocol} in rules`, "singBox");
  return protocol;
}
