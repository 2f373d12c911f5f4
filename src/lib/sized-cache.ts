// A cache that is bounded by the size of what it holds, not by the number: what it holds differs a thousandfold.

interface Sized<V> {
  readonly value: V;
  size: number;
}

/** The least recently used values are dropped first: a `Map` keeps its order, and what is used goes to its end. */
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
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value;
  }

  set(key: K, value: V, size: number): void {
    this.delete(key);
    this.#kept.set(key, { value, size });
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
    for (const key of this.#kept.keys()) {
      if (this.#size <= this.#capacity) break;
      this.delete(key);
    }
  }
}
