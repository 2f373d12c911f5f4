// Where on each wire a number has room: away from boxes, words, other numbers and other wires, near the middle of the
// way.
import type { Rectangle } from "../../src/web/chart/geometry.ts";
import { FLOW } from "../../src/web/chart/metrics.ts";
import { lengthOf, stripsOf, type Point } from "./route.ts";
import { overlap } from "./score.ts";

export interface Obstacles {
  /** Boxes without boxes inside, heads of those with, dots, words on wires. */
  readonly solid: readonly Rectangle[];
  readonly wires: ReadonlyMap<string, readonly Point[]>;
}

const COST = { solid: 100, number: 100, wire: 12, distance: 0.02 } as const;
const STEP = 4;
/** Heads of arrows and the corner after them stay free. */
const ENDS = 14;

export function flowPlaces({ solid, wires }: Obstacles): Map<string, readonly [number, number]> {
  const places = new Map<string, readonly [number, number]>();
  const taken: Rectangle[] = [];
  // The shortest have the least choice.
  const shortestFirst = [...wires].toSorted(
    ([a, first], [b, second]) => lengthOf(first) - lengthOf(second) || (a < b ? -1 : 1),
  );
  for (const [id, corners] of shortestFirst) {
    const foreign = [...wires].filter(([other]) => other !== id).flatMap(([, points]) => stripsOf(points));
    const length = lengthOf(corners);
    let best: { readonly cost: number; readonly place: readonly [number, number] } | undefined;
    for (let along = Math.min(ENDS, length / 2); along <= Math.max(length - ENDS, length / 2); along += STEP) {
      const { x, y } = pointAt(corners, along);
      const room = rectangleAt(x, y);
      const count = (rectangles: readonly Rectangle[]) => rectangles.filter((each) => overlap(room, each)).length;
      const cost =
        COST.solid * count(solid) +
        COST.number * count(taken) +
        COST.wire * count(foreign) +
        COST.distance * Math.abs(along - length / 2);
      if (!best || cost < best.cost) best = { cost, place: [x, y] };
    }
    if (!best) continue;
    places.set(id, best.place);
    taken.push(rectangleAt(...best.place));
  }
  return places;
}

function rectangleAt(x: number, y: number): Rectangle {
  return [x - FLOW.width / 2, y - FLOW.height / 2, FLOW.width, FLOW.height];
}

function pointAt(points: readonly Point[], along: number): Point {
  let left = along;
  for (const [index, b] of points.slice(1).entries()) {
    const a = points[index] ?? b;
    const length = Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
    if (left <= length && length > 0)
      return { x: a.x + ((b.x - a.x) * left) / length, y: a.y + ((b.y - a.y) * left) / length };
    left -= length;
  }
  return points.at(-1) ?? { x: 0, y: 0 };
}
