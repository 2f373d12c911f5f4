// The ways to lay a chart out, by number. No setting is the best for all charts, and the order in which boxes and wires
// are given decides more than any of them: so many are tried, and the drawing remembers the number of the one that was
// the easiest to read.
import type { ElkNode, LayoutOptions } from "elkjs";

export interface Way {
  readonly options: LayoutOptions;
  /** For drawings that may run either way. */
  readonly direction: "DOWN" | "RIGHT";
  /** More room at the left in outer boxes, so that wires from above leave the name alone. */
  readonly aside: number;
  /** Boxes and wires in the order of this way. */
  readonly ordered: (root: ElkNode) => ElkNode;
}

const CHOICES = {
  "elk.layered.considerModelOrder.strategy": ["NODES_AND_EDGES", "NONE", "PREFER_NODES", "PREFER_EDGES"],
  "elk.layered.cycleBreaking.strategy": ["DEPTH_FIRST", "GREEDY", "MODEL_ORDER"],
  "elk.layered.nodePlacement.strategy": ["NETWORK_SIMPLEX", "BRANDES_KOEPF"],
  "elk.layered.layering.strategy": ["NETWORK_SIMPLEX", "LONGEST_PATH"],
  "elk.layered.edgeLabels.centerLabelPlacementStrategy": [
    "MEDIAN_LAYER",
    "SPACE_EFFICIENT_LAYER",
    "WIDEST_LAYER",
    "HEAD_LAYER",
    "TAIL_LAYER",
  ],
} as const;

const ASIDE = 58;

/** The first way is the plain one: everything in the order of the chart. */
export function wayOf(number: number): Way {
  if (number === 0) return { options: firstOf(CHOICES), direction: "DOWN", aside: 0, ordered: (root) => root };
  const random = randomFrom(number);
  const options = Object.fromEntries(
    Object.entries(CHOICES).map(([option, values]) => [option, chosen(values, random)]),
  );
  const direction = chosen(["DOWN", "RIGHT"] as const, random);
  const aside = random() < 0.4 ? ASIDE : 0;
  // A third keeps the order of the chart.
  const mixed = random() < 0.67;
  return { options, direction, aside, ordered: (root) => (mixed ? inOtherOrder(root, random) : root) };
}

function firstOf(choices: Readonly<Record<string, readonly string[]>>): LayoutOptions {
  return Object.fromEntries(Object.entries(choices).map(([option, [first = ""]]) => [option, first]));
}

function inOtherOrder(node: ElkNode, random: () => number): ElkNode {
  return {
    ...node,
    ...(node.children ? { children: mix(node.children, random).map((child) => inOtherOrder(child, random)) } : {}),
    ...(node.edges ? { edges: mix(node.edges, random) } : {}),
  };
}

function mix<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function chosen<Item extends string>(values: readonly Item[], random: () => number): Item {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("there is nothing to choose from");
  return value;
}

/** The same numbers in every process: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
