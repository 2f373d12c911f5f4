// Virtual time: what should happen, in the order of its time, and chance decides between what falls on one moment.
//
// Invariants:
// - Between two happenings every promise reaction has run: a turn of the event loop empties the microtask queue, and
//   nothing in a simulation waits for a socket, a file or a real timer.
// - What belongs to a process that was killed never happens; what belongs to one that is held up happens when it goes
//   on.
import { Chance, hashOf } from "./chance.ts";

/**
 * The owner of a happening. Killed: `alive` is false for ever. Held up: nothing of it happens before `heldUntil`
 * (virtual milliseconds).
 */
export interface Owner {
  readonly name: string;
  alive: boolean;
  heldUntil: number;
}

interface Happening {
  at: number;
  tie: number;
  readonly label: string;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

export class Schedule {
  /** Virtual milliseconds since the beginning, with fractions. */
  now = 0;
  /** Happenings so far. */
  count = 0;
  /** Digest of everything that happened, in order. */
  hash = hashOf("");
  /** Hears of each happening, for whoever wants to read what led to a failure. */
  onHappening: ((text: string) => void) | undefined;
  readonly #heap: Happening[] = [];
  readonly #ties: Chance;

  constructor(seed: number) {
    this.#ties = new Chance(seed, "ties");
  }

  /** Something happens `delay` milliseconds from now. Returns the way to call it off. */
  after(delay: number, label: string, run: () => void, owner?: Owner): () => void {
    const happening: Happening = { at: this.now + Math.max(0, delay), tie: this.#ties.next(), label, owner, run };
    this.#push(happening);
    return () => {
      happening.run = undefined;
    };
  }

  /** Notes something in the trace that is no happening of its own. */
  note(text: string): void {
    this.hash = hashOf(text, this.hash);
    this.onHappening?.(`${this.now.toFixed(3)}   ${text}`);
  }

  /** Lets time pass until a moment, or until nothing is left to happen. */
  async runUntil(until: number): Promise<void> {
    for (;;) {
      const next = this.#heap[0];
      if (!next || next.at > until) break;
      this.#pop();
      const { run, owner, label } = next;
      if (!run || owner?.alive === false) continue;
      if (owner && owner.heldUntil > next.at) {
        next.at = owner.heldUntil;
        this.#push(next);
        continue;
      }
      this.now = next.at;
      this.count++;
      this.hash = hashOf(label, hashOf(next.at.toFixed(3), this.hash));
      this.onHappening?.(`${next.at.toFixed(3)} ${owner?.name ?? "world"} ${label}`);
      run();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.now = until;
  }

  #push(happening: Happening): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(happening);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || !isBefore(happening, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = happening;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      let below = heap[child];
      if (!below) break;
      const right = heap[child + 1];
      if (right && isBefore(right, below)) {
        child++;
        below = right;
      }
      if (!isBefore(below, last)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}
