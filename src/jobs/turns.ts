// How many jobs this panel carries out at a time. Those that wait are begun in the order in which they came here.

export class Turns {
  readonly #most: number;
  readonly #running = new Set<number>();
  readonly #waiting = new Map<number, () => void>();
  #looking = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `go` when there is room, unless the job left before. */
  wait(id: number, go: () => void): void {
    this.#waiting.set(id, go);
    this.#look();
  }

  /** A job that runs, whether it waited here or another panel began it. */
  take(id: number): void {
    this.#running.add(id);
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
      for (const [id, go] of this.#waiting) {
        if (this.#running.size >= this.#most) return;
        this.#waiting.delete(id);
        this.#running.add(id);
        go();
      }
    });
  }
}
