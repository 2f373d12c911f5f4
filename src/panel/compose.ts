// A list of features made into one panel: what follows from their static parts, and the two passes in which they open.
// The types hold the features against each other: a need that nobody provides, and a setting or an event that nobody
// declares, do not compile.
import {
  sealedUnder,
  type AnyEntity,
  type Draft,
  type Echo,
  type Reader,
  type SharedFact,
  type Statement,
} from "../db/index.ts";
import type {
  Admittance,
  AnyFeature,
  Consequence,
  Core,
  EventEntries,
  Ground,
  Kinds,
  KindPorts,
  Opened,
  Restores,
  SettingEntries,
} from "../feature/index.ts";
import { httpEntities, type Words } from "../http/index.ts";
import type { Settings } from "../system/index.ts";
import {
  effectsReleased,
  EffectRows,
  ErrandLineRows,
  ErrandRows,
  JournalRows,
  SHARED_FACTS,
  ShardRows,
  StateCountRows,
  TimerRows,
  waitsShortened,
} from "../runtime/index.ts";

type Features = readonly AnyFeature[];

/** All members of a union at once. */
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (each: infer I) => void ? I : never;
type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;
type PartOf<F, P extends PropertyKey> = F extends { readonly [K in P]: infer V } ? V : never;

/** Every key of the features' settings. */
export type SettingKey<F extends Features> = KeysOf<PartOf<F[number], "settings">>;
/** Every name of the features' events. */
export type EventName<F extends Features> = KeysOf<PartOf<F[number], "events">>;

type ProvidedBy<T> = T extends { readonly provide: (ground: never) => infer P } ? Awaited<P> : never;
type NeededBy<T> = T extends { readonly open: (core: never, needs: infer N, ...rest: never) => unknown }
  ? unknown extends N
    ? object
    : N
  : object;
type ServedBy<T> = T extends { readonly open: (...given: never) => infer O }
  ? Awaited<O> extends Opened<infer V>
    ? V
    : never
  : never;
type CoreOf<T> = T extends { readonly open: (core: infer C, ...rest: never) => unknown } ? C : never;

/** What all features provide to each other. */
export type Provided<F extends Features> = Together<ProvidedBy<F[number]>>;
/** What all features do for the panel. */
export type Served<F extends Features> = Together<ServedBy<F[number]>>;

/** The features themselves where everything fits; else, in place of one that does not, what it lacks. */
export type Fitting<F extends Features, C> = {
  readonly [I in keyof F]: Provided<F> extends NeededBy<F[I]>
    ? C extends CoreOf<F[I]>
      ? F[I]
      : { readonly unknownSettingOrEvent: F[I] }
    : { readonly providedByNobody: Exclude<keyof NeededBy<F[I]>, keyof Provided<F>> };
};

/** The panel's own core, with every setting and event of its features. */
export type PanelCore<F extends Features> = Omit<Core<SettingKey<F>, EventName<F>>, "settings"> & {
  readonly settings: Settings<SettingKey<F>>;
};

/** A panel before it is opened: what follows from its features alone. */
export interface Composition<F extends Features> {
  readonly entities: readonly AnyEntity[];
  readonly echo: Echo;
  readonly settings: Readonly<Record<SettingKey<F>, SettingEntries[string]>>;
  readonly events: Readonly<Record<EventName<F>, EventEntries[string]>>;
  /** What the description of the API says of their fields. */
  readonly words: Words;
  /** Part of every change: `CommitterOptions.consequences`. */
  readonly consequences: (draft: Draft) => void;
  /** What stored configuration says that nodes leave out. */
  forbidden(reads: Reader, privateTargets: "block" | "allow"): Promise<string[]>;
  /** Whether the key is the one under which the database was sealed; undefined: nothing is sealed yet. */
  sealedUnder(reads: Reader, key: Uint8Array): Promise<boolean | undefined>;
  readonly restores: Restores;
  /** One list of statements that makes good that the clock was set back. */
  readonly clockSetBack: (reads: Reader, before: number, after: number) => Statement[];
  /** Every kind of actors, of each feature its own. */
  kinds(ports: (feature: string) => KindPorts): ReadonlyMap<string, Kinds>;
  provide(ground: Ground<SettingKey<F>>): Promise<Provided<F>>;
  open(core: never, provided: Provided<F>, kinds: ReadonlyMap<string, Kinds>): Promise<OpenedFeatures<Served<F>>>;
  /** Opens those of these names alone, for whoever works on their records without a panel. */
  openSome(
    names: ReadonlySet<string>,
    core: never,
    provided: Provided<F>,
    kinds: ReadonlyMap<string, Kinds>,
  ): Promise<OpenedFeatures<unknown>["features"]>;
}

/** The features at work, in the order of the list. */
export interface OpenedFeatures<V> {
  readonly features: readonly (Opened & { readonly name: string })[];
  /** What they do for the panel. */
  readonly serves: V;
}

/** `C`: the core that the panel will open them with. */
export function compose<const F extends Features, C = PanelCore<F>>(features: F & Fitting<F, C>): Composition<F> {
  const list: Features = features;
  const consequences = Map.groupBy(
    list.flatMap((feature) => feature.consequences ?? []),
    ({ table }) => table,
  );
  const entities = [
    TimerRows,
    EffectRows,
    ErrandRows,
    ErrandLineRows,
    JournalRows,
    ShardRows,
    StateCountRows,
    ...httpEntities,
    ...list.flatMap((feature) => feature.entities ?? []),
  ];
  return {
    entities,
    echo: {
      tables: new Set(list.flatMap(({ echo }) => echo?.tables ?? []).map(({ name }) => name)),
      facts: namesOf([...SHARED_FACTS, ...list.flatMap(({ echo }) => echo?.facts ?? [])]),
    },
    settings: merged(list, "settings") as Composition<F>["settings"],
    events: merged(list, "events") as Composition<F>["events"],
    words: merged(list, "words") as Words,
    consequences: (draft) => follow(draft, consequences),
    forbidden: async (reads, privateTargets) => {
      const found = await Promise.all(
        list.map(async ({ forbidden }) => (await forbidden?.(reads, privateTargets)) ?? []),
      );
      return found.flat();
    },
    sealedUnder: (reads, key) => sealedUnder(reads, entities, key),
    restores: {
      restored: (reads, moment) => [
        ...effectsReleased(reads, moment.now),
        ...list.flatMap(({ restored }) => restored?.(reads, moment) ?? []),
      ],
      admits: oneOf(list.flatMap(({ admits }) => admits ?? [])),
    },
    clockSetBack: (reads, before, after) => [
      ...waitsShortened(reads, before, after),
      ...list.flatMap(({ clockSetBack }) => clockSetBack?.(reads, before, after) ?? []),
    ],
    kinds: (ports) => new Map(list.map(({ name, kinds }) => [name, kinds?.(ports(name)) ?? {}])),
    async provide(ground) {
      const provided: object[] = [];
      // `Fitting` proved that the ground has every setting which a feature names.
      for (const { provide } of list) if (provide) provided.push(await provide(ground as never));
      return Object.assign({}, ...provided) as Provided<F>;
    },
    async open(core, provided, kinds) {
      const opened = await openEach(list, core, provided as never, kinds);
      return { features: opened, serves: Object.assign({}, ...opened.map(({ serves }) => serves)) as Served<F> };
    },
    openSome: (names, core, provided, kinds) =>
      openEach(
        list.filter(({ name }) => names.has(name)),
        core,
        provided as never,
        kinds,
      ),
  };
}

/** In their order. `Fitting` proved that core and provided are what each of them asks for. */
async function openEach(
  list: Features,
  core: never,
  provided: never,
  kinds: ReadonlyMap<string, Kinds>,
): Promise<(Opened & { readonly name: string })[]> {
  const opened: (Opened & { readonly name: string })[] = [];
  for (const { name, open } of list) opened.push({ name, ...(await open(core, provided, kinds.get(name) as never)) });
  return opened;
}

/** Without a feature that says it, nobody can sign in. Throws where two say it. */
function oneOf(admits: readonly Admittance[]): Admittance {
  if (admits.length > 1) throw new Error("two features say who can sign in");
  return admits[0] ?? { text: "select 1 where 1 = 0", tables: [] };
}

/** Throws for two facts of one name: other processes tell them apart by it. */
function namesOf(facts: readonly SharedFact<unknown>[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of new Set(facts)) {
    if (names.has(name)) throw new Error(`the fact ${name} is defined twice`);
    names.add(name);
  }
  return names;
}

/** What the features declare of one sort, in one record. Throws for a name that two of them declare. */
function merged(features: Features, part: "settings" | "events" | "words"): object {
  const all = new Map<string, unknown>();
  for (const feature of features) {
    for (const [key, entry] of Object.entries(feature[part] ?? {})) {
      if (all.has(key)) throw new Error(`${key} is declared twice, the second time by ${feature.name}`);
      all.set(key, entry);
    }
  }
  return Object.fromEntries(all);
}

/** Each row that the change wrote is looked at once. */
function follow(draft: Draft, consequences: ReadonlyMap<string, readonly Consequence[]>): void {
  const seen = new Set<string>();
  // A copy: what is inserted here is no change of its own.
  for (const { table, id, key } of Array.from(draft.writes)) {
    const found = consequences.get(table.name);
    if (!found || seen.has(key)) continue;
    seen.add(key);
    for (const each of found) each.record(draft, id);
  }
}
