// Row locks as PostgreSQL keeps them: shared or exclusive, granted in the order of asking, held until the transaction
// ends, and a request that would close a deadlock is refused.

export type Mode = "read" | "write";

interface Waiting<T> {
  readonly who: T;
  readonly mode: Mode;
  readonly granted: () => void;
}

interface Row<T> {
  readonly holders: Map<T, Mode>;
  waiting: Waiting<T>[];
}

/** `T`: a transaction, compared by identity. */
export class RowLocks<T extends object> {
  readonly #rows = new Map<string, Row<T>>();
  readonly #held = new Map<T, Set<string>>();
  readonly #waitsFor = new Map<T, string>();
  /** Called whenever a transaction let go of its locks. */
  onRelease: () => void = () => {};

  /** Calls `granted` when the lock is acquired (possibly immediately). Returns false if it would wait forever. */
  acquire(who: T, key: string, mode: Mode, granted: () => void): boolean {
    const row = this.#rows.get(key) ?? { holders: new Map<T, Mode>(), waiting: [] };
    this.#rows.set(key, row);
    if (this.#free(row, who, mode) && (row.waiting.length === 0 || row.holders.has(who))) {
      this.#hold(row, who, key, mode);
      granted();
      return true;
    }
    if (this.#blockers(row, who).some((other) => this.#reaches(other, who, new Set()))) return false;
    row.waiting.push({ who, mode, granted });
    this.#waitsFor.set(who, key);
    return true;
  }

  holds(who: T, key: string): boolean {
    return this.#rows.get(key)?.holders.get(who) === "write";
  }

  /** A row of the table is held by somebody else. */
  anyHeld(table: string, besides?: T): boolean {
    for (const [key, row] of this.#rows) {
      if (!key.startsWith(`${table}:`)) continue;
      for (const holder of row.holders.keys()) if (holder !== besides) return true;
    }
    return false;
  }

  isHeld(key: string): boolean {
    return (this.#rows.get(key)?.holders.size ?? 0) > 0;
  }

  /** The transaction ended: waiting transactions get its locks, and it waits for nothing any more. */
  release(who: T): void {
    const wanted = this.#waitsFor.get(who);
    this.#waitsFor.delete(who);
    const row = wanted === undefined ? undefined : this.#rows.get(wanted);
    if (row) row.waiting = row.waiting.filter((waiting) => waiting.who !== who);
    const keys = [...(this.#held.get(who) ?? []), ...(wanted === undefined ? [] : [wanted])];
    this.#held.delete(who);
    for (const key of keys) this.#rows.get(key)?.holders.delete(who);
    for (const key of keys) this.#grant(key);
    this.onRelease();
  }

  #grant(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    for (let next = row.waiting[0]; next && this.#free(row, next.who, next.mode); next = row.waiting[0]) {
      row.waiting.shift();
      this.#waitsFor.delete(next.who);
      this.#hold(row, next.who, key, next.mode);
      next.granted();
    }
    if (row.holders.size === 0 && row.waiting.length === 0) this.#rows.delete(key);
  }

  #hold(row: Row<T>, who: T, key: string, mode: Mode): void {
    if (row.holders.get(who) !== "write") row.holders.set(who, mode);
    const held = this.#held.get(who) ?? new Set();
    this.#held.set(who, held);
    held.add(key);
  }

  #free(row: Row<T>, who: T, mode: Mode): boolean {
    for (const [holder, held] of row.holders)
      if (holder !== who && (held === "write" || mode === "write")) return false;
    return true;
  }

  #blockers(row: Row<T>, who: T): T[] {
    return [...row.holders.keys(), ...row.waiting.map((waiting) => waiting.who)].filter((other) => other !== who);
  }

  #reaches(from: T, target: T, seen: Set<T>): boolean {
    if (from === target) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    const key = this.#waitsFor.get(from);
    const row = key === undefined ? undefined : this.#rows.get(key);
    return row !== undefined && this.#blockers(row, from).some((other) => this.#reaches(other, target, seen));
  }
}
