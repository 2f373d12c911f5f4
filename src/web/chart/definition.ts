// A chart's definition as `/api/machines` serves it, read with as little trust as it needs: what is missing is empty,
// what is unknown is left out.

export interface TransitionDefinition {
  /** Event type; empty for a transition that needs none. */
  readonly event: string;
  /** State paths. Empty: the state stays as it is. */
  readonly targets: readonly string[];
  readonly guard: string | undefined;
  readonly actions: readonly string[];
  /** Name of the deadline, where the event is one. */
  readonly delay: string | undefined;
  readonly reenter: boolean;
}

export interface StateDefinition {
  /** Keys from the outermost state on, joined by dots; empty for the chart itself. */
  readonly path: string;
  readonly key: string;
  readonly type: "atomic" | "compound" | "final" | "parallel" | "history";
  readonly meaning: string;
  readonly initial: string | undefined;
  readonly transitions: readonly TransitionDefinition[];
  readonly invokes: readonly { readonly id: string; readonly src: string }[];
  /** Names of the actions on entry, without those by which XState keeps its timers. */
  readonly entry: readonly string[];
  readonly states: readonly StateDefinition[];
}

/** Throws when `served` is no chart at all. */
export function readDefinition(served: unknown): StateDefinition {
  const root = record(served);
  const id = text(root["id"]);
  if (id === "") throw new Error("a chart's definition has no id");
  return readState(root, id);
}

function readState(served: Readonly<Record<string, unknown>>, machine: string): StateDefinition {
  const pathOf = (id: string) => id.replace(/^#/, "").slice(machine.length + 1);
  const targetsOf = (target: unknown) => list(target).map((each) => pathOf(text(each)));
  const transitions = [...list(served["transitions"]), ...list(served["always"])].map((each) => {
    const transition = record(each);
    return {
      event: text(transition["eventType"]),
      targets: targetsOf(transition["target"]),
      guard: transition["guard"] === undefined ? undefined : nameOf(transition["guard"]),
      actions: list(transition["actions"]).map(nameOf),
      delay: delayOf(transition["delay"]),
      reenter: transition["reenter"] === true,
    };
  });
  return {
    path: pathOf(text(served["id"])),
    key: text(served["key"]),
    type: typeOf(served["type"]),
    meaning: text(served["description"]),
    initial: targetsOf(record(served["initial"])["target"])[0],
    transitions,
    invokes: list(served["invoke"]).map((each) => ({ id: text(record(each)["id"]), src: text(record(each)["src"]) })),
    entry: list(served["entry"])
      .map(nameOf)
      .filter((name) => !name.startsWith("xstate.")),
    states: Object.values(record(served["states"])).map((each) => readState(record(each), machine)),
  };
}

function typeOf(type: unknown): StateDefinition["type"] {
  return type === "compound" || type === "final" || type === "parallel" || type === "history" ? type : "atomic";
}

/** By name, or in milliseconds. */
function delayOf(delay: unknown): string | undefined {
  return typeof delay === "number" ? String(delay) : typeof delay === "string" ? delay : undefined;
}

/** The name of a guard or action, given as text or as an object with parameters. */
function nameOf(named: unknown): string {
  return typeof named === "string" ? named : text(record(named)["type"]);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
