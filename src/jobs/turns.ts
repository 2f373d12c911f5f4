// How many jobs this panel carries out at a time, and whose turn it is: whoever has the fewest under way goes first, in
// the order in which they came here. One account leaves room for others, however many and long its jobs are.

export class Turns {
  readonly #most: number;
  readonly #running = new Set<number>();
  readonly #waiting = new Map<number, () => void>();
  /** Of jobs that run or wait. */
  readonly #accounts = new Map<number, number>();
  #looking = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `go` when there is room and it is known whose the job is, unless the job left before. */
  wait(id: number, go: () => void): void {
    this.#waiting.set(id, go);
    this.#look();
  }

  /** A job that runs, whether it waited here or another panel began it. */
  take(id: number): void {
    this.#running.add(id);
  }

  /** Whose a job is that waits or runs. */
  belongs(id: number, account: number): void {
    if (!this.#waiting.has(id) && !this.#running.has(id)) return;
    this.#accounts.set(id, account);
    this.#look();
  }

  leave(id: number): void {
    this.#waiting.delete(id);
    this.#running.delete(id);
    this.#look();
  }

  /** At the end of the tick: a job leaves its wait and takes its turn in one. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    queueMicrotask(() => {
      this.#looking = false;
      for (const id of this.#accounts.keys())
        if (!this.#waiting.has(id) && !this.#running.has(id)) this.#accounts.delete(id);
      while (this.#running.size < this.#most) {
        const next = this.#next();
        if (!next) return;
        const [id, go] = next;
        this.#waiting.delete(id);
        this.#running.add(id);
        go();
      }
    });
  }

  #next(): readonly [id: number, go: () => void] | undefined {
    const under = new Map<number, number>();
    for (const id of this.#running) {
      const account = this.#accounts.get(id);
      if (account !== undefined) under.set(account, (under.get(account) ?? 0) + 1);
    }
    const own = (id: number): number => {
      const account = this.#accounts.get(id);
      return account === undefined ? this.#most : (under.get(account) ?? 0);
    };
    const [first] = [...this.#waiting].toSorted(([one], [other]) => own(one) - own(other));
    return first && own(first[0]) < this.#most - 1 ? first : undefined;
  }
}
