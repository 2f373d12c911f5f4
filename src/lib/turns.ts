// Tasks with the same key run one at a time, in the order in which they arrived. Not `p-queue`: it has no keys, and a
// queue for each key would have to be forgotten when it is empty, which is all the work that is done here.
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `run` once everything that came before it under `key` has ended, whatever its end. */
  async take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(run);
    const turn = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(key, turn);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
