// Ids from blocks that are reserved on disk in advance: known before a commit, never used twice, with gaps after a
// crash.
import { NeedIds } from "./errors.ts";
import type { IdSource } from "./draft.ts";
import type { Store } from "./store.ts";

const FIRST_BLOCK = 64;
const LARGEST_BLOCK = 65_536;
/** A sequence whose blocks have grown this large is worth refilling ahead. */
const BUSY_BLOCK = 1024;

interface Block {
  next: number;
  readonly end: number;
}

interface Sequence {
  /** Reserved and not used up, in the order in which they are taken. */
  blocks: Block[];
  /** Size of the block reserved last. It doubles with every block, so that a busy sequence reserves rarely. */
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

  /** Sequences with less than half a block left. They are refilled before a unit has to wait. */
  get low(): string[] {
    const low: string[] = [];
    for (const [name, { blocks, size }] of this.#sequences) {
      const left = blocks.reduce((sum, block) => sum + block.end - block.next, 0);
      if (left < size / 2 && size >= BUSY_BLOCK && !this.#refills.has(name)) low.push(name);
    }
    return low;
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
