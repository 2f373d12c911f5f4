// The measures of a drawing in pixels: the layout keeps room by them, the drawing writes by them.
import type { Box, BoxRow } from "./graph.ts";
import type { Label } from "./labels.ts";
import { textWidth } from "./text-width.ts";

export const TITLE = { size: 13, weight: 600, baseline: 20 } as const;
export const ROW = { size: 11, weight: 500, height: 17 } as const;
/** Inside boxes, left and right. */
export const PAD = 12;
/** Height of a box that has a title alone, and where the first row of others begins. */
export const TITLE_HEIGHT = 31;
export const ROWS_TOP = 29;
/** Below the last row. */
export const ROWS_BOTTOM = 8;
/** Where the words of a row begin, beside its sign. */
export const SIGN = 16;
/** What a title leaves free at its right for a number. */
export const COUNT_WIDTH = 48;
/** Between the name of an outer box and its number, which stand beside each other. */
export const COUNT_GAP = 9;
/** Pills: above and below their rows, and left of words after the dot, right of them. */
export const PILL = { top: 3, row: 15, start: 17, end: 10, dot: 10, gap: 4 } as const;
/** Room for how many pass a wire in a minute. */
export const FLOW = { width: 34, height: 16 } as const;
export const ANY = { height: 22, pad: 11 } as const;
export const START = 9;
/** Free at all sides of a drawing. */
export const MARGIN = 16;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What stands in a row of a box, without its sign. */
export function rowText({ label, trigger }: BoxRow): { readonly text: string; readonly guard: string } {
  return { text: label, guard: trigger?.guard === undefined ? "" : `[${trigger.guard}]` };
}

export function wordsWidth(text: string, guard: string): number {
  const gap = text !== "" && guard !== "" ? PILL.gap : 0;
  return textWidth(text, ROW.size, ROW.weight) + gap + textWidth(guard, ROW.size, ROW.weight);
}

/** What the content of a box needs; `rows` false: its name alone. Of a box with boxes inside only the head. */
export function boxSize(box: Box, rows: boolean): Size {
  if (box.kind === "any")
    return { width: Math.ceil(textWidth(box.name, ROW.size, ROW.weight)) + 2 * ANY.pad, height: ANY.height };
  const shown = rows ? box.rows : [];
  const title = textWidth(box.name, TITLE.size, TITLE.weight) + (box.passing ? 0 : COUNT_WIDTH);
  const widths = shown.map((row) => {
    const { text, guard } = rowText(row);
    return SIGN + wordsWidth(text, guard);
  });
  const height = shown.length === 0 ? TITLE_HEIGHT : ROWS_TOP + shown.length * ROW.height + ROWS_BOTTOM;
  return { width: Math.ceil(Math.max(title, ...widths)) + 2 * PAD, height };
}

/** Undefined without a word to say. */
export function pillSize(labels: readonly Label[]): Size | undefined {
  if (labels.length === 0) return undefined;
  const width = Math.max(...labels.map(({ text, guard }) => PILL.start + wordsWidth(text, guard) + PILL.end));
  return { width: Math.ceil(width), height: labels.length * PILL.row + 2 * PILL.top };
}
