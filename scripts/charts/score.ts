// How hard a drawing is to read, as a number: wires through names and crossings above all, then bends, how far it must
// be made smaller to be seen whole, and the length of the wires.
import type { Rectangle } from "../../src/web/chart/geometry.ts";
import type { Head } from "./heads.ts";
import type { Placed } from "./layout.ts";
import { lengthOf, type Point } from "./route.ts";

interface Segment {
  readonly wire: string;
  readonly a: Point;
  readonly b: Point;
}

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly wires: Placed["wires"];
  readonly heads: ReadonlyMap<string, Head>;
}

const COST = { crossing: 60, bend: 8, length: 1 / 40, through: 500, moved: 0.1, paper: 260 } as const;

/** `room`: where the drawing is mostly looked at. */
export function costOf(
  { width, height, wires, heads }: Drawn,
  room: { readonly width: number; readonly height: number },
): number {
  const corners = [...wires.values()].map((wire) => wire.corners);
  const bends = corners.reduce((sum, points) => sum + Math.max(0, points.length - 2), 0);
  const length = corners.reduce((sum, points) => sum + lengthOf(points), 0);
  const names = [...heads.values()].reduce(
    (sum, { crossed, moved }) => sum + COST.through * crossed + COST.moved * moved,
    0,
  );
  const paper = Math.max(width / room.width, height / room.height);
  return COST.crossing * crossingsOf(wires) + COST.bend * bends + COST.length * length + COST.paper * paper + names;
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
    (sum, one, index) =>
      sum + segments.slice(index + 1).filter((other) => other.wire !== one.wire && cross(one, other)).length,
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
