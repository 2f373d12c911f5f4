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

/** Where rows begin, from their heights. */
export function offsetsOf(count: number, heightOf: (place: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1);
  for (let place = 0; place < count; place++) offsets[place + 1] = (offsets[place] ?? 0) + heightOf(place);
  return offsets;
}
