// Units on their way through the committer, and those of a batch that have to come again.
import type { Draft } from "./draft.ts";
import type { Lock } from "./row-writes.ts";

/**
 * One command's change: the rows it decides on, and the decision. `decide` is synchronous and may run more than once;
 * see `Draft`.
 */
export interface Unit<A> {
  /** For logs and metrics, for example `user.update`. */
  readonly name: string;
  readonly locks: readonly Lock[];
  decide(draft: Draft): A;
  /**
   * Hears, before the answer, for how many milliseconds of processor time this thread worked on the batch: what it
   * waited for is not among them.
   */
  readonly worked?: (ms: number) => void;
}

/** A unit whose caller waits. */
export interface Pending {
  readonly unit: Unit<unknown>;
  /** Order of submission: of two units, the one submitted later has the larger number. */
  readonly order: number;
  /** Grows when `decide` asks for rows that it has not locked. */
  locks: readonly Lock[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Rounds that came to nothing: more locks, more ids, contention. */
  tries: number;
  /** When it was submitted, where anybody watches (`commit.unit`). */
  readonly begun: number | undefined;
}

/** What a member's decision came to: an answer, or a refusal that holds only if the batch it was decided in does. */
export type Outcome = { readonly member: Pending } & ({ readonly answer: unknown } | { readonly refusal: unknown });

/**
 * Members of a batch that go back to the head of the queue: those that need more locks or ids, and those behind them on
 * the same rows.
 */
export class Deferred {
  #members: Pending[] = [];
  readonly #sequences = new Map<string, Pending[]>();
  readonly #keys = new Set<string>();

  /**
   * In the order of their submission. After a failed batch, the unit that was deferred first may have been submitted
   * last, because the earlier ones ran again one by one.
   */
  get members(): readonly Pending[] {
    return this.#members.toSorted((a, b) => a.order - b.order);
  }

  bars(member: Pending): boolean {
    return this.#keys.size > 0 && member.locks.some((wanted) => this.#keys.has(wanted.key));
  }

  /** `sequence`: the one whose ids the member waits for. */
  add(member: Pending, sequence?: string): void {
    this.#members.push(member);
    for (const wanted of member.locks) this.#keys.add(wanted.key);
    if (sequence === undefined) return;
    const waiting = this.#sequences.get(sequence);
    if (waiting) waiting.push(member);
    else this.#sequences.set(sequence, [member]);
  }

  /** Sequences to reserve more ids of, with the members that wait for them. */
  get sequences(): ReadonlyMap<string, readonly Pending[]> {
    return this.#sequences;
  }

  /** These do not come again. */
  drop(members: readonly Pending[]): void {
    const dropped = new Set(members);
    this.#members = this.#members.filter((member) => !dropped.has(member));
  }
}

/** One lock per row; `write` wins over `read`. */
export function dedupe(locks: readonly Lock[]): Lock[] {
  const byKey = new Map<string, Lock>();
  for (const wanted of locks) {
    const { key } = wanted;
    if (byKey.get(key)?.mode !== "write") byKey.set(key, wanted);
  }
  return [...byKey.values()];
}
