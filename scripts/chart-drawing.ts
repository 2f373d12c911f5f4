// A chart as a Mermaid state diagram.
//
// Mermaid draws an edge between states of different composite states only when it is declared outside them, and none from a composite state to a state within it: such
// a transition is drawn from the states inside.
import { nodesOf } from "../src/runtime/index.ts";

export type ChartNode = ReturnType<typeof nodesOf>[number];

/** One transition as the chart has it. */
export interface Arrow {
  readonly from: ChartNode;
  /** Undefined: the state stays as it is. */
  readonly to: ChartNode | undefined;
  /** What a reader calls the trigger. */
  readonly label: string;
  readonly guard: string | undefined;
  readonly actions: readonly { readonly type: string; readonly params: unknown }[];
  /** Event type as XState has it; empty for transitions that need none. */
  readonly event: string;
}

/** `linked.connecting.dialing`; the chart's own name for its root. */
export function nameOf(node: ChartNode): string {
  return node.path.length === 0 ? node.key : node.path.join(".");
}

/** Every transition of a chart, outermost state first. */
export function arrowsOf(root: ChartNode): Arrow[] {
  return nodesOf(root).flatMap((from) =>
    [...from.transitions.values(), from.always ?? []].flat().flatMap((transition) => {
      const { guard, actions, eventType, target } = transition;
      const arrow = {
        from,
        label: labelOf(eventType, from),
        guard: typeof guard === "string" ? guard : guard === undefined ? undefined : namedType(guard),
        actions: actions.map((action) => ({ type: namedType(action), params: paramsOf(action) })),
        event: eventType,
      };
      const targets: (ChartNode | undefined)[] = target === undefined || target.length === 0 ? [undefined] : [...target];
      return targets.map((to) => ({ ...arrow, to }));
    }),
  );
}

function labelOf(event: string, from: ChartNode): string {
  if (event === "") return "at once";
  const deadline = from.after.find((each) => each.eventType === event);
  if (deadline) return `after ${String(deadline.delay)}`;
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event);
  if (settled) return `${settled[2]} ${settled[1] === "done" ? "done" : "failed"}`;
  return event.startsWith("xstate.done.state.") ? "all within is done" : event;
}

/** The name of an action or guard, given as text or as an object with parameters. */
function namedType(named: unknown): string {
  if (typeof named === "string") return named;
  const type = (typeof named === "object" || typeof named === "function") && named !== null && "type" in named ? named.type : undefined;
  if (typeof type !== "string") throw new Error("a chart has an action or guard without a name");
  return type;
}

function paramsOf(action: unknown): unknown {
  return typeof action === "object" && action !== null && "params" in action ? action.params : undefined;
}

/** The diagram's text. */
export function drawingOf(root: ChartNode): string {
  const lines = ["stateDiagram-v2", ...declarationsOf(root, "  ")];
  const labels = new Map<string, string[]>();
  for (const { from, to, label, guard } of arrowsOf(root)) {
    if (!to) continue;
    const text = guard === undefined ? label : `${label} [${guard}]`;
    for (const source of sourcesOf(from, to)) {
      const edge = `${idOf(source)} --> ${idOf(to)}`;
      const known = labels.get(edge);
      if (!known) labels.set(edge, [text]);
      else if (!known.includes(text)) known.push(text);
    }
  }
  for (const [edge, texts] of labels) lines.push(`  ${edge}: ${texts.join(", ")}`);
  return lines.join("\n");
}

/** Where an arrow is drawn from: nothing is drawn from a state to what is within it, but from its outermost states that do not hold the target. */
function sourcesOf(from: ChartNode, to: ChartNode): ChartNode[] {
  const holds = from.path.every((key, index) => to.path[index] === key);
  if (from === to || !holds) return [from];
  return Object.values(from.states)
    .filter((child) => child !== to && mayRest(child))
    .flatMap((child) => sourcesOf(child, to));
}

/** False for states that are always left in the step that entered them. */
function mayRest(node: ChartNode): boolean {
  return !(node.always ?? []).some(({ guard }) => guard === undefined);
}

function isLeaf(node: ChartNode): boolean {
  return Object.keys(node.states).length === 0;
}

function declarationsOf(node: ChartNode, indent: string): string[] {
  const lines: string[] = [];
  const [initial] = node.initial.target ?? [];
  if (initial) lines.push(`${indent}[*] --> ${idOf(initial)}`);
  for (const child of Object.values(node.states)) {
    const declared = `${indent}state "${child.key}" as ${idOf(child)}`;
    if (isLeaf(child)) lines.push(declared);
    else lines.push(`${declared} {`, ...declarationsOf(child, `${indent}  `), `${indent}}`);
    if (child.type === "final") lines.push(`${indent}${idOf(child)} --> [*]`);
  }
  return lines;
}

function idOf(node: ChartNode): string {
  return node.path.join("_");
}
