// What of a drawing is seen at first, and what the map in the corner frames of it.
import { describe, expect, test } from "vitest";
import type { Geometry, Rectangle } from "../../../src/web/chart/geometry.ts";
import { fitView, placeView, seenOf, startView } from "../../../src/web/chart/view.ts";

const BOXES: Readonly<Record<string, Rectangle>> = {
  far: [60, 40, 100, 31],
  here: [1000, 900, 100, 31],
  near: [1200, 700, 100, 31],
};
const geometry: Geometry = { width: 1600, height: 1200, words: true, boxes: BOXES, heads: {}, wires: {}, starts: {} };
const room = { width: 700, height: 480 };

/** Does the view show the rectangle as a whole? */
function shows(view: ReturnType<typeof fitView>, [x, y, width, height]: Rectangle): boolean {
  const [left, top, wide, high] = seenOf(geometry, view, room) ?? [0, 0, geometry.width, geometry.height];
  return x >= left && y >= top && x + width <= left + wide && y + height <= top + high;
}

describe("a view", () => {
  test("begins with everything where that can be read", () => {
    const small = { ...geometry, width: 600, height: 300 };
    expect(startView(small, room, "here", [])).toEqual(fitView(small, room));
  });

  test("begins at the state, large enough to read, with what is around it as far as there is room", () => {
    const view = startView(geometry, room, "here", [
      [1000, 700, 100, 20],
      BOXES["near"] ?? [0, 0, 0, 0],
      BOXES["far"] ?? [0, 0, 0, 0],
    ]);
    expect(view.k).toBeGreaterThanOrEqual(0.8);
    expect(["here", "near", "far"].map((id) => shows(view, BOXES[id] ?? [0, 0, 0, 0]))).toEqual([true, true, false]);
  });

  test("of everything leaves nothing to frame, any other frames what is seen", () => {
    expect(seenOf(geometry, fitView(geometry, room), room)).toBeUndefined();
    expect(seenOf(geometry, { x: -80, y: -160, k: 0.8 }, room)).toEqual([100, 200, 875, 600]);
  });

  test("of a place has it in the middle", () => {
    expect(placeView({ x: 1000, y: 500 }, 0.5, room)).toEqual({ x: -150, y: -10, k: 0.5 });
  });
});
