// Colours and widths of text on a terminal. What comes from records (names, errors) goes through `plain` first: it may
// hold anything.
import { styleText } from "node:util";

export type Colour = "red" | "green" | "yellow" | "cyan" | "dim" | "bold";

/** Colours text, or leaves it as it is where the output is no terminal. */
export type Paint = (colour: Colour, text: string) => string;

export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (colour, text) => styleText(colour, text, { stream });
}

/** What a state's name says at a glance; its words say it too. */
export function colourOf(state: string): "red" | "green" | "yellow" | "cyan" {
  if (state.startsWith("error.") || state.startsWith("linked.refused.")) return "red";
  if (state.startsWith("disabled.") || state === "deleted") return "yellow";
  return state === "linked.connected" || state === "enabled.started" ? "green" : "cyan";
}

/**
 * Control characters, and those that turn the direction of what follows: either would let a name rewrite the screen.
 */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text that a terminal shows and does not obey. */
export function plain(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(UNSAFE, "\ufffd");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** Columns that a grapheme takes. */
function columnsOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Columns that plain text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment);
  return width;
}

/** Text cut to so many columns, with an ellipsis where something is missing. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += columnsOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept}…`;
}

/** Words in lines of at most so many columns; a word that is longer is broken. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (let word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = "";
    }
    while (widthOf(word) > columns) {
      const head = cut(word, columns + 1).replace(/…$/, "");
      if (head === "") break;
      lines.push(head);
      word = word.slice(head.length);
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
