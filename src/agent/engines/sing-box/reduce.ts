// A frame that the engine refuses, rebuilt item by item from one that it takes: what it refuses is left out, or refuses
// connections in its turn.
import { z } from "zod";
import type { Compiled, Json } from "../process/dialect.ts";
import { LOCAL_RESOLVER } from "./core.ts";
import { Block, textsOf } from "./refusal.ts";
import { type AgentNotice, type Place, noticeOf, itemPlace, blockPlace, rulePlace } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const Frame = z.looseObject({
  dns: Block,
  ntp: Block.optional(),
  endpoints: z.array(Block).default([]),
  outbounds: z.array(Block),
  route: z.looseObject({ rules: z.array(Block), rule_set: z.array(Block).default([]), final: z.string() }),
});
type Frame = z.infer<typeof Frame>;

const LOCAL_DNS = { servers: [{ type: "local", tag: LOCAL_RESOLVER }] };
const nameOf = (item: Block): string => textsOf(item["tag"])[0] ?? "";

/**
 * An outbound or endpoint that is refused stays under its tag and blocks: what names it keeps its meaning, and nothing
 * takes another way. Costs one check for each item. Throws when the engine does not even take our own part.
 */
export async function reduceFrame(
  compiled: Compiled,
  objection: (frame: Json) => Promise<string | undefined>,
): Promise<{ frame: Json; warnings: AgentNotice[] }> {
  const wanted = Frame.parse(compiled.frame);
  const { rules, rule_set: sets, final, ...settings } = wanted.route;
  const { dns, ntp, endpoints, outbounds, route: _route, ...rest } = wanted;
  const warnings: AgentNotice[] = [];
  let frame: Frame = {
    ...rest,
    dns: LOCAL_DNS,
    endpoints: [],
    outbounds: [...outbounds, ...endpoints].map((one) => ({ type: "block", tag: nameOf(one) })),
    route: { default_domain_resolver: LOCAL_RESOLVER, rules: rules.slice(0, compiled.guards), rule_set: [], final },
  };
  const own = await objection(frame);
  if (own !== undefined) throw new Error(`sing-box does not take the configuration: ${own}`);
  const attempt = async (place: Place, outcome: string, candidate: Frame): Promise<boolean> => {
    const why = await objection(candidate);
    if (why === undefined) frame = candidate;
    else warnings.push(noticeOf(place, reason("engine_refused", why), outcome));
    return why === undefined;
  };
  await attempt(blockPlace("core", "dns", "core: dns"), "names are resolved by the system's resolver", {
    ...frame,
    dns,
  });
  if (ntp) await attempt(blockPlace("core", "ntp", "core: ntp"), "it is left out", { ...frame, ntp });
  for (const outbound of outbounds)
    await attempt(itemPlace("outbound", nameOf(outbound)), "what goes there is refused", {
      ...frame,
      outbounds: frame.outbounds.map((one) => (nameOf(one) === nameOf(outbound) ? outbound : one)),
    });
  for (const endpoint of endpoints)
    await attempt(itemPlace("outbound", nameOf(endpoint)), "what goes there is refused", {
      ...frame,
      endpoints: [...frame.endpoints, endpoint],
      outbounds: frame.outbounds.filter((one) => nameOf(one) !== nameOf(endpoint)),
    });
  await attempt(blockPlace("route"), "its settings besides rules are left out", {
    ...frame,
    route: { ...settings, ...pick(frame) },
  });
  const lost = new Set<string>();
  for (const [index, set] of sets.entries()) {
    const taken = await attempt(setPlace(index, set), "it is left out with the rules that use it", {
      ...frame,
      route: { ...frame.route, rule_set: [...frame.route.rule_set, set] },
    });
    if (!taken) lost.add(nameOf(set));
  }
  for (const [index, rule] of rules.slice(compiled.guards).entries()) {
    if (usesAny(rule, lost)) continue;
    await attempt(rulePlace(index), "the rule is left out", {
      ...frame,
      route: { ...frame.route, rules: [...frame.route.rules, rule] },
    });
  }
  return { frame: withoutEmpty(frame), warnings };
}

function setPlace(index: number, set: Block): Place {
  return blockPlace("route", `rule_set.${index}`, `rule set ${nameOf(set)}`);
}

function pick({ route: { rules, rule_set, final } }: Frame): Pick<Frame["route"], "rules" | "rule_set" | "final"> {
  return { rules, rule_set, final };
}

function usesAny(rule: Block, sets: ReadonlySet<string>): boolean {
  if (textsOf(rule["rule_set"]).some((tag) => sets.has(tag))) return true;
  return Array.isArray(rule["rules"]) && rule["rules"].some((inner: unknown) => usesAny(Block.parse(inner), sets));
}

function withoutEmpty({ endpoints, route: { rule_set: sets, ...route }, ...frame }: Frame): Json {
  return {
    ...frame,
    ...(endpoints.length > 0 && { endpoints }),
    route: { ...route, ...(sets.length > 0 && { rule_set: sets }) },
  };
}
