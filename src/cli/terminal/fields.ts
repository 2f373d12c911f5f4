// One record as labelled paragraphs on a terminal. Pure: texts in, lines out.
import { wrap } from "../paint.ts";
import type { Look } from "./table.ts";

const LABEL = 10;

/** One line as it is: it may be painted, which `wrap` would count as columns. */
export function fieldLine(label: string, text: string, { paint }: Pick<Look, "paint">): string {
  return paint("dim", label.padEnd(LABEL)) + text;
}

/** Lines of a field, its name before the first of them. Paragraphs are wrapped to the width. */
export function fieldLines(label: string, paragraphs: readonly string[], look: Look): string[] {
  const lines = paragraphs.flatMap((paragraph) => wrap(paragraph, Math.max(20, look.columns - LABEL)));
  return lines.map((line, index) => fieldLine(index === 0 ? label : "", line, look));
}
