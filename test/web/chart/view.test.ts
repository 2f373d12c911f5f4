// Checks which part of a drawing is visible at first, and which part the map in the corner frames.
import { describe, expect, test } from "vitest";
import type { Geometry, Rectangle } from "../../../src/web/chart/geometry.ts";
import {
  fitView,
  heldUnder,
  keptNear,
  LARGEST,
  placeView,
  seenOf,
  SMALLEST,
  startView,
  zoomedAt,
} from "../../../src/web/chart/view.ts";

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

describe("a view that a person moves", () => {
  const view = { x: -300, y: -200, k: 1 };
  /** The point of the drawing that is at a place of the frame. */
  const under = ({ x, y, k }: typeof view, at: { readonly x: number; readonly y: number }) => ({
    x: Math.round((at.x - x) / k),
    y: Math.round((at.y - y) / k),
  });

  test("keeps what is under the pointer there while it grows, as far as it goes", () => {
    const at = { x: 120, y: 400 };
    const larger = zoomedAt(view, 1.7, at);
    expect(larger.k).toBeCloseTo(1.7);
    expect(under(larger, at)).toEqual(under(view, at));
    expect(zoomedAt(view, 1e6, at).k).toBe(LARGEST);
    expect(zoomedAt(view, 1e-6, at).k).toBe(SMALLEST);
    expect(zoomedAt(zoomedAt(view, 1e6, at), 2, at)).toEqual(zoomedAt(view, 1e6, at));
  });

  test("goes with one finger, and with two is between them as large as they are apart", () => {
    const held = [
      { x: 400, y: 300 },
      { x: 500, y: 300 },
    ];
    const dragged = heldUnder([{ x: 150, y: 90 }], held.slice(0, 1), view);
    expect(under(dragged, { x: 150, y: 90 })).toEqual(held[0]);
    expect(dragged.k).toBe(1);
    const fingers = [
      { x: 100, y: 200 },
      { x: 250, y: 200 },
    ];
    const pinched = heldUnder(fingers, held, view);
    expect(pinched.k).toBeCloseTo(1.5);
    expect(fingers.map((at) => under(pinched, at))).toEqual(held);
  });

  test("is never lost: at most half of the drawing's size is empty around it", () => {
    expect(keptNear(view, geometry, room)).toEqual(view);
    expect(keptNear({ ...view, x: 9000, y: -9000 }, geometry, room)).toEqual({ x: 800, y: 480 - 1800, k: 1 });
    const tiny = keptNear({ x: 600, y: 0, k: 0.2 }, geometry, room);
    expect(tiny.x).toBeCloseTo((700 - 1600 * 0.2) / 2);
  });
});
