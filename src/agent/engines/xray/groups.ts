// `urltest` groups as balancers with an observatory, and outbounds that dial through others.
import { z } from "zod";
import type { Structure } from "../../../protocol/plan.ts";
import { isBlackhole, type Outbounds } from "../rays/outbounds.ts";
import type { RouteTarget } from "../rays/route.ts";
import { milliseconds } from "./words.ts";
import { type AgentNotice, type Attempt, noticeOf, hostNotice, itemPlace, Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const Group = z.looseObject({
  outbounds: z.array(z.string()),
  url: z.string().default(""),
  interval: z.string().default("3m"),
});
const PROBE_URL = "https://www.gstatic.com/generate_204";

export interface Balancer {
  readonly tag: string;
  readonly selector: readonly string[];
  readonly fallbackTag: string;
}

export interface Groups {
  readonly balancers: readonly Balancer[];
  readonly observatory: Record<string, unknown> | undefined;
  /** The way for a tag of the plan, an outbound's or a group's. */
  readonly way: (tag: string) => RouteTarget | undefined;
}

/**
 * Xray selects members by tag prefix. If a member's tag is a prefix of another tag, the group uses its first member
 * instead.
 */
export function compileGroups(structure: Structure, outbounds: Outbounds, warnings: AgentNotice[]): Groups {
  const present = outbounds.list.map((outbound) => String(outbound["tag"]));
  const balancers = new Map<string, Balancer>();
  const probes: { readonly url: string; readonly every: number }[] = [];
  for (const object of Object.values(structure)) {
    if (object.kind !== "outbound" || object.type !== "urltest" || !outbounds.aliases.has(object.tag)) continue;
    const group = Group.safeParse(object.config).data;
    const members = [...new Set((group?.outbounds ?? []).flatMap((tag) => outbounds.target(tag) ?? []))];
    const [first] = members;
    if (!group || first === undefined || members.length === 1) continue;
    const stranger = present.find((tag) => !members.includes(tag) && members.some((member) => tag.startsWith(member)));
    if (stranger !== undefined) {
      warnings.push(noticeOf(itemPlace("outbound", object.tag), reason("group_alike", object.tag, stranger, first)));
      continue;
    }
    balancers.set(object.tag, { tag: object.tag, selector: members, fallbackTag: first });
    probes.push({ url: group.url, every: intervalOf(group.interval) });
  }
  const way = (tag: string): RouteTarget | undefined => {
    let name: string | undefined = tag;
    for (let depth = 0; depth < 8 && name !== undefined; depth += 1) {
      if (balancers.has(name)) return { balancerTag: name };
      if (present.includes(name)) return { outboundTag: name };
      name = outbounds.aliases.get(name);
    }
    return undefined;
  };
  const all = [...balancers.values()];
  return { balancers: all, observatory: observatoryFor(all, probes, warnings), way };
}

function intervalOf(interval: string): number {
  try {
    return Math.max(1000, milliseconds(interval, "interval"));
  } catch {
    return 180_000;
  }
}

/**
 * There is one observatory for all groups: it tests the first group's address, with the shortest interval of all
 * groups.
 */
function observatoryFor(
  balancers: readonly Balancer[],
  probes: readonly { readonly url: string; readonly every: number }[],
  warnings: AgentNotice[],
): Record<string, unknown> | undefined {
  const [first] = probes;
  if (!first) return undefined;
  if (new Set(probes.map(({ url }) => url)).size > 1)
    warnings.push(hostNotice("one_probe", first.url || PROBE_URL, ...balancers.map(({ tag }) => tag)));
  return {
    subjectSelector: [...new Set(balancers.flatMap(({ selector }) => selector))],
    probeURL: first.url || PROBE_URL,
    probeInterval: `${Math.min(...probes.map(({ every }) => every))}ms`,
    enableConcurrency: true,
  };
}

type Outbound = Readonly<Record<string, unknown>>;
const Dialing = z.looseObject({
  streamSettings: z
    .looseObject({ sockopt: z.looseObject({ dialerProxy: z.string().optional() }).optional() })
    .optional(),
});

/** The tag that an outbound dials through. */
export function detourOf(outbound: Outbound): string | undefined {
  return Dialing.parse(outbound).streamSettings?.sockopt?.dialerProxy;
}

/** The same outbound dialling through another. */
export function withDetour(outbound: Outbound, tag: string): Record<string, unknown> {
  const { streamSettings } = Dialing.parse(outbound);
  return {
    ...outbound,
    streamSettings: { ...streamSettings, sockopt: { ...streamSettings?.sockopt, dialerProxy: tag } },
  };
}

/**
 * The outbounds whose detours lead somewhere, with groups resolved. What dials through one that is not served would go
 * out directly: it is not served either.
 */
export function settleDetours(outbounds: Outbounds, attempt: Attempt): Outbound[] {
  let list: Outbound[] = [...outbounds.list];
  for (;;) {
    const byTag = new Map(list.map((outbound) => [String(outbound["tag"]), outbound]));
    const settle = (outbound: Outbound, detour: string): Outbound => {
      const target = outbounds.target(detour);
      const next = target === undefined ? undefined : byTag.get(target);
      if (target === undefined || !next || isBlackhole(next))
        throw new Refusal(reason("names_unserved", "detour", detour));
      if (circles(outbound, byTag, outbounds.target)) throw new Refusal(reason("loops"));
      return target === detour ? outbound : withDetour(outbound, target);
    };
    const kept = list.flatMap((outbound): Outbound[] => {
      const detour = detourOf(outbound);
      if (detour === undefined) return [outbound];
      const settled = attempt(itemPlace("outbound", String(outbound["tag"])), () => settle(outbound, detour));
      return settled ? [settled] : [];
    });
    if (kept.length === list.length) return kept;
    list = kept;
  }
}

function circles(start: Outbound, byTag: ReadonlyMap<string, Outbound>, target: Outbounds["target"]): boolean {
  const seen = new Set<unknown>();
  for (let outbound: Outbound | undefined = start; outbound;) {
    if (seen.has(outbound["tag"])) return true;
    seen.add(outbound["tag"]);
    const detour: string | undefined = detourOf(outbound);
    outbound = detour === undefined ? undefined : byTag.get(target(detour) ?? "");
  }
  return false;
}
