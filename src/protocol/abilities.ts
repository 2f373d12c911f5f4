// What panel and agent may ask of each other. Every version understands the base; whatever came later belongs to an
// ability, which both sides name in `hello`. Nothing is sent that the other side has not named: an unknown method or
// object is a wrong message, and wrong messages end a link.
//
// The base never grows: panels and agents of the first versions name nothing, and it is what they understand.

interface Ability {
  /** What a side that names it does. */
  readonly says: string;
  /** Methods, of either side, that are called only where it was named. */
  readonly methods?: readonly string[];
  /** Kinds of objects of a structure that are sent only where it was named. */
  readonly objects?: readonly string[];
}

export const ABILITIES = {
  rules: { says: "takes rules that hold for all users of a node", methods: ["rules.set"] },
} as const satisfies Readonly<Record<string, Ability>>;

/** What this version names. */
export const OWN_ABILITIES: readonly string[] = Object.keys(ABILITIES);

export const BASE = {
  methods: [
    "hello",
    "state.digests",
    "state.report",
    "state.apply",
    "sessions.list",
    "sessions.close",
    "addresses.list",
    "engine.stop",
    "heartbeat",
    "usage",
  ],
  objects: ["inbound", "outbound", "route", "core"],
} as const;

/** What the other side of a link understands. */
export interface Understanding {
  method(name: string): boolean;
  /** `kind`: of an object of a structure. */
  object(kind: string): boolean;
}

/** What a side understands that named these abilities; those that this version does not know are of no use here. */
export function understandingOf(
  named: readonly string[],
  abilities: Readonly<Record<string, Ability>> = ABILITIES,
): Understanding {
  const known = Object.entries(abilities).flatMap(([name, ability]) => (named.includes(name) ? [ability] : []));
  const methods = new Set<string>([...BASE.methods, ...known.flatMap((ability) => ability.methods ?? [])]);
  const objects = new Set<string>([...BASE.objects, ...known.flatMap((ability) => ability.objects ?? [])]);
  return { method: (name) => methods.has(name), object: (kind) => objects.has(kind) };
}
