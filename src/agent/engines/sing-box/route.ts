// The route of the plan: rules in sing-box's own dialect, with the names that the engine knows. Nothing is widened:
// what leads to nothing is refused.
import { z } from "zod";
import { forbiddenPaths } from "../../../dialect/index.ts";
import { engineTags } from "../process/dialect.ts";
import { ACTION_FIELDS, ACTIONS, MATCH_REPLACED } from "./keys.ts";
import type { Outbounds } from "./outbound.ts";
import { Block, onlyAllowed, parsed, textsOf } from "./refusal.ts";
import { type AgentNotice, noticeOf, blockPlace, rulePlace, Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

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
  readonly warnings: readonly AgentNotice[];
}

export function compileRoute(value: unknown, names: RouteNames): CompiledRoute {
  const route = parsed(Route, value);
  const warnings: AgentNotice[] = [];
  const rest: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(route)) {
    if (key === "rules" || key === "rule_set" || key === "final") continue;
    if (forbiddenPaths("route", "", { [key]: field }).length === 0) rest[key] = field;
    else
      warnings.push(
        noticeOf(blockPlace("route", key, "route"), reason("unserved", "sing-box", `\`${key}\``, ""), "it is left out"),
      );
  }
  if (!knowsResolver(rest["default_domain_resolver"], names)) {
    warnings.push(noticeOf(blockPlace("route", "default_domain_resolver", "route"), reason("no_resolver")));
    delete rest["default_domain_resolver"];
  }
  const ruleSets = compileRuleSets(route.rule_set, names.outbounds, warnings);
  const sets = new Set(ruleSets.map((set) => set["tag"]));
  const rules = route.rules.flatMap((rule, index) => {
    try {
      return [compileRule(rule, sets, names, (why) => warnings.push(noticeOf(rulePlace(index), why)))];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(noticeOf(rulePlace(index), error.reason, "the rule is left out"));
      return [];
    }
  });
  const { final: wanted } = route;
  const lost = wanted !== undefined && wanted !== "" && !names.outbounds.has(wanted);
  if (lost) warnings.push(noticeOf(blockPlace("route", "final", "route"), reason("final_unserved", wanted)));
  const final = lost ? names.outbounds.block : wanted || names.outbounds.fallback;
  if (isPinned(final, names)) rules.push({ network: "udp", outbound: final, udp_connect: true });
  return { rules, ruleSets, final, rest, warnings };
}

function knowsResolver(value: unknown, { dnsServers }: RouteNames): boolean {
  if (value === undefined) return true;
  const server = typeof value === "string" ? value : Block.safeParse(value).data?.["server"];
  return typeof server === "string" && dnsServers.has(server);
}

function compileRuleSets(sets: readonly Block[], outbounds: Outbounds, warnings: AgentNotice[]): Block[] {
  const tags = new Set<string>();
  return sets.flatMap((set, index) => {
    const named = typeof set["tag"] === "string" ? set["tag"] : index + 1;
    const at = blockPlace("route", `rule_set.${index}`, `rule set ${named}`);
    try {
      const { tag, type, download_detour: detour } = parsed(RuleSet, set);
      onlyAllowed("rulesets", type, set);
      if (tags.has(tag)) throw new Refusal(reason("tag_twice"));
      if (detour !== undefined && !outbounds.has(detour))
        throw new Refusal(reason("names_unserved", "download_detour", detour));
      if (type === "remote") warnings.push(noticeOf(at, reason("rule_set_fetched")));
      tags.add(tag);
      return [{ type, ...set }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(noticeOf(at, error.reason, "it is left out with the rules that use it"));
      return [];
    }
  });
}

type Warn = (why: Reason) => void;

function compileRule(rule: Block, sets: ReadonlySet<unknown>, names: RouteNames, warn: Warn): Block {
  const action = rule["action"] ?? "route";
  if (typeof action !== "string") throw new Refusal(reason("invalid", "action", "expected a text"));
  const fields = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!fields) throw new Refusal(reason("unserved_action", "sing-box", action, ""));
  onlyAllowed("route", "", { rules: [rule] }, MATCH_REPLACED, "rules.0.");
  const strange = ACTION_FIELDS.find((key) => key in rule && !fields.includes(key));
  if (strange !== undefined)
    throw new Refusal(reason("unserved_with", "sing-box", `\`${strange}\``, `the action ${action}`, ""));
  const match = compileMatch(rule, sets, names);
  if (action === "reject") {
    const { action: _action, method: _method, no_drop: _drop, ...rest } = match;
    // The action leaves no trace that could be counted; the outbound does.
    return { ...rest, outbound: names.outbounds.block };
  }
  if (action === "resolve" && typeof rule["server"] === "string" && !names.dnsServers.has(rule["server"]))
    throw new Refusal(reason("names_nothing", "server", rule["server"]));
  if (action !== "route") return match;
  const { outbound } = rule;
  if (typeof outbound !== "string") throw new Refusal(reason("missing", "outbound"));
  if (names.outbounds.has(outbound)) return isPinned(outbound, names) ? { ...match, udp_connect: true } : match;
  warn(reason("outbound_unserved", outbound));
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
  if (missing !== undefined) throw new Refusal(reason("names_nothing", "rule_set", missing));
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
