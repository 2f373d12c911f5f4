// Due timers and effects of actors that are put aside because a newer panel wrote them: how long their rows stay as
// they are, and how a process that finds them at every read gets past them.
import { PARKED_MS } from "./step-actions.ts";

/**
 * How long a due row of an actor that is put aside stays as it is: a newer panel beside this one takes what is late.
 * Then nobody does, and it is parked.
 */
const AS_IT_IS_MS = 10_000;

/** When to look again at a row of an actor that is put aside; undefined: it stays as it is. */
export function lookAgainAt(dueAt: number, now: number): number | undefined {
  return now - dueAt < AS_IT_IS_MS ? undefined : now + PARKED_MS;
}

/**
 * Due rows that stayed as they are, by id. Each read finds them again, before what is due later. So for half of their
 * time they are passed over, and a read asks for as many rows more.
 */
export class AsideRows {
  readonly #until = new Map<string, number>();

  add(id: string, now: number): void {
    this.#until.set(id, now + AS_IT_IS_MS / 2);
  }

  has(id: string, now: number): boolean {
    return (this.#until.get(id) ?? 0) > now;
  }

  /** How many are passed over now. */
  count(now: number): number {
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    return this.#until.size;
  }
}
