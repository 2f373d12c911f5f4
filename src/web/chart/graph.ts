// A chart's definition as the graph that is drawn: boxes, rows in them, and wires. Neither document nor React: the
// layout, the pages and the tests use it in Node.
//
// Wires with equal ends are one. An automatic transition (a deadline, an effect that fails) is a row in its box, and
// its wire is dashed and without words. A transition that stays in the state (internal or self transition) is only a
// row. A transition of an outer state to a state within it starts at a box of its own, "any state".
import { readDefinition, type StateDefinition } from "./definition.ts";
import { labelsOf, type Label } from "./labels.ts";
import { triggerOf, type Trigger } from "./trigger.ts";

/** `any`: stands for every state of its parent. */
export type BoxKind = "atomic" | "compound" | "final" | "any";

export interface Box {
  /** The state's path; of an "any state" that of its parent, and `/any`. */
  readonly id: string;
  readonly kind: BoxKind;
  readonly name: string;
  readonly meaning: string;
  /** Empty: the chart itself, which has no box. */
  readonly parent: string;
  readonly children: readonly string[];
  /** Left in the same step that entered it, always: no actor is ever seen there. */
  readonly passing: boolean;
  readonly rows: readonly BoxRow[];
}

/**
 * `effect`: runs while the state is held. `self`: changes no state. `awaited`: a deadline or failure that a dashed wire
 * leaves for.
 */
export interface BoxRow {
  readonly id: string;
  readonly kind: "effect" | "self" | "awaited";
  /** Undefined for effects. */
  readonly trigger: Trigger | undefined;
  readonly label: string;
  /** The dashed wire, of an awaited row. */
  readonly wire: string | undefined;
}

export interface Wire {
  /** `from>to`. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Everything that passes here, drawn beside the wire or as a row in the box. */
  readonly triggers: readonly Trigger[];
  /** What the pill on the wire says; nothing of what is a row in the box. */
  readonly labels: readonly Label[];
  readonly dashed: boolean;
}

/** The dot that shows where a state with states inside (or the chart: empty) begins. */
export interface Start {
  readonly id: string;
  readonly parent: string;
  readonly to: string;
}

export interface ChartGraph {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly wires: ReadonlyMap<string, Wire>;
  readonly starts: readonly Start[];
  /** False for charts that have no drawing: regions side by side, histories. The outline says all of them. */
  readonly drawable: boolean;
}

/** Where transitions of an outer state to a state within it are drawn from. */
export function anyOf(path: string): string {
  return `${path}/any`;
}

/** Does `outer` hold `inner`, or is it the same? The chart itself (empty) holds all. */
export function holds(outer: string, inner: string): boolean {
  return outer === "" || inner === outer || inner.startsWith(`${outer}.`);
}

/** `served` and `delays` as `/api/machines` has them. */
export function graphOf(served: unknown, delays: Readonly<Record<string, number | null>>): ChartGraph {
  const root = readDefinition(served);
  const all = statesOf(root);
  const found = all.flatMap((state) => transitionsOf(state, delays));
  const wires = wiresBetween(found);
  const boxes = new Map<string, Box>();
  for (const state of all) {
    if (state !== root) boxes.set(state.path, boxOf(state, found));
    const any = anyOf(state.path);
    if (![...wires.values()].some(({ from }) => from === any)) continue;
    boxes.set(any, {
      id: any,
      kind: "any",
      name: "any state",
      meaning: "",
      parent: state.path,
      children: [],
      passing: false,
      rows: [],
    });
  }
  const starts = all.flatMap((state) =>
    state.initial === undefined ? [] : [{ id: `${state.path}/start`, parent: state.path, to: state.initial }],
  );
  return { boxes, wires, starts, drawable: all.every(({ type }) => type !== "parallel" && type !== "history") };
}

interface Found {
  readonly state: StateDefinition;
  /** The box that the wire leaves. */
  readonly from: string;
  /** Undefined: nothing is drawn but a row. */
  readonly to: string | undefined;
  readonly trigger: Trigger;
}

function statesOf(state: StateDefinition): StateDefinition[] {
  return [state, ...state.states.flatMap((child) => statesOf(child))];
}

function transitionsOf(state: StateDefinition, delays: Readonly<Record<string, number | null>>): Found[] {
  return state.transitions.flatMap((transition, index) => {
    const elder = state.transitions.slice(0, index).filter(({ event }) => event === transition.event);
    const trigger = triggerOf(transition, state, elder, delays);
    const targets: (string | undefined)[] = transition.targets.length === 0 ? [undefined] : [...transition.targets];
    return targets.map((to) => {
      if (to === undefined || to === state.path) return { state, from: state.path, to: undefined, trigger };
      return { state, from: holds(state.path, to) ? anyOf(state.path) : state.path, to, trigger };
    });
  });
}

function wiresBetween(found: readonly Found[]): Map<string, Wire> {
  const wires = new Map<string, Wire>();
  for (const { from, to, trigger } of found) {
    if (to === undefined) continue;
    const id = wireId(from, to);
    const known = wires.get(id);
    const triggers = [...(known?.triggers ?? []), trigger];
    const named = triggers.filter((each) => !isAwaited(each));
    wires.set(id, { id, from, to, triggers, labels: labelsOf(named), dashed: named.length === 0 });
  }
  return wires;
}

function wireId(from: string, to: string): string {
  return `${from}>${to}`;
}

function isAwaited({ kind }: Trigger): boolean {
  return kind === "timer" || kind === "failed";
}

function boxOf(state: StateDefinition, found: readonly Found[]): Box {
  const own = found.filter((each) => each.state === state);
  const effects = state.invokes.map(({ id, src }) => ({
    id: `${state.path}/effect/${id}`,
    kind: "effect" as const,
    trigger: undefined,
    label: src,
    wire: undefined,
  }));
  const rows = own.flatMap(({ from, to, trigger }, index): BoxRow[] => {
    const id = `${state.path}/${trigger.event}/${index}`;
    if (to === undefined) return [{ id, kind: "self", trigger, label: trigger.label, wire: undefined }];
    return isAwaited(trigger) ? [{ id, kind: "awaited", trigger, label: trigger.label, wire: wireId(from, to) }] : [];
  });
  return {
    id: state.path,
    kind: state.states.length > 0 ? "compound" : state.type === "final" ? "final" : "atomic",
    name: state.key,
    meaning: state.meaning,
    parent: state.path.slice(0, Math.max(0, state.path.lastIndexOf("."))),
    children: state.states.map(({ path }) => path),
    passing: own.some(
      ({ trigger, to }) => trigger.kind === "always" && to !== undefined && (trigger.guard ?? "else") === "else",
    ),
    rows: [...effects, ...rows],
  };
}
