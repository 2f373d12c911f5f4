// How one frame becomes another while an engine routes by it: at no moment names a rule an outbound that is not there,
// or is the default outbound away.
import { digestOf, type Json } from "../process/dialect.ts";
import { type Routing, tagged, untagged } from "./rule-tags.ts";

type Outbound = Readonly<Record<string, unknown>>;

/** The parts of a frame that change while the engine runs. */
export interface LiveFrame {
  readonly outbounds: readonly Outbound[];
  readonly routing: Routing;
}

export interface OutboundWords {
  /** The tag that an outbound dials through. */
  readonly detourOf: (outbound: Outbound) => string | undefined;
  readonly withDetour: (outbound: Outbound, tag: string) => Outbound;
}

/**
 * Steps in their order; `rules` puts a whole list behind the one before and then takes that one away, from its end on.
 */
export type Step =
  | { readonly kind: "add"; readonly outbound: Outbound }
  | { readonly kind: "remove"; readonly tag: string }
  | { readonly kind: "rules"; readonly before: Routing; readonly after: Routing };

const STAND_IN = "signalbox.next.";
const tagOf = (outbound: Outbound | undefined): string => String(outbound?.["tag"]);

export function liveFrame(frame: Json): LiveFrame {
  const list = (value: unknown): Outbound[] =>
    Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
  const routing = Object.fromEntries(Object.entries(frame["routing"] ?? {}));
  return {
    outbounds: list(frame["outbounds"]),
    routing: { rules: list(routing["rules"]), balancers: list(routing["balancers"]) },
  };
}

/**
 * An outbound that changes behind its tag has a stand-in of the new kind while the old one is taken out and the new one
 * put in, and all rules lead to it meanwhile. The engine's default is the outbound that was added first after there was
 * none, so a change of the default takes both out; a last rule leads its traffic meanwhile.
 */
export function frameSteps(before: LiveFrame, after: LiveFrame, words: OutboundWords): Step[] {
  const old = new Map(before.outbounds.map((outbound) => [tagOf(outbound), outbound]));
  const again = changedTags(before, after, old, words);
  const fresh = after.outbounds.filter((outbound) => !old.has(tagOf(outbound)) && !again.has(tagOf(outbound)));
  const gone = before.outbounds
    .map(tagOf)
    .filter((tag) => !after.outbounds.some((outbound) => tagOf(outbound) === tag));
  const add = (outbound: Outbound): Step => ({ kind: "add", outbound });
  const remove = (tag: string): Step => ({ kind: "remove", tag });
  const sameRules = digestOf(before.routing) === digestOf(after.routing);
  if (again.size === 0) {
    const rules: Step[] = sameRules ? [] : [{ kind: "rules", before: before.routing, after: after.routing }];
    return [...fresh.map(add), ...rules, ...gone.map(remove)];
  }
  const standIn = (tag: string): string => (again.has(tag) ? `${STAND_IN}${tag}` : tag);
  // In the frame's own order: the default outbound comes back first.
  const changed = after.outbounds.filter((outbound) => again.has(tagOf(outbound)));
  const meanwhile = routingThrough(after, standIn);
  const present = [tagOf(before.outbounds[0]), ...changed.map(tagOf).filter((tag) => old.has(tag)), ...gone];
  const defaultMoves = again.has(tagOf(after.outbounds[0]));
  const leaving = [...new Set(defaultMoves ? present : present.slice(1))];
  return [
    ...changed.map((outbound) => add(renamed(outbound, standIn, words))),
    ...fresh.map(add),
    { kind: "rules", before: before.routing, after: meanwhile },
    ...leaving.map(remove),
    ...changed.map(add),
    // With a name of its own also where the rules are what they were, since those have been taken away.
    { kind: "rules", before: meanwhile, after: after.routing },
    ...changed.map((outbound) => remove(standIn(tagOf(outbound)))),
  ];
}

/**
 * Tags whose outbound must be put in again: changed ones, the defaults where another becomes it, and whatever dials
 * through any of them.
 */
function changedTags(
  before: LiveFrame,
  after: LiveFrame,
  old: ReadonlyMap<string, Outbound>,
  { detourOf }: OutboundWords,
): Set<string> {
  const again = new Set<string>();
  for (const outbound of after.outbounds) {
    const was = old.get(tagOf(outbound));
    if (was && digestOf(was) !== digestOf(outbound)) again.add(tagOf(outbound));
  }
  const [first, next] = [tagOf(before.outbounds[0]), tagOf(after.outbounds[0])];
  if (first !== next) {
    again.add(next);
    if (after.outbounds.some((outbound) => tagOf(outbound) === first)) again.add(first);
  }
  for (let size = -1; size !== again.size;) {
    size = again.size;
    for (const outbound of after.outbounds) {
      const detour = detourOf(outbound);
      if (detour !== undefined && again.has(detour)) again.add(tagOf(outbound));
    }
  }
  return again;
}

function renamed(
  outbound: Outbound,
  standIn: (tag: string) => string,
  { detourOf, withDetour }: OutboundWords,
): Outbound {
  const detour = detourOf(outbound);
  return {
    ...(detour === undefined ? outbound : withDetour(outbound, standIn(detour))),
    tag: standIn(tagOf(outbound)),
  };
}

/** The rules with every way through stand-ins, and a last one for what no rule matches. */
function routingThrough(after: LiveFrame, standIn: (tag: string) => string): Routing {
  const { rules, balancers } = untagged(after.routing);
  const through = (tag: unknown): string => standIn(String(tag));
  const last = { type: "field", network: "tcp,udp", outboundTag: through(tagOf(after.outbounds[0])) };
  return tagged(
    {
      rules: [
        ...rules.map((rule) =>
          rule["outboundTag"] === undefined ? rule : { ...rule, outboundTag: through(rule["outboundTag"]) },
        ),
        last,
      ],
      balancers: balancers.map((balancer) => ({
        ...balancer,
        selector: Array.isArray(balancer["selector"]) ? balancer["selector"].map(through) : [],
        ...(balancer["fallbackTag"] !== undefined && { fallbackTag: through(balancer["fallbackTag"]) }),
      })),
    },
    "stand-in",
  );
}
