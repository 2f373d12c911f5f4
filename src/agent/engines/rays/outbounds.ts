// All outbounds of a plan together: which tags exist, which member each group uses, and which outbound is the default.
import type { PlanOutbound, Structure } from "../../../protocol/plan.ts";
import type { Json } from "../process/dialect.ts";
import type { CompiledRoute } from "./route.ts";
import { type AgentNotice, type Attempt, noticeOf, itemPlace, blockPlace, Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

export type CompiledOutbound =
  | {
      readonly kind: "outbound";
      readonly tag: string;
      readonly config: Record<string, unknown>;
      readonly notes?: readonly Reason[];
    }
  /** A group that uses one of its members. */
  | { readonly kind: "alias"; readonly tag: string; readonly target: string; readonly note?: Reason };

export interface Outbounds {
  readonly list: readonly Json[];
  readonly blockTags: readonly string[];
  readonly block: string;
  /** Groups by their tag, each with the member that it uses. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The engine's outbound for a tag of the plan; undefined for one that is not served. */
  readonly target: (tag: string) => string | undefined;
}

export function isBlackhole(outbound: Readonly<Record<string, unknown>>): boolean {
  return outbound["protocol"] === "blackhole";
}

/**
 * Compiles every outbound. There is always one that leads out and one that refuses; `direct` and `block` make those
 * that the plan has not got.
 */
export function collectOutbounds(
  structure: Structure,
  compile: (outbound: PlanOutbound) => CompiledOutbound,
  direct: (tag: string) => Record<string, unknown>,
  attempt: Attempt,
  warnings: AgentNotice[],
): Outbounds {
  const list: Record<string, unknown>[] = [];
  const tags = new Set<string>();
  const aliases = new Map<string, string>();
  for (const object of Object.values(structure)) {
    if (object.kind !== "outbound") continue;
    const compiled = attempt(itemPlace("outbound", object.tag), () => {
      if (tags.has(object.tag) || aliases.has(object.tag)) throw new Refusal(reason("tag_twice"));
      if (object.tag.startsWith("signalbox.")) throw new Refusal(reason("own_tag"));
      return compile(object);
    });
    if (compiled?.kind === "alias") {
      aliases.set(compiled.tag, compiled.target);
      if (compiled.note !== undefined) warnings.push(noticeOf(itemPlace("outbound", compiled.tag), compiled.note));
    } else if (compiled) {
      tags.add(compiled.tag);
      list.push(compiled.config);
      for (const note of compiled.notes ?? []) warnings.push(noticeOf(itemPlace("outbound", compiled.tag), note));
    }
  }
  if (!list.some((outbound) => !isBlackhole(outbound))) list.unshift(direct(unusedTag("direct", tags)));
  if (!list.some(isBlackhole)) list.push({ tag: unusedTag("block", tags), protocol: "blackhole", settings: {} });
  const blockTags = list.filter(isBlackhole).map((outbound) => String(outbound["tag"]));
  const present = new Set(list.map((outbound) => outbound["tag"]));
  const target = (tag: string): string | undefined => {
    let name: string | undefined = tag;
    // Groups of groups: bounded, since operators can write a circle.
    for (let depth = 0; depth < 8 && name !== undefined && !present.has(name); depth += 1) name = aliases.get(name);
    return name !== undefined && present.has(name) ? name : undefined;
  };
  return { list, blockTags, block: blockTags[0] ?? "block", aliases, target };
}

function unusedTag(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? `signalbox.${wanted}` : wanted;
}

/**
 * The engine's default is its first outbound. A catch-all rule instead may match before names are resolved and so open
 * private targets.
 */
export function finalFirst(
  list: Outbounds["list"],
  route: CompiledRoute,
  target: Outbounds["target"],
  warnings: AgentNotice[],
): Json[] {
  const wanted = route.final === undefined ? undefined : target(route.final);
  if (route.final !== undefined && wanted === undefined)
    warnings.push(noticeOf(blockPlace("route"), reason("final_unserved", route.final)));
  const first =
    route.final === undefined
      ? list.find((outbound) => !isBlackhole(outbound))
      : list.find((outbound) => outbound["tag"] === (wanted ?? ""));
  const fallback = first ?? list.find(isBlackhole);
  return fallback ? [fallback, ...list.filter((outbound) => outbound !== fallback)] : [...list];
}
