// Where the name of an outer box stands: at the left of its top, unless wires that come in from above would run through
// it; then where they leave room.
import type { Rectangle } from "../../src/web/chart/geometry.ts";
import type { Box, ChartGraph } from "../../src/web/chart/graph.ts";
import { COUNT_GAP, PAD, TITLE, TITLE_HEIGHT } from "../../src/web/chart/metrics.ts";
import { textWidth } from "../../src/web/chart/text-width.ts";
import { stripsOf, type Point } from "./route.ts";
import { overlap } from "./score.ts";

export interface Head {
  /** Left of the name's room, as the left of a box is to its name. */
  readonly x: number;
  /** Wires that run through it nevertheless. */
  readonly crossed: number;
  /** How far it had to move. */
  readonly moved: number;
}

const STEP = 4;

/** Heads of the boxes that have boxes inside. */
export function headsOf(
  graph: ChartGraph,
  words: boolean,
  boxes: ReadonlyMap<string, Rectangle>,
  wires: Iterable<readonly Point[]>,
): Map<string, Head> {
  const strips = [...wires].flatMap(stripsOf);
  const heads = new Map<string, Head>();
  for (const [id, rectangle] of boxes) {
    const box = graph.boxes.get(id);
    if (box?.kind !== "compound") continue;
    const [left, , width] = rectangle;
    const needed = headWidth(box, words);
    let best: Head | undefined;
    for (let x = left; x + needed <= left + width && best?.crossed !== 0; x += STEP) {
      const room = headRoom(rectangle, x, needed);
      const crossed = strips.filter((strip) => overlap(strip, room)).length;
      if (!best || crossed < best.crossed) best = { x, crossed, moved: x - left };
    }
    if (best) heads.set(id, best);
  }
  return heads;
}

/** Usual width of a number beside the name. */
const COUNT = 26;

/** Where words stand in the boxes, no numbers do. */
export function headWidth({ name }: Box, words: boolean): number {
  return PAD + textWidth(name, TITLE.size, TITLE.weight) + COUNT_GAP + (words ? 0 : COUNT);
}

/** Arrows end on the box's edge, above the name. */
const EDGE = 5;

/** What the name and the number after it take. */
export function headRoom([, top]: Rectangle, x: number, width: number): Rectangle {
  return [x, top + EDGE, width, TITLE_HEIGHT - EDGE];
}
