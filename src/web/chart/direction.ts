// Which box an arrow key leads to: the nearest one in that direction, where being aside counts double.
import type { Geometry } from "./geometry.ts";

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Undefined for other keys, and where nothing is further that way. */
export function neighbourOf(
  { boxes }: Geometry,
  ids: readonly string[],
  from: string,
  code: string,
): string | undefined {
  const direction = DIRECTIONS[code];
  const here = middleOf(boxes[from]);
  if (!direction || !here) return undefined;
  const reachable = ids.flatMap((id) => {
    const there = middleOf(boxes[id]);
    if (!there || id === from) return [];
    const [dx, dy] = [there[0] - here[0], there[1] - here[1]];
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    return ahead > 1 ? [{ id, cost: ahead + 2 * aside }] : [];
  });
  return reachable.toSorted((a, b) => a.cost - b.cost)[0]?.id;
}

function middleOf(
  rectangle: readonly [number, number, number, number] | undefined,
): readonly [number, number] | undefined {
  return rectangle && [rectangle[0] + rectangle[2] / 2, rectangle[1] + rectangle[3] / 2];
}
