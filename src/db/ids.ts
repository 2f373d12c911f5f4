// Ids from blocks reserved durably beforehand: known before a commit, never used twice, with gaps after a crash.
import { NeedIds } from "./errors.ts";
import type { IdSource } from "./draft.ts";
import type { Store } from "./store.ts";

const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 65_536;

interface Block {
  next: number;
  readonly end: number;
}

interface Sequence {
  /** Reserved and not used up, in the order in which they are taken. */
  blocks: Block[];
  /** Of the block reserved last; doubles with every one, so that a busy sequence reserves rarely. */
  size: number;
}

export class IdBlocks implements IdSource {
  readonly #store: Pick<Store, "reserve">;
  readonly #sequences = new Map<string, Sequence>();
  readonly #refills = new Map<string, Promise<void>>();
  /** The block of every id taken since `mark`. */
  #taken: Block[] = [];

  constructor(store: Pick<Store, "reserve">) {
    this.#store = store;
  }

  next(sequence: string): number {
    for (const block of this.#sequences.get(sequence)?.blocks ?? []) {
      if (block.next >= block.end) continue;
      this.#taken.push(block);
      return block.next++;
    }
    throw new NeedIds(sequence);
  }

  /** From here on `rewind` gives back what is taken. */
  mark(): void {
    this.#taken = [];
  }

  /** Gives back the ids taken since `mark`, all at once: for a decision that came to nothing, in the same tick. */
  rewind(): void {
    for (const block of this.#taken) block.next--;
    this.#taken = [];
  }

  /** Reserves a further, larger block of a sequence; callers that need the same one share the work. */
  refill(sequence: string): Promise<void> {
    const running = this.#refills.get(sequence);
    if (running) return running;
    const size = Math.min((this.#sequences.get(sequence)?.size ?? FIRST_BLOCK / 2) * 2, LARGEST_BLOCK);
    const refill = this.#store
      .reserve(sequence, size)
      .then((next) => {
        const left = (this.#sequences.get(sequence)?.blocks ?? []).filter((block) => block.next < block.end);
        this.#sequences.set(sequence, { blocks: [...left, { next, end: next + size }], size });
      })
      .finally(() => this.#refills.delete(sequence));
    this.#refills.set(sequence, refill);
    return refill;
  }
}
