// A wire's corners as a path: small jogs straightened, corners round, the end cut back for the arrow's head.
import type { Rectangle, WireGeometry } from "../../src/web/chart/geometry.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

const RADIUS = 9;
/** A step to the side that is smaller looks like a mistake. */
const JOG = 6;
/** The wire ends here before the tip: the head covers the rest. */
const HEAD = 6;

export function wireGeometry(corners: readonly Point[]): Pick<WireGeometry, "d" | "tip"> {
  const points = straightened(corners);
  const [before, last] = points.slice(-2);
  if (!before || !last) throw new Error("a wire has no two ends");
  const angle =
    Math.abs(last.x - before.x) > Math.abs(last.y - before.y)
      ? last.x > before.x
        ? 0
        : 180
      : last.y > before.y
        ? 90
        : 270;
  const foot = {
    x: last.x - (angle === 0 ? HEAD : angle === 180 ? -HEAD : 0),
    y: last.y - (angle === 90 ? HEAD : angle === 270 ? -HEAD : 0),
  };
  return { d: roundedPath([...points.slice(0, -1), foot]), tip: [round(last.x), round(last.y), angle] };
}

/**
 * Corners without points on a line, and without jogs: a jog's inner part moves onto the side that is not held by a box.
 */
export function straightened(corners: readonly Point[]): Point[] {
  let points = withoutMiddles(corners);
  for (let index = 1; index + 2 < points.length; index += 1) {
    const [a, b, c, d] = points.slice(index - 1, index + 3);
    if (!a || !b || !c || !d) break;
    const across = Math.abs(c.x - b.x) + Math.abs(c.y - b.y);
    const parallel = (a.x === b.x) === (c.x === d.x);
    if (across === 0 || across >= JOG || !parallel) continue;
    // The end of the wire may slide along its box by so little; what comes before it stays.
    const moved = points.map((point, at) => {
      if (at !== index + 1 && at !== index + 2) return point;
      return a.x === b.x ? { x: b.x, y: point.y } : { x: point.x, y: b.y };
    });
    points = withoutMiddles(moved);
    index = 0;
  }
  return points;
}

function withoutMiddles(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return true;
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}

function roundedPath(points: readonly Point[]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return `M${written(point)}`;
    if (!after) return `L${written(point)}`;
    const radius = Math.min(RADIUS, distance(before, point) / 2, distance(point, after) / 2);
    return `L${written(towards(point, before, radius))}Q${written(point)} ${written(towards(point, after, radius))}`;
  });
  return parts.join("");
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

export function lengthOf(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, point, index) => {
    const before = points[index] ?? point;
    return sum + Math.abs(point.x - before.x) + Math.abs(point.y - before.y);
  }, 0);
}

/** Each straight piece as a thin rectangle. */
export function stripsOf(points: readonly Point[]): Rectangle[] {
  return points.slice(1).map((b, index) => {
    const a = points[index] ?? b;
    return [Math.min(a.x, b.x) - 1, Math.min(a.y, b.y) - 1, Math.abs(a.x - b.x) + 2, Math.abs(a.y - b.y) + 2];
  });
}

function written({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
