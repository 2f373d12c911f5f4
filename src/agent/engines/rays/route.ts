// Route rules of the stored (sing-box) dialect as rules of v2ray and Xray.
import { z } from "zod";
import { type Fields, fieldsOf, Match, type MatchContext } from "./match.ts";
import { type AgentNotice, noticeOf, rulePlace, Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

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
type RuleSets = ReadonlyMap<string, z.infer<typeof RuleSet>>;
const Kind = z.looseObject({ action: z.string().optional(), type: z.string().optional() });
const Route = z.looseObject({
  rules: z.array(z.record(z.string(), z.unknown())).default([]),
  rule_set: z.array(RuleSet).default([]),
  final: z.string().optional(),
});

/** A rule of mode `and` becomes the product of its members' alternatives: beyond this it is left out. */
const MOST_ALTERNATIVES = 64;

/** Where a rule leads. */
export type RouteTarget = { readonly outboundTag: string } | { readonly balancerTag: string };

export interface RouteTargets extends MatchContext {
  /** The way for a tag of the plan; undefined for one that is not served. */
  outbound(tag: string): RouteTarget | undefined;
  readonly block: string;
  /** The outbound that answers DNS queries itself, where the engine has one. */
  readonly dns?: string;
}

export interface CompiledRoute {
  readonly rules: readonly Record<string, unknown>[];
  readonly final: string | undefined;
  readonly sniffing: boolean;
  readonly warnings: readonly AgentNotice[];
}

/** Rules that cannot be expressed are left out with a warning, never widened. */
export function compileRoute(value: unknown, targets: RouteTargets): CompiledRoute {
  const route = targets.speaker.parsed(Route, value);
  const sets = new Map(route.rule_set.map((set) => [set.tag, set]));
  const rules: Record<string, unknown>[] = [];
  const warnings: AgentNotice[] = [];
  let sniffing = false;
  for (const [index, rule] of route.rules.entries()) {
    try {
      const { action } = targets.speaker.parsed(Kind, rule);
      if (action === "sniff") sniffing = true;
      // Names are resolved for every address rule anyway.
      else if (action !== "resolve") {
        const { outbound } = rule;
        const lost =
          (action ?? "route") === "route" && typeof outbound === "string" && targets.outbound(outbound) === undefined;
        rules.push(...compileRule(rule, sets, targets));
        if (lost) warnings.push(noticeOf(rulePlace(index), reason("outbound_unserved", outbound)));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(noticeOf(rulePlace(index), error.reason, "the rule is left out"));
    }
  }
  return { rules, final: route.final, sniffing, warnings };
}

function compileRule(rule: Record<string, unknown>, sets: RuleSets, targets: RouteTargets): Record<string, unknown>[] {
  const { action = "route" } = targets.speaker.parsed(Kind, rule);
  const target = wayOf(action, rule, targets);
  return alternatives(action === "hijack-dns" ? queriesAsPort(rule) : rule, sets, targets).map((fields) => {
    if (Object.keys(fields).length === 0) throw new Refusal(reason("matches_all"));
    return { type: "field", ...fields, ...target };
  });
}

/** What was meant for an outbound that is not served must not leave another way. */
function wayOf(action: string, rule: Record<string, unknown>, targets: RouteTargets): RouteTarget {
  if (action === "reject") return { outboundTag: targets.block };
  if (action === "hijack-dns" && targets.dns !== undefined) return { outboundTag: targets.dns };
  if (action !== "route") throw new Refusal(reason("unserved_action", targets.speaker.engine, action, "sing-box"));
  const tag = rule["outbound"];
  if (typeof tag !== "string") throw new Refusal(reason("missing", "outbound"));
  return targets.outbound(tag) ?? { outboundTag: targets.block };
}

/** DNS is not among the protocols that these engines recognise: what the rule is after goes to port 53. */
function queriesAsPort(rule: Record<string, unknown>): Record<string, unknown> {
  const { protocol, ...rest } = rule;
  if (protocol !== "dns" && !(Array.isArray(protocol) && protocol.length === 1 && protocol[0] === "dns")) return rule;
  return "port" in rest ? rest : { ...rest, port: 53 };
}

/** The sets of fields; at least one set must match. */
function alternatives(rule: Record<string, unknown>, sets: RuleSets, targets: RouteTargets): Fields[] {
  const { speaker } = targets;
  if (speaker.parsed(Kind, rule).type === "logical") {
    const logical = speaker.parsed(Logical, rule);
    if (logical.invert) throw speaker.unserved("`invert`", "singBox");
    const members = logical.rules.map((inner) => alternatives(inner, sets, targets));
    return logical.mode === "or"
      ? members.flat()
      : members.reduce<Fields[]>((left, right) => both(left, right, targets), [{}]);
  }
  const match = speaker.parsed(Match, rule);
  if (!match.rule_set) return fieldsOf(match, targets);
  const { rule_set: names, ...rest } = match;
  return names.flatMap((name) =>
    membersOf(name, sets, targets).flatMap((inner) => fieldsOf(merged(inner, rest, targets), targets)),
  );
}

function membersOf(name: string, sets: RuleSets, { speaker }: RouteTargets): Match[] {
  const set = sets.get(name);
  if (!set?.rules || (set.type ?? "inline") !== "inline")
    throw new Refusal(reason("rule_set_kind", speaker.engine, name));
  return set.rules.map((item) => speaker.parsed(Match, item));
}

function merged(inner: Match, rest: Match, { speaker }: RouteTargets): Match {
  if (inner.invert || inner.rule_set)
    throw speaker.unservedWith("`invert` or `rule_set`", "`rule_set.rules`", "singBox");
  const clash = Object.keys(inner).find((key) => key in rest && key !== "type");
  if (clash !== undefined) throw new Refusal(reason("named_twice", speaker.engine, clash));
  return { ...inner, ...rest };
}

/**
 * What holds where one of `left` and one of `right` hold. Two sets of fields that name the same field cannot be one
 * rule.
 */
function both(left: readonly Fields[], right: readonly Fields[], { speaker }: RouteTargets): Fields[] {
  if (left.length * right.length > MOST_ALTERNATIVES) throw new Refusal(reason("many_alternatives", speaker.engine));
  return left.flatMap((one) =>
    right.map((other) => {
      const clash = Object.keys(one).find((key) => key in other);
      if (clash !== undefined) throw new Refusal(reason("named_twice", speaker.engine, clash));
      return { ...one, ...other };
    }),
  );
}
