// Lays a graph out: each part that hangs together by itself, then side by side.
import type { ElkNode } from "elkjs";
import elk from "elkjs/lib/elk.bundled.js";
import type { Geometry, GeometryName, Rectangle } from "../../src/web/chart/geometry.ts";
import type { ChartGraph } from "../../src/web/chart/graph.ts";
import { MARGIN } from "../../src/web/chart/metrics.ts";
import { flowPlaces } from "./flow-places.ts";
import { elkOf, type Part, type Plan } from "./elk.ts";
import { headRoom, headsOf, headWidth, type Head } from "./heads.ts";
import { round, straightened, wireGeometry, type Point } from "./route.ts";
import { costOf } from "./score.ts";
import { wayOf } from "./ways.ts";

/** A drawing for numbers is as narrow as it can be: where states begin is said by the full one. */
const NARROW = {
  "elk.layered.spacing.edgeNodeBetweenLayers": "9",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "9",
  "elk.spacing.edgeNode": "12",
  // A number on a wire leaves some of the wire to be seen.
  "elk.layered.spacing.nodeNodeBetweenLayers": "34",
};

interface Form extends Omit<Plan, "aside"> {
  /** May run to the right too, where that gives the better drawing. */
  readonly turns: boolean;
  /** Where it is mostly looked at: a page beside its columns, a card, a phone. */
  readonly room: { readonly width: number; readonly height: number };
}

const FORMS: Readonly<Record<GeometryName, Form>> = {
  full: {
    direction: "DOWN",
    turns: true,
    words: true,
    starts: true,
    padding: 18,
    options: {},
    room: { width: 1000, height: 1000 },
  },
  heat: {
    direction: "RIGHT",
    turns: false,
    words: false,
    starts: false,
    padding: 13,
    options: NARROW,
    room: { width: 1000, height: 380 },
  },
  phone: {
    direction: "DOWN",
    turns: false,
    words: false,
    starts: true,
    padding: 16,
    options: { ...NARROW, "elk.spacing.nodeNode": "20" },
    room: { width: 380, height: 620 },
  },
};

/** Between parts. */
const GAP = 36;

/** Ways that are tried for each box and wire: a small chart has few that differ. */
const TRIES_EACH = 8;
const MOST_TRIES = 300;

export interface PlacedWire {
  readonly corners: readonly Point[];
  readonly pill?: Rectangle;
}

/** One drawing of a part, with the corners of its wires. */
export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Rectangle>;
  readonly wires: ReadonlyMap<string, PlacedWire>;
  readonly dots: ReadonlyMap<string, Rectangle>;
}

/** All parts on one paper. */
interface Sheet extends Placed {
  readonly heads: ReadonlyMap<string, Head>;
}

/** Which of the ways is the easiest to read. */
export async function bestWay(graph: ChartGraph, name: GeometryName): Promise<number> {
  let best = { number: 0, cost: Infinity };
  const tries = Math.min(MOST_TRIES, TRIES_EACH * (graph.boxes.size + graph.wires.size));
  for (let number = 0; number < tries; number += 1) {
    const cost = costOf(await sheetOf(graph, name, number), FORMS[name].room);
    if (cost < best.cost) best = { number, cost };
  }
  return best.number;
}

export async function layOut(graph: ChartGraph, name: GeometryName, number: number): Promise<Geometry> {
  return geometryOf(await sheetOf(graph, name, number), graph, FORMS[name]);
}

const engine = new elk.default();

async function sheetOf(graph: ChartGraph, name: GeometryName, number: number): Promise<Sheet> {
  const form = FORMS[name];
  const way = wayOf(number);
  const plan: Plan = {
    ...form,
    direction: form.turns ? way.direction : form.direction,
    aside: way.aside,
    options: { ...form.options, ...way.options },
  };
  const placed: Placed[] = [];
  for (const part of partsOf(graph)) placed.push(read(await engine.layout(way.ordered(elkOf(part, plan))), graph));
  return joined(placed, graph, plan);
}

/** Outermost boxes that wires join, in the order of the chart. */
export function partsOf(graph: ChartGraph): Part[] {
  const outermost = [...graph.boxes.values()].filter(({ parent }) => parent === "").map(({ id }) => id);
  const rootOf = (id: string) => (outermost.includes(id) ? id : id.replace(/[./].*$/, ""));
  const parts = outermost.map((id) => new Set([id]));
  const join = (a: string, b: string) => {
    const [first, second] = [a, b].map((id) => parts.findIndex((part) => part.has(rootOf(id))));
    if (first === undefined || second === undefined || first === second) return;
    const [low, high] = [Math.min(first, second), Math.max(first, second)];
    for (const id of parts[high] ?? []) parts[low]?.add(id);
    parts.splice(high, 1);
  };
  for (const { from, to } of graph.wires.values()) join(from, to);
  return parts.map((part) => ({ graph, roots: outermost.filter((id) => part.has(id)) }));
}

function read(root: ElkNode, graph: ChartGraph): Placed {
  const boxes = new Map<string, Rectangle>();
  const dots = new Map<string, Rectangle>();
  const visit = (node: ElkNode) => {
    const { id, x = 0, y = 0, width = 0, height = 0 } = node;
    if (node !== root) (graph.boxes.has(id) ? boxes : dots).set(id, [x, y, width, height]);
    node.children?.forEach(visit);
  };
  visit(root);
  const wires = new Map(
    (root.edges ?? []).map((edge) => {
      const corners = (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
        startPoint,
        ...bendPoints,
        endPoint,
      ]);
      const label = edge.labels?.[0];
      const pill = label ? { pill: [label.x ?? 0, label.y ?? 0, label.width ?? 0, label.height ?? 0] as const } : {};
      return [edge.id, { corners: straightened(corners), ...pill }] as const;
    }),
  );
  return { width: root.width ?? 0, height: root.height ?? 0, boxes, wires, dots };
}

function joined(parts: readonly Placed[], graph: ChartGraph, { direction, words }: Plan): Sheet {
  const boxes = new Map<string, Rectangle>();
  const dots = new Map<string, Rectangle>();
  const wires = new Map<string, PlacedWire>();
  let [x, y, width, height] = [MARGIN, MARGIN, 0, 0];
  for (const part of parts) {
    const moved = ([left, top, wide, high]: Rectangle): Rectangle => [
      round(left + x),
      round(top + y),
      round(wide),
      round(high),
    ];
    for (const [id, box] of part.boxes) boxes.set(id, moved(box));
    for (const [id, dot] of part.dots) dots.set(id, moved(dot));
    for (const [id, { corners, pill }] of part.wires) {
      wires.set(id, {
        corners: corners.map((point) => ({ x: point.x + x, y: point.y + y })),
        ...(pill ? { pill: moved(pill) } : {}),
      });
    }
    width = Math.max(width, x + part.width);
    height = Math.max(height, y + part.height);
    if (direction === "DOWN") x += part.width + GAP;
    else y += part.height + GAP;
  }
  const corners = [...wires.values()].map((wire) => wire.corners);
  const heads = headsOf(graph, words, boxes, corners);
  return { width: Math.ceil(width + MARGIN), height: Math.ceil(height + MARGIN), boxes, dots, wires, heads };
}

function geometryOf(sheet: Sheet, graph: ChartGraph, { words }: Form): Geometry {
  const { width, height, boxes, dots, wires, heads } = sheet;
  const flows = flowPlaces({
    solid: solidOf(graph, sheet),
    wires: new Map([...wires].map(([id, { corners }]) => [id, corners])),
  });
  const drawn = [...wires].filter(([id]) => graph.wires.has(id));
  const started = [...wires].filter(([id]) => dots.has(id));
  return {
    width,
    height,
    words,
    boxes: Object.fromEntries(boxes),
    heads: Object.fromEntries([...heads].map(([id, { x }]) => [id, round(x)])),
    wires: Object.fromEntries(
      drawn.map(([id, { corners, pill }]) => {
        const [flowX, flowY] = flows.get(id) ?? [0, 0];
        return [
          id,
          { ...wireGeometry(corners), ...(pill ? { pill } : {}), flow: [round(flowX), round(flowY)] as const },
        ];
      }),
    ),
    starts: Object.fromEntries(
      started.map(([id, { corners }]) => {
        const [left, top, size] = dots.get(id) ?? [0, 0, 0];
        return [id, { at: [round(left + size / 2), round(top + size / 2)] as const, ...wireGeometry(corners) }];
      }),
    ),
  };
}

/** What no number may cover: boxes, heads of outer boxes, words. */
function solidOf(graph: ChartGraph, { boxes, heads, wires }: Sheet): Rectangle[] {
  const shown = [...boxes].map(([id, rectangle]): Rectangle => {
    const box = graph.boxes.get(id);
    return box?.kind === "compound"
      ? headRoom(rectangle, heads.get(id)?.x ?? rectangle[0], headWidth(box, false))
      : rectangle;
  });
  return [...shown, ...[...wires.values()].flatMap(({ pill }) => (pill ? [pill] : []))];
}
