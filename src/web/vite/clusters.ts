// Which parts of the interface share a file. A page that loads many small files waits for each of them, since a
// connection carries one at a time; a page that loads few large ones loads what it does not need. Parts are joined as
// long as that costs all visits together less.
//
// Files never import each other in a circle: no code would run before what it needs.

export interface Part {
  readonly name: string;
  /** Bytes of its source. */
  readonly size: number;
  /** Files that it comes to: its script, and its styles where it has some. */
  readonly styled: boolean;
  /** Names of parts that must be there before it. */
  readonly imports: readonly string[];
}

export interface Visit {
  readonly weight: number;
  /** Names of parts; with each part those that it imports. */
  readonly parts: ReadonlySet<string>;
}

interface Cluster {
  readonly parts: readonly string[];
  readonly size: number;
  readonly styled: boolean;
  imports: Set<Cluster>;
  /** By visit: 1 where it is loaded. */
  readonly loads: Uint8Array;
}

interface Pair {
  readonly one: Cluster;
  readonly other: Cluster;
  /** At most; what it is by now is computed when its turn comes. */
  gain: number;
}

/** Names of the parts of each file. `fileCost`: as many bytes as one more file costs a visit. */
export function clustered(parts: readonly Part[], visits: readonly Visit[], fileCost: number): string[][] {
  const joiner = new Joiner(
    visits.map(({ weight }) => weight),
    fileCost,
  );
  const clusters = alike(parts, visits);
  let pairs: Pair[] = [];
  const consider = (one: Cluster, among: Iterable<Cluster>): void => {
    for (const other of among) {
      const gain = one === other ? 0 : joiner.gainAtMost(one, other);
      if (gain > 0) pairs.push({ one, other, gain });
    }
  };
  [...clusters].forEach((one, index, all) => consider(one, all.slice(index + 1)));
  for (let best = largest(pairs); best; best = largest(pairs)) {
    const { one, other } = best;
    const gain = joiner.gain(one, other);
    if (gain < best.gain) {
      best.gain = gain;
      continue;
    }
    pairs = pairs.filter(
      (pair) => pair.gain > 0 && ![pair.one, pair.other].some((each) => each === one || each === other),
    );
    clusters.delete(one);
    clusters.delete(other);
    const joined = joiner.join(one, other, clusters);
    clusters.add(joined);
    consider(joined, clusters);
  }
  return [...clusters].map((cluster) => [...cluster.parts]);
}

function largest(pairs: readonly Pair[]): Pair | undefined {
  let best: Pair | undefined;
  for (const pair of pairs) if (pair.gain > (best?.gain ?? 0)) best = pair;
  return best;
}

/** Parts that the same visits load, together. */
function alike(parts: readonly Part[], visits: readonly Visit[]): Set<Cluster> {
  const bySignature = Map.groupBy(parts, ({ name }) => visits.map((visit) => (visit.parts.has(name) ? 1 : 0)).join(""));
  const byPart = new Map<string, Cluster>();
  for (const [signature, group] of bySignature) {
    const cluster: Cluster = {
      parts: group.map(({ name }) => name),
      size: group.reduce((sum, { size }) => sum + size, 0),
      styled: group.some(({ styled }) => styled),
      imports: new Set(),
      loads: Uint8Array.from(signature, Number),
    };
    for (const { name } of group) byPart.set(name, cluster);
  }
  for (const { name, imports } of parts) {
    const from = byPart.get(name);
    for (const each of imports) {
      const to = byPart.get(each);
      if (from && to && from !== to) from.imports.add(to);
    }
  }
  return new Set(byPart.values());
}

class Joiner {
  readonly #weights: Float64Array;
  readonly #fileCost: number;

  constructor(weights: readonly number[], fileCost: number) {
    this.#weights = Float64Array.from(weights);
    this.#fileCost = fileCost;
  }

  /** What all visits save, if nothing that the two import has to be loaded more often. */
  gainAtMost(one: Cluster, other: Cluster): number {
    const saved = (one.styled && other.styled ? 2 : 1) * this.#fileCost;
    const [extraOne, extraOther] = [this.#added(other, one), this.#added(one, other)];
    // By which of the two a visit loads: neither, the one, the other, both.
    const gains = [0, -extraOne, -extraOther, saved];
    let sum = 0;
    for (let visit = 0; visit < this.#weights.length; visit++)
      sum += (this.#weights[visit] ?? 0) * (gains[(one.loads[visit] ?? 0) + 2 * (other.loads[visit] ?? 0)] ?? 0);
    return sum;
  }

  /** Exactly; nothing where the two cannot be one file. */
  gain(one: Cluster, other: Cluster): number {
    if (leadsThroughAnother(one, other) || leadsThroughAnother(other, one)) return 0;
    const loads = either(one.loads, other.loads);
    let gain = this.gainAtMost(one, other);
    for (const needed of needs([one, other])) {
      const cost = needed.size + (needed.styled ? 2 : 1) * this.#fileCost;
      gain -= this.#weights.reduce(
        (sum, weight, visit) => (loads[visit] === 1 && needed.loads[visit] === 0 ? sum + weight * cost : sum),
        0,
      );
    }
    return gain;
  }

  /** The two as one, in the place of both. */
  join(one: Cluster, other: Cluster, all: ReadonlySet<Cluster>): Cluster {
    const joined: Cluster = {
      parts: [...one.parts, ...other.parts],
      size: one.size + other.size,
      styled: one.styled || other.styled,
      imports: new Set([...one.imports, ...other.imports].filter((each) => each !== one && each !== other)),
      loads: either(one.loads, other.loads),
    };
    for (const cluster of all) {
      if (!cluster.imports.has(one) && !cluster.imports.has(other)) continue;
      cluster.imports = new Set([...cluster.imports].map((each) => (each === one || each === other ? joined : each)));
    }
    for (const needed of needs([joined])) needed.loads.set(either(needed.loads, joined.loads));
    return joined;
  }

  /** What `more` adds to a visit that loads `to`. */
  #added(more: Cluster, to: Cluster): number {
    return more.size + (more.styled && !to.styled ? this.#fileCost : 0);
  }
}

function either(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((value, visit) => value | (other[visit] ?? 0));
}

/** What some clusters import, at once or through others, without themselves. */
function needs(of: readonly Cluster[]): Set<Cluster> {
  const found = new Set<Cluster>();
  const add = (cluster: Cluster): void => {
    if (found.has(cluster)) return;
    found.add(cluster);
    cluster.imports.forEach(add);
  };
  for (const cluster of of) cluster.imports.forEach(add);
  for (const cluster of of) found.delete(cluster);
  return found;
}

/** Whether `from` imports `to` by way of a third: as one file the two would import it, and it them. */
function leadsThroughAnother(from: Cluster, to: Cluster): boolean {
  return [...from.imports].some((each) => each !== to && needs([each]).has(to));
}
