// How many actors are in each state, in memory: read from the counters at start, then updated by the transitions of
// every commit of any process.
import type { Follower, Reader } from "../../db/index.ts";
import { DELETED, stateCountsAt, type Supervisor, type Transition } from "../../runtime/index.ts";

/** Counts by kind and state. */
export type Counts = Record<string, Record<string, number>>;

export class StateCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /**
   * Counts what is stored. On a shared database the counts and the commits that are heard of from then on fit together
   * exactly.
   */
  static async open(
    reads: Reader,
    supervisor: Pick<Supervisor, "kinds">,
    follower: Pick<Follower, "readAt"> | undefined,
  ): Promise<StateCounts> {
    const counts = new StateCounts();
    const read = () => stateCountsAt(reads).then((value) => ({ position: value.position, value: value.counts }));
    const stored = follower ? await follower.readAt(read) : (await read()).value;
    for (const kind of supervisor.kinds.keys()) counts.#counts.set(kind, new Map());
    for (const { kind, state, total } of stored) counts.#counts.get(kind)?.set(state, total);
    return counts;
  }

  note({ kind, from, stored, to }: Transition): void {
    const states = this.#counts.get(kind);
    const left = stored ?? from;
    if (!states || left === to) return;
    if (left !== null) states.set(left, Math.max(0, (states.get(left) ?? 0) - 1));
    if (to !== DELETED) states.set(to, (states.get(to) ?? 0) + 1);
  }

  get(kind: string, state: string): number {
    return this.#counts.get(kind)?.get(state) ?? 0;
  }

  /** The states of a kind in which there are actors. */
  of(kind: string): Record<string, number> {
    return Object.fromEntries([...(this.#counts.get(kind) ?? [])].filter(([, total]) => total > 0));
  }

  all(): Counts {
    return Object.fromEntries([...this.#counts.keys()].map((kind) => [kind, this.of(kind)]));
  }

  has(kind: string): boolean {
    return this.#counts.has(kind);
  }
}
