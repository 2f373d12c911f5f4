// Bytes up and down by user, for many users in little memory.

export class Tally {
  readonly #positions = new Map<number, number>();
  #up = new Float64Array(8);
  #down = new Float64Array(8);

  get size(): number {
    return this.#positions.size;
  }

  add(id: number, up: number, down: number): void {
    let position = this.#positions.get(id);
    if (position === undefined) {
      position = this.#positions.size;
      this.#positions.set(id, position);
      if (position === this.#up.length) {
        this.#up = grown(this.#up);
        this.#down = grown(this.#down);
      }
    }
    this.#up[position] = (this.#up[position] ?? 0) + up;
    this.#down[position] = (this.#down[position] ?? 0) + down;
  }

  *rows(): Iterable<readonly [id: number, up: number, down: number]> {
    for (const [id, position] of this.#positions) yield [id, this.#up[position] ?? 0, this.#down[position] ?? 0];
  }
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const next = new Float64Array(values.length * 2);
  next.set(values);
  return next;
}
