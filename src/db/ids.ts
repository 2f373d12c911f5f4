// Ids from blocks reserved durably beforehand: known before a commit, never used twice, with gaps after a crash.
import { NeedIds } from "./errors.ts";
import type { IdSource } from "./draft.ts";
import type { Store } from "./store.ts";

const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 65_536;

interface Block {
  next: number;
  end: number;
  /** Doubles with every block, so that a busy sequence reserves rarely. */
  size: number;
}

export class IdBlocks implements IdSource {
  readonly #store: Pick<Store, "reserve">;
  readonly #blocks = new Map<string, Block>();
  readonly #refills = new Map<string, Promise<void>>();

  constructor(store: Pick<Store, "reserve">) {
    this.#store = store;
  }

  next(sequence: string): number {
    const block = this.#blocks.get(sequence);
    if (!block || block.next >= block.end) throw new NeedIds(sequence);
    return block.next++;
  }

  /** Reserves a larger block of a sequence; callers that need the same one share the work. */
  refill(sequence: string): Promise<void> {
    const running = this.#refills.get(sequence);
    if (running) return running;
    const size = Math.min((this.#blocks.get(sequence)?.size ?? FIRST_BLOCK / 2) * 2, LARGEST_BLOCK);
    const refill = this.#store
      .reserve(sequence, size)
      .then((next) => {
        this.#blocks.set(sequence, { next, end: next + size, size });
      })
      .finally(() => this.#refills.delete(sequence));
    this.#refills.set(sequence, refill);
    return refill;
  }
}
