// Which rows the running batches of this process hold, so that no two batches change the same row. The store's locks
// keep other processes out.
import type { Lock } from "./row-writes.ts";

type Held = { mode: "write" } | { mode: "read"; count: number };

export class RowHolds {
  readonly #held = new Map<string, Held>();

  /** Whether none of `locks` conflicts with a held row or is in `barred`. */
  allows(locks: readonly Lock[], barred: ReadonlySet<string>): boolean {
    for (const wanted of locks) {
      const { key } = wanted;
      if (barred.has(key)) return false;
      const held = this.#held.get(key);
      if (held && (held.mode === "write" || wanted.mode === "write")) return false;
    }
    return true;
  }

  /** Holds rows for one batch, whose members may name a row more than once. */
  hold(locks: readonly Lock[]): void {
    for (const wanted of locks) {
      const { key } = wanted;
      const held = this.#held.get(key);
      if (wanted.mode === "write") this.#held.set(key, { mode: "write" });
      else if (!held) this.#held.set(key, { mode: "read", count: 1 });
      else if (held.mode === "read") held.count++;
    }
  }

  /** Lets go of exactly what `hold` was given. */
  release(locks: readonly Lock[]): void {
    for (const wanted of locks) {
      const { key } = wanted;
      const held = this.#held.get(key);
      if (held?.mode === "read" && --held.count > 0) continue;
      this.#held.delete(key);
    }
  }
}
