// The route of the plan: rules in sing-box's own dialect, with the names that the engine knows. Nothing is widened:
// what leads to nothing is refused.
import { z } from "zod";
import { forbiddenPaths } from "../../../dialect/index.ts";
import { engineTags } from "../process/dialect.ts";
import { ACTION_FIELDS, ACTIONS, MATCH_REPLACED } from "./keys.ts";
import type { Outbounds } from "./outbound.ts";
import { Block, onlyAllowed, parsed, Refusal, textsOf, unserved } from "./refusal.ts";

const Route = z.looseObject({
  rules: z.array(Block).default([]),
  rule_set: z.array(Block).default([]),
  final: z.string().optional(),
});
const RuleSet = z.looseObject({
  tag: z.string().min(1),
  type: z.enum(["inline", "remote"]).default("inline"),
  download_detour: z.string().optional(),
});

export interface RouteNames {
  readonly outbounds: Outbounds;
  /** The id of an inbound of the plan. */
  inbound(tag: string): number | undefined;
  /** DNS servers of the configuration. */
  readonly dnsServers: ReadonlySet<string>;
  /**
   * Private targets are closed: the engine looks at the first packet's target alone, so further packets of a client's
   * socket must not have another.
   */
  readonly pinPackets: boolean;
}

/** The route without our guards. */
export interface CompiledRoute {
  readonly rules: readonly Block[];
  readonly ruleSets: readonly Block[];
  readonly final: string;
  /** Other fields of the block. */
  readonly rest: Block;
  readonly warnings: readonly string[];
}

export function compileRoute(value: unknown, names: RouteNames): CompiledRoute {
  const route = parsed(Route, value);
  const warnings: string[] = [];
  const rest: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(route)) {
    if (key === "rules" || key === "rule_set" || key === "final") continue;
    if (forbiddenPaths("route", "", { [key]: field }).length === 0) rest[key] = field;
    else warnings.push(`route: sing-box does not serve \`${key}\`; it is left out`);
  }
  if (!knowsResolver(rest["default_domain_resolver"], names)) {
    warnings.push("route: `default_domain_resolver` names no DNS server; the system's resolver is used");
    delete rest["default_domain_resolver"];
  }
  const ruleSets = compileRuleSets(route.rule_set, names.outbounds, warnings);
  const sets = new Set(ruleSets.map((set) => set["tag"]));
  const rules = route.rules.flatMap((rule, index) => {
    try {
      return [compileRule(rule, sets, names, (text) => warnings.push(`route rule ${index + 1}: ${text}`))];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(`route rule ${index + 1}: ${error.message}; the rule is left out`);
      return [];
    }
  });
  const { final: wanted } = route;
  const lost = wanted !== undefined && wanted !== "" && !names.outbounds.has(wanted);
  if (lost)
    warnings.push(`route: the outbound "${wanted}" named by \`final\` is not served; what no rule matches is refused`);
  const final = lost ? names.outbounds.block : wanted || names.outbounds.fallback;
  if (isPinned(final, names)) rules.push({ network: "udp", outbound: final, udp_connect: true });
  return { rules, ruleSets, final, rest, warnings };
}

function knowsResolver(value: unknown, { dnsServers }: RouteNames): boolean {
  if (value === undefined) return true;
  const server = typeof value === "string" ? value : Block.safeParse(value).data?.["server"];
  return typeof server === "string" && dnsServers.has(server);
}

function compileRuleSets(sets: readonly Block[], outbounds: Outbounds, warnings: string[]): Block[] {
  const tags = new Set<string>();
  return sets.flatMap((set, index) => {
    const at = `rule set ${typeof set["tag"] === "string" ? set["tag"] : index + 1}`;
    try {
      const { tag, type, download_detour: detour } = parsed(RuleSet, set);
      onlyAllowed("rulesets", type, set);
      if (tags.has(tag)) throw new Refusal("the tag is used twice");
      if (detour !== undefined && !outbounds.has(detour))
        throw new Refusal(`\`download_detour\`: the outbound "${detour}" is not served`);
      if (type === "remote")
        warnings.push(
          `${at}: it is fetched each time a process starts, which fails where it cannot be; an inline one is always there`,
        );
      tags.add(tag);
      return [{ type, ...set }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(`${at}: ${error.message}; it is left out with the rules that use it`);
      return [];
    }
  });
}

type Warn = (text: string) => void;

function compileRule(rule: Block, sets: ReadonlySet<unknown>, names: RouteNames, warn: Warn): Block {
  const action = rule["action"] ?? "route";
  if (typeof action !== "string") throw unserved("an action that is no text");
  const fields = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!fields) throw unserved(`the action ${action}`);
  onlyAllowed("route", "", { rules: [rule] }, MATCH_REPLACED, "rules.0.");
  const strange = ACTION_FIELDS.find((key) => key in rule && !fields.includes(key));
  if (strange !== undefined) throw unserved(`\`${strange}\` with the action ${action}`);
  const match = compileMatch(rule, sets, names);
  if (action === "reject") {
    const { action: _action, method: _method, no_drop: _drop, ...rest } = match;
    // The action leaves no trace that could be counted; the outbound does.
    return { ...rest, outbound: names.outbounds.block };
  }
  if (action === "resolve" && typeof rule["server"] === "string" && !names.dnsServers.has(rule["server"]))
    throw new Refusal(`\`server\`: there is no DNS server "${rule["server"]}"`);
  if (action !== "route") return match;
  const { outbound } = rule;
  if (typeof outbound !== "string") throw new Refusal("`outbound` is missing");
  if (names.outbounds.has(outbound)) return isPinned(outbound, names) ? { ...match, udp_connect: true } : match;
  warn(`the outbound "${outbound}" is not served; what the rule matches is refused`);
  return { ...match, outbound: names.outbounds.block };
}

function isPinned(outbound: string, { outbounds, pinPackets }: RouteNames): boolean {
  return pinPackets && outbounds.leavesHere(outbound);
}

/** The conditions of a rule, with the engine's names in place of the plan's. */
function compileMatch(rule: Block, sets: ReadonlySet<unknown>, names: RouteNames): Block {
  if (rule["type"] === "logical") {
    const inner = parsed(z.array(Block).min(1), rule["rules"], "rules");
    return { ...rule, rules: inner.map((one) => compileMatch(one, sets, names)) };
  }
  const missing = textsOf(rule["rule_set"]).find((tag) => !sets.has(tag));
  if (missing !== undefined) throw new Refusal(`\`rule_set\`: there is no rule set "${missing}"`);
  if (rule["inbound"] === undefined) return rule;
  return { ...rule, inbound: engineInbounds(rule["inbound"], names) };
}

/** An inbound that is not there keeps its place under a name that none has: an empty list would match all. */
export function engineInbounds(value: unknown, names: Pick<RouteNames, "inbound">): string[] {
  return textsOf(value).flatMap((tag) => {
    const id = names.inbound(tag);
    return id === undefined ? [`missing.${tag}`] : engineTags(id);
  });
}
