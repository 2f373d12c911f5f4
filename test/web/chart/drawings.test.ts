// Every drawing can be read: no words on words, no words on a foreign wire, no wire through a foreign box or a name,
// arrows apart from each other, few crossings, little paper.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCharts } from "../../../scripts/charts/charts.ts";
import { GEOMETRIES } from "../../../scripts/charts/files.ts";
import type { ChartGeometry, Rectangle } from "../../../src/web/chart/geometry.ts";
import { boxSize, PAD, pillSize, TITLE } from "../../../src/web/chart/metrics.ts";
import { textWidth } from "../../../src/web/chart/text-width.ts";
import { crossings, overlaps, rectangleOf, segmentsOf } from "./paths.ts";

interface Bounds {
  readonly crossings: number;
  readonly width: number;
  readonly height: number;
}

/** Bounds of a chart with few states. Such a chart needs no line below. */
const SMALL: Bounds = { crossings: 0, width: 800, height: 800 };

/** What the best layouts of larger charts need; a chart that grows may need more, and this says so. */
const MOST: Readonly<Record<string, Bounds>> = {
  "node full": { crossings: 7, width: 1590, height: 1580 },
  "node heat": { crossings: 5, width: 1380, height: 560 },
  "node phone": { crossings: 2, width: 860, height: 1160 },
  "user full": { crossings: 3, width: 1600, height: 1100 },
  "user heat": { crossings: 2, width: 1070, height: 380 },
  "user phone": { crossings: 2, width: 820, height: 660 },
};

const charts = await readCharts();
const drawings = readdirSync(GEOMETRIES).flatMap((file) => {
  const chart = JSON.parse(readFileSync(new URL(file, GEOMETRIES), "utf8")) as ChartGeometry;
  const graph = charts.find(({ kind }) => kind === chart.kind)?.graph;
  if (!graph) throw new Error(`${file} is of no chart`);
  return Object.entries(chart.geometries).map(([name, geometry]) => ({
    name: `${chart.kind} ${name}`,
    graph,
    geometry,
  }));
});

describe.each(drawings)("$name", ({ name, graph, geometry }) => {
  const pills = Object.entries(geometry.wires).flatMap(([id, { pill }]) => (pill ? [{ id, pill }] : []));
  const leaves = [...graph.boxes.values()].filter(({ kind }) => kind !== "compound");
  const boxOf = (id: string): Rectangle => geometry.boxes[id] ?? [0, 0, 0, 0];
  const segments = segmentsOf(geometry);
  const starts = segmentsOf({ wires: geometry.starts });

  test("everything of the chart is drawn, on the paper", () => {
    expect(Object.keys(geometry.boxes).toSorted()).toEqual([...graph.boxes.keys()].toSorted());
    expect(Object.keys(geometry.wires).toSorted()).toEqual([...graph.wires.keys()].toSorted());
    for (const [x, y, width, height] of [...Object.values(geometry.boxes), ...pills.map(({ pill }) => pill)]) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(geometry.width);
      expect(y + height).toBeLessThanOrEqual(geometry.height);
    }
  });

  test("words have room in their boxes and pills", () => {
    for (const box of graph.boxes.values()) {
      const needed = boxSize(box, geometry.words);
      const [, , width, height] = boxOf(box.id);
      expect(width, box.id).toBeGreaterThanOrEqual(needed.width);
      expect(height, box.id).toBeGreaterThanOrEqual(needed.height);
    }
    for (const { id, pill } of pills) {
      const needed = pillSize(graph.wires.get(id)?.labels ?? []);
      expect(pill.slice(2), id).toEqual([needed?.width, needed?.height]);
    }
  });

  test("a box lies in the one it belongs to, and on no other", () => {
    for (const box of graph.boxes.values()) {
      const [x, y, width, height] = boxOf(box.id);
      if (box.parent !== "") {
        const [px, py, pw, ph] = boxOf(box.parent);
        expect(x >= px && y >= py && x + width <= px + pw && y + height <= py + ph, `${box.id} in ${box.parent}`).toBe(
          true,
        );
      }
    }
    for (const [index, a] of leaves.entries()) {
      for (const b of leaves.slice(index + 1))
        expect(overlaps(boxOf(a.id), boxOf(b.id)), `${a.id} and ${b.id}`).toBe(false);
    }
  });

  test("words on wires cover neither each other, nor a box, nor a foreign wire", () => {
    for (const [index, { id, pill }] of pills.entries()) {
      for (const other of pills.slice(index + 1))
        expect(overlaps(pill, other.pill), `${id} and ${other.id}`).toBe(false);
      for (const box of leaves) expect(overlaps(pill, boxOf(box.id)), `${id} and ${box.id}`).toBe(false);
      const covered = segments
        .filter(({ wire }) => wire !== id)
        .filter((segment) => overlaps(pill, rectangleOf(segment)));
      expect(
        covered.map(({ wire }) => wire),
        id,
      ).toEqual([]);
    }
  });

  test("no wire runs through a box that is not an end of it", () => {
    for (const segment of segments) {
      const wire = graph.wires.get(segment.wire);
      const through = leaves.filter(
        ({ id }) => id !== wire?.from && id !== wire?.to && overlaps(boxOf(id), rectangleOf(segment)),
      );
      expect(
        through.map(({ id }) => id),
        segment.wire,
      ).toEqual([]);
    }
  });

  test("no wire runs through the name of an outer box", () => {
    for (const box of graph.boxes.values()) {
      if (box.kind !== "compound") continue;
      const [left, top, width] = boxOf(box.id);
      const start = (geometry.heads[box.id] ?? Number.NaN) + PAD;
      const wide = textWidth(box.name, TITLE.size, TITLE.weight);
      expect(start >= left && start + wide <= left + width, box.id).toBe(true);
      const title: Rectangle = [start, top + TITLE.baseline - TITLE.size, wide, TITLE.size + 4];
      const through = [...segments, ...starts].filter((segment) => overlaps(title, rectangleOf(segment)));
      expect(
        through.map(({ wire }) => wire),
        box.id,
      ).toEqual([]);
    }
  });

  test("the heads of arrows that end at a box lie beside each other", () => {
    const tips = [...Object.values(geometry.wires), ...Object.values(geometry.starts)].map(({ tip }) => tip);
    for (const [index, [x, y]] of tips.entries()) {
      for (const [otherX, otherY] of tips.slice(index + 1))
        expect(Math.hypot(x - otherX, y - otherY), `${x} ${y}`).toBeGreaterThanOrEqual(5);
    }
  });

  test("a wire ends at its states", () => {
    for (const { id, to } of graph.wires.values()) {
      const [x, y] = geometry.wires[id]?.tip ?? [0, 0];
      const [left, top, width, height] = boxOf(to);
      const near = x >= left - 2 && x <= left + width + 2 && y >= top - 2 && y <= top + height + 2;
      expect(near, id).toBe(true);
    }
  });

  test("wires cross no more often, and the paper is no larger, than they must", () => {
    const most = MOST[name] ?? SMALL;
    expect(crossings(segments)).toBeLessThanOrEqual(most.crossings);
    expect(geometry.width).toBeLessThanOrEqual(most.width);
    expect(geometry.height).toBeLessThanOrEqual(most.height);
  });
});
