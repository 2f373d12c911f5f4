// A part of what a node should serve: objects by key, with their digests and what is left out. The nodes of a template
// share one part; what a node has alone is a part of its own. A part never changes.
import type { Notice } from "../records/notice.schema.ts";
import { digestObject, digestSorted } from "../../protocol/digest.ts";
import type { PlanObject, Structure } from "../../protocol/plan.ts";

/** What a part says of a key. */
export interface Wanted {
  /** Undefined: nothing is served under the key, whatever the part below says. */
  readonly object: PlanObject | undefined;
  /** Empty without an object. */
  readonly digest: string;
  /** What is left out of it or instead of it, and why. */
  readonly notices: readonly Notice[];
}

const NONE: readonly Notice[] = [];

/** Says of a key that this object is wanted, or nothing. */
export function wanted(object: PlanObject | undefined, notices = NONE): Wanted {
  return { object, digest: object ? digestObject(object) : "", notices };
}

export class StructurePart {
  /** In the order in which notices are told. */
  readonly entries: ReadonlyMap<string, Wanted>;
  /** Kinds of its objects, asked for at every push: an agent may not know all of them. */
  readonly kinds: readonly string[];
  /** Warnings of every node that has it. */
  readonly notices: readonly Notice[];
  /** Digest of its objects, as an agent that has no others reports it. */
  readonly digest: string;
  /** Keys and digests of its objects, by key. */
  readonly #sorted: readonly (readonly [string, string])[];
  /** The same over another part. As long as that one is in use. */
  readonly #over = new WeakMap<StructurePart, string>();

  constructor(entries: ReadonlyMap<string, Wanted>) {
    this.entries = entries;
    this.kinds = [...new Set([...entries.values()].flatMap(({ object }) => object?.kind ?? []))];
    this.notices = [...entries.values()].flatMap(({ notices }) => notices);
    this.#sorted = [...entries]
      .flatMap(([key, { object, digest }]) => (object ? [[key, digest] as const] : []))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.digest = digestSorted(this.#sorted);
  }

  /** Digest of the structure in which this part takes precedence over the other one, key by key. */
  digestOver(below: StructurePart): string {
    if (this.entries.size === 0) return below.digest;
    let digest = this.#over.get(below);
    if (digest === undefined) {
      digest = digestSorted([...this.#mergedOver(below)]);
      this.#over.set(below, digest);
    }
    return digest;
  }

  *#mergedOver(below: StructurePart): Generator<readonly [string, string]> {
    let next = 0;
    for (const pair of below.#sorted) {
      for (let own = this.#sorted[next]; own && own[0] < pair[0]; own = this.#sorted[++next]) yield own;
      if (!this.entries.has(pair[0])) yield pair;
    }
    yield* this.#sorted.slice(next);
  }
}

/** The part of a node that has nothing of its own. */
export const NOTHING_OWN = new StructurePart(new Map());

/** What a push changes of an agent's objects. */
export interface Difference {
  readonly put: Structure;
  readonly drop: string[];
}

/**
 * What a node should serve except users: a shared part, and the node's own part over it. An own object stands in place
 * of the shared one with its key, an own entry without an object takes that away. The agent is told of objects alone
 * and knows nothing of parts: its digest is over all of them.
 */
export class DesiredStructure {
  readonly shared: StructurePart;
  readonly own: StructurePart;
  /** Further warnings of the node. */
  readonly told: readonly Notice[];

  constructor(shared: StructurePart, own: StructurePart = NOTHING_OWN, told: readonly Notice[] = []) {
    this.shared = shared;
    this.own = own;
    this.told = told;
  }

  get digest(): string {
    return this.own.digestOver(this.shared);
  }

  /** The parts of the template or the routing that are left out, and why. */
  get notices(): readonly Notice[] {
    if (this.own.entries.size === 0 && this.told.length === 0) return this.shared.notices;
    return [...[...this.#entries()].flatMap(([, { notices }]) => notices), ...this.told];
  }

  /** Its objects by key, with their digests; nothing of it is copied. */
  *objects(): Generator<readonly [string, PlanObject, string]> {
    for (const [key, { object, digest }] of this.#entries()) if (object) yield [key, object, digest];
  }

  object(key: string): PlanObject | undefined {
    return (this.own.entries.get(key) ?? this.shared.entries.get(key))?.object;
  }

  /** What an agent lacks or has too much whose objects have these digests. */
  difference(theirs: Readonly<Record<string, string>>): Difference {
    const put: Structure = {};
    for (const [key, object, digest] of this.objects()) if (theirs[key] !== digest) put[key] = object;
    return { put, drop: Object.keys(theirs).filter((key) => this.object(key) === undefined) };
  }

  *#entries(): Generator<readonly [string, Wanted]> {
    const { own, shared } = this;
    for (const [key, entry] of shared.entries) yield [key, own.entries.get(key) ?? entry];
    for (const [key, entry] of own.entries) if (!shared.entries.has(key)) yield [key, entry];
  }
}
