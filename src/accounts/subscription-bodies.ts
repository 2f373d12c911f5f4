// Rendered bodies, kept while nothing that they are made of changes: a client that polls costs two reads and no
// rendering.

/** Characters of all kept bodies together. */
const CAPACITY = 32 * 1024 * 1024;

interface Kept {
  readonly madeOf: string;
  readonly body: string;
}

/**
 * The least recently used bodies are dropped first: a `Map` keeps its order, and what is used goes to its end. No
 * library: what is bounded is the characters, since bodies differ a thousandfold.
 */
export class BodyCache {
  readonly #bodies = new Map<string, Kept>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /**
   * The body of an account in a form (a format, or one for an older program). `madeOf` names the versions of
   * everything that `render` reads; a body made of others is made again.
   */
  get(userId: number, form: string, madeOf: string, render: () => string): string {
    const key = `${userId}:${form}`;
    const known = this.#bodies.get(key);
    if (known) this.#drop(key, known);
    const kept = known?.madeOf === madeOf ? known : { madeOf, body: render() };
    this.#bodies.set(key, kept);
    this.#size += kept.body.length;
    for (const [oldest, body] of this.#bodies) {
      if (this.#size <= this.#capacity) break;
      this.#drop(oldest, body);
    }
    return kept.body;
  }

  get count(): number {
    return this.#bodies.size;
  }

  #drop(key: string, { body }: Kept): void {
    this.#bodies.delete(key);
    this.#size -= body.length;
  }
}
