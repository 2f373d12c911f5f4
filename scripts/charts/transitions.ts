// Every transition of a chart as its page writes it.
import { nodesOf } from "../../src/runtime/index.ts";

export type ChartNode = ReturnType<typeof nodesOf>[number];

/** One transition as the chart has it. */
export interface Transition {
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

/** Outermost state first. */
export function transitionsOf(root: ChartNode): Transition[] {
  return nodesOf(root).flatMap((from) =>
    [...from.transitions.values(), from.always ?? []].flat().flatMap((transition) => {
      const { guard, actions, eventType, target } = transition;
      const found = {
        from,
        label: labelOf(eventType, from),
        guard: guard === undefined ? undefined : namedType(guard),
        actions: actions.map((action) => ({ type: namedType(action), params: paramsOf(action) })),
        event: eventType,
      };
      const targets: (ChartNode | undefined)[] =
        target === undefined || target.length === 0 ? [undefined] : [...target];
      return targets.map((to) => ({ ...found, to }));
    }),
  );
}

function labelOf(event: string, from: ChartNode): string {
  if (event === "") return "at once";
  const deadline = from.after.find((each) => each.eventType === event);
  if (deadline) return `after \`${String(deadline.delay)}\``;
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event);
  if (settled) return `\`${settled[2]}\` ${settled[1] === "done" ? "done" : "failed"}`;
  return event.startsWith("xstate.done.state.") ? "all within is done" : `\`${event}\``;
}

/** The name of an action or guard, given as text or as an object with parameters. */
function namedType(named: unknown): string {
  if (typeof named === "string") return named;
  const type =
    (typeof named === "object" || typeof named === "function") && named !== null && "type" in named
      ? named.type
      : undefined;
  if (typeof type !== "string") throw new Error("a chart has an action or guard without a name");
  return type;
}

function paramsOf(action: unknown): unknown {
  return typeof action === "object" && action !== null && "params" in action ? action.params : undefined;
}
