// Reads a drawing back: where its wires run.
import type { Rectangle, WireGeometry } from "../../../src/web/chart/geometry.ts";

export interface Segment {
  readonly wire: string;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** The straight pieces of every wire; round corners end at their control point. */
export function segmentsOf({
  wires,
}: {
  readonly wires: Readonly<Record<string, Pick<WireGeometry, "d">>>;
}): Segment[] {
  return Object.entries(wires).flatMap(([wire, { d }]) => {
    const points = [...d.matchAll(/[MLQ]([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    return points.slice(1).map(([x2, y2], index) => {
      const [x1, y1] = points[index] ?? [x2, y2];
      return { wire, x1, y1, x2, y2 };
    });
  });
}

export function crossings(segments: readonly Segment[]): number {
  const standing = segments.filter(({ x1, x2 }) => x1 === x2);
  const lying = segments.filter(({ y1, y2 }) => y1 === y2);
  return standing.reduce(
    (sum, a) =>
      sum + lying.filter((b) => b.wire !== a.wire && within(b.x1, a.x1, b.x2) && within(a.y1, b.y1, a.y2)).length,
    0,
  );
}

function within(from: number, value: number, to: number): boolean {
  return Math.min(from, to) < value && value < Math.max(from, to);
}

export function overlaps([ax, ay, aw, ah]: Rectangle, [bx, by, bw, bh]: Rectangle): boolean {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}

export function rectangleOf({ x1, y1, x2, y2 }: Segment): Rectangle {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(Math.abs(x1 - x2), 0.1), Math.max(Math.abs(y1 - y2), 0.1)];
}
