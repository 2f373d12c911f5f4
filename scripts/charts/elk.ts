// The graph as ELK takes it. Every wire is an edge of the root; coordinates come back absolute.
import type { ElkExtendedEdge, ElkNode, LayoutOptions } from "elkjs";
import { holds, type Box, type ChartGraph, type Start, type Wire } from "../../src/web/chart/graph.ts";
import { boxSize, PAD, pillSize, START, TITLE_HEIGHT } from "../../src/web/chart/metrics.ts";

export interface Plan {
  readonly direction: "DOWN" | "RIGHT";
  readonly words: boolean;
  /** With the dots where states begin. */
  readonly starts: boolean;
  /** Around what is in a box. */
  readonly padding: number;
  /** More of it at the left. */
  readonly aside: number;
  readonly options: LayoutOptions;
}

/** Found by trying several hundred sets on charts of ten to sixty states: fewest crossings and bends. */
const BASE: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.randomSeed": "1",
  "elk.layered.nodePlacement.favorStraightEdges": "true",
  "elk.layered.thoroughness": "40",
  "elk.spacing.nodeNode": "28",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.spacing.edgeNode": "16",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.spacing.edgeEdge": "11",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "10",
  "elk.spacing.edgeLabel": "4",
};

/** The part of a graph that hangs together: outermost boxes with all that is in them. */
export interface Part {
  readonly graph: ChartGraph;
  readonly roots: readonly string[];
}

export function elkOf({ graph, roots }: Part, plan: Plan): ElkNode {
  const boxes = [...graph.boxes.values()].filter(({ id }) => roots.some((root) => isWithin(root, id)));
  const inside = new Set(boxes.map(({ id }) => id));
  const wires = [...graph.wires.values()].filter(({ from }) => inside.has(from));
  const starts = plan.starts ? graph.starts.filter(({ to }) => inside.has(to)) : [];
  return {
    id: "root",
    layoutOptions: { ...BASE, ...plan.options, "elk.direction": plan.direction },
    children: childrenOf("", { boxes, starts, wires, plan }),
    edges: [...starts.map(startEdge), ...wires.map((wire) => wireEdge(wire, plan))],
  };
}

function isWithin(root: string, id: string): boolean {
  return id === root || holds(root, id.replace(/\/any$/, ""));
}

interface Drawn {
  readonly boxes: readonly Box[];
  readonly starts: readonly Start[];
  readonly wires: readonly Wire[];
  readonly plan: Plan;
}

function childrenOf(parent: string, drawn: Drawn): ElkNode[] {
  const dots = drawn.starts
    .filter((start) => start.parent === parent)
    .map(({ id }) => ({
      id,
      width: START,
      height: START,
      layoutOptions: { "elk.layered.layering.layerConstraint": "FIRST" },
    }));
  const nodes = drawn.boxes.filter((box) => box.parent === parent).map((box) => nodeOf(box, drawn));
  return [...dots, ...nodes];
}

/** Arrows that come in beside each other need so much each, or their heads would be one smear. */
const ARROW_ROOM = 9;

function nodeOf(box: Box, drawn: Drawn): ElkNode {
  const { plan, wires } = drawn;
  const { width, height } = boxSize(box, plan.words);
  if (box.kind !== "compound") {
    const busier = Math.max(
      wires.filter(({ to }) => to === box.id).length,
      wires.filter(({ from }) => from === box.id).length,
    );
    const needed = box.kind === "any" ? 0 : (busier + 1) * ARROW_ROOM;
    const down = plan.direction === "DOWN";
    return {
      id: box.id,
      width: down ? Math.max(width, needed) : width,
      height: down ? height : Math.max(height, needed),
    };
  }
  const top = height === TITLE_HEIGHT ? TITLE_HEIGHT + 3 : height + 4;
  return {
    id: box.id,
    children: childrenOf(box.id, drawn),
    layoutOptions: {
      "elk.padding": `[top=${top},left=${plan.padding + plan.aside},bottom=${plan.padding},right=${plan.padding}]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${width + 2 * PAD}, ${height})`,
    },
  };
}

function startEdge({ id, to }: Start): ElkExtendedEdge {
  return { id, sources: [id], targets: [to], layoutOptions: { "elk.layered.priority.straightness": "5" } };
}

function wireEdge(wire: Wire, { words }: Plan): ElkExtendedEdge {
  const size = words ? pillSize(wire.labels) : undefined;
  const forward = wire.triggers.some(({ kind }) => kind === "done");
  return {
    id: wire.id,
    sources: [wire.from],
    targets: [wire.to],
    ...(size
      ? {
          labels: [
            {
              text: wire.id,
              ...size,
              layoutOptions: { "elk.edgeLabels.inline": "true", "elk.edgeLabels.placement": "CENTER" },
            },
          ],
        }
      : {}),
    ...(forward
      ? { layoutOptions: { "elk.layered.priority.direction": "5", "elk.layered.priority.straightness": "5" } }
      : {}),
  };
}
