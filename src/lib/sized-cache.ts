// A cache that is bounded by the size of what it holds, not by the number: what it holds differs a thousandfold.

/** The part of the capacity that is made free at once. */
const MARGIN = 0.01;

interface Sized<V> {
  readonly value: V;
  size: number;
  /** Since it was last looked at for dropping. */
  used: boolean;
}

/**
 * Past its capacity the oldest values are dropped first, but one that was used since gets a second chance: it goes to
 * the end once instead. A use costs a look-up alone, and hardly more is dropped than by the exact order of uses.
 */
export class SizedCache<K, V> {
  readonly #kept = new Map<K, Sized<V>>();
  readonly #capacity: number;
  readonly #dropped: (key: K, value: V) => void;
  #size = 0;

  /** `capacity`: of all values together, in the unit of their sizes. `dropped` hears of each value that goes. */
  constructor(capacity: number, dropped: (key: K, value: V) => void = () => {}) {
    this.#capacity = capacity;
    this.#dropped = dropped;
  }

  get(key: K): V | undefined {
    const known = this.#kept.get(key);
    if (!known) return undefined;
    known.used = true;
    return known.value;
  }

  /** As `get`, and it counts as no use. */
  peek(key: K): V | undefined {
    return this.#kept.get(key)?.value;
  }

  set(key: K, value: V, size: number): void {
    this.delete(key);
    this.#kept.set(key, { value, size, used: false });
    this.#grow(size);
  }

  /** The value of a key has grown. */
  grow(key: K, by: number): void {
    const known = this.#kept.get(key);
    if (!known) return;
    known.size += by;
    this.#grow(by);
  }

  delete(key: K): void {
    const known = this.#kept.get(key);
    if (!known) return;
    this.#kept.delete(key);
    this.#size -= known.size;
    this.#dropped(key, known.value);
  }

  clear(): void {
    for (const key of this.#kept.keys()) this.delete(key);
  }

  get count(): number {
    return this.#kept.size;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size <= this.#capacity) return;
    // A little more than must be: whoever walks through a map passes all places of what was deleted before.
    const enough = this.#capacity * (1 - MARGIN);
    for (const [key, known] of this.#kept) {
      if (this.#size <= enough) return;
      if (!known.used) {
        this.delete(key);
        continue;
      }
      known.used = false;
      this.#kept.delete(key);
      this.#kept.set(key, known);
    }
  }
}
