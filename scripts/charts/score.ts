// How hard a drawing is to read, as a number: crossings above all, then bends, then the length of the wires and the paper.
import type { Rectangle } from "../../src/web/chart/geometry.ts";
import type { Placed } from "./layout.ts";
import { lengthOf, type Point } from "./route.ts";

interface Segment {
  readonly wire: string;
  readonly a: Point;
  readonly b: Point;
}

export function costOf({ width, height, wires }: Placed): number {
  const corners = [...wires.values()].map((wire) => wire.corners);
  const bends = corners.reduce((sum, points) => sum + Math.max(0, points.length - 2), 0);
  const length = corners.reduce((sum, points) => sum + lengthOf(points), 0);
  return 60 * crossingsOf(wires) + 8 * bends + length / 40 + (width * height) / 12_000;
}

/** Pairs of wires that cross; those that meet at an end do not. */
export function crossingsOf(wires: Placed["wires"]): number {
  const segments = [...wires].flatMap(([wire, { corners }]) =>
    corners.slice(1).flatMap((b, index): Segment[] => {
      const a = corners[index];
      return a ? [{ wire, a, b }] : [];
    }),
  );
  return segments.reduce(
    (sum, one, index) => sum + segments.slice(index + 1).filter((other) => other.wire !== one.wire && cross(one, other)).length,
    0,
  );
}

function cross(one: Segment, other: Segment): boolean {
  const upright = ({ a, b }: Segment) => a.x === b.x;
  if (upright(one) === upright(other)) return false;
  const [standing, lying] = upright(one) ? [one, other] : [other, one];
  return between(lying.a.x, standing.a.x, lying.b.x) && between(standing.a.y, lying.a.y, standing.b.y);
}

function between(from: number, value: number, to: number): boolean {
  return Math.min(from, to) < value && value < Math.max(from, to);
}

export function overlap([ax, ay, aw, ah]: Rectangle, [bx, by, bw, bh]: Rectangle): boolean {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}
