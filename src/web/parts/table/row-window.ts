// Which rows of a long table are drawn: those in sight and a few beyond. Pure.

/** Shorter tables are drawn whole: the browser's own search finds every row of them. */
export const LONG = 200;
/** The window moves by so many rows, and has as many beyond either edge: the least that is drawn at once. */
const STEP = 4;

export interface RowWindow {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** Heights of the rows before and after it. */
  readonly before: number;
  readonly after: number;
}

/** `offsets`: where each row begins, and where the last one ends. */
export function windowOf(offsets: Float64Array, top: number, height: number): RowWindow {
  const count = offsets.length - 1;
  const first = rowAt(offsets, top);
  const last = rowAt(offsets, top + height);
  const from = Math.max(0, Math.floor(first / STEP) * STEP - STEP);
  const to = Math.min(count, (Math.floor(last / STEP) + 2) * STEP);
  return { from, to, before: offsets[from] ?? 0, after: (offsets[count] ?? 0) - (offsets[to] ?? 0) };
}

/** The row at a height, from 0; of heights outside the nearest one. */
export function rowAt(offsets: Float64Array, height: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The heights of rows that were drawn; the others have the usual one. */
export class RowHeights {
  #usual: number;
  #heights = new Float64Array(0);
  #offsets: Float64Array | undefined;
  #learned = false;

  constructor(usual: number) {
    this.#usual = usual;
  }

  /** Where each of `count` rows begins, and where the last one ends. */
  offsets(count: number): Float64Array {
    if (this.#heights.length !== count) {
      const heights = new Float64Array(count);
      heights.set(this.#heights.subarray(0, count));
      this.#heights = heights;
      this.#offsets = undefined;
    }
    if (this.#offsets) return this.#offsets;
    const offsets = new Float64Array(count + 1);
    let end = 0;
    for (let place = 0; place < count; place++) {
      end += this.#heights[place] || this.#usual;
      offsets[place + 1] = end;
    }
    this.#offsets = offsets;
    return offsets;
  }

  /**
   * What was drawn, by places. True: another height is the usual one from now on, since these were the first rows, or
   * most of those that were known have another height (other columns, another density).
   */
  learn(drawn: ReadonlyMap<number, number>): boolean {
    const known = [...drawn].filter(([place]) => (this.#heights[place] ?? 0) > 0);
    const other = known.filter(([place, height]) => this.#heights[place] !== height);
    const replaced = drawn.size > 0 && (!this.#learned || other.length * 2 > known.length);
    if (replaced) this.#heights.fill(0);
    for (const [place, height] of drawn) {
      if (place >= this.#heights.length || this.#heights[place] === height) continue;
      this.#heights[place] = height;
      this.#offsets = undefined;
    }
    if (!replaced) return false;
    this.#learned = true;
    this.#offsets = undefined;
    const usual = [...drawn.values()].reduce((sum, height) => sum + height, 0) / drawn.size;
    const changed = usual !== this.#usual || known.length > 0;
    this.#usual = usual;
    return changed;
  }
}
