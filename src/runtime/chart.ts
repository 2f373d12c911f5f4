// The one place that touches XState: a chart is stepped as a pure function and says, as data, what should happen.
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, StateValue } from "xstate";
import { createActor } from "xstate";

/** State and context of an actor, without the interpreter. */
export interface ChartState<C> {
  /** Nested states joined by dots. */
  readonly state: string;
  readonly context: C;
  /** The chart has ended. */
  readonly done: boolean;
}

/** What a transition asks for. The runtime carries each out durably. */
export type ChartAction =
  | { readonly type: "arm"; readonly name: string; readonly event: string; readonly delay: number }
  | { readonly type: "cancel"; readonly name: string }
  | { readonly type: "start"; readonly invokeId: string; readonly src: string; readonly input: unknown }
  | { readonly type: "emit"; readonly event: AnyEventObject };

export interface ChartStep<C> extends ChartState<C> {
  /** False when the chart has no transition for the event: nothing changed. */
  readonly handled: boolean;
  readonly actions: readonly ChartAction[];
  /** Invokes that are active afterwards. */
  readonly invokes: readonly string[];
}

/**
 * A chart asked for something that the runtime does not carry out, or a stored state is none of the chart's: a defect
 * of the chart.
 */
export class ChartFault extends Error {
  override readonly name = "ChartFault";
}

interface RecordedAction {
  readonly type: string;
  readonly params: unknown;
}

/** A chart with what stepping it needs, made once. */
export class Chart<C> {
  readonly machine: AnyStateMachine;
  /** Names of all timers and ids of all invokes that the chart can have: what a deletion has to clear. */
  readonly timerNames: readonly string[];
  readonly invokes: ReadonlyMap<string, { readonly id: string; readonly src: string }>;
  readonly #scope: Parameters<AnyStateMachine["transition"]>[2];
  #recorded: RecordedAction[] = [];
  readonly #resolved = new Map<string, AnyMachineSnapshot>();
  readonly #invokesIn = new Map<string, readonly string[]>();

  constructor(machine: AnyStateMachine) {
    this.machine = machine;
    const invokes = new Map<string, { id: string; src: string }>();
    const timers: string[] = [];
    for (const node of nodesOf(machine.root)) {
      for (const { id, src } of node.invoke) {
        if (typeof src !== "string")
          throw new ChartFault(`the chart ${machine.id} invokes something without a name in ${node.id}`);
        invokes.set(id, { id, src });
      }
      for (const transition of node.after) timers.push(transition.eventType);
    }
    this.timerNames = timers;
    this.invokes = invokes;
    // Semi-internal shape of XState 5 (its own `transition()` builds one per call, at three times the cost); held by
    // chart.test.ts.
    const self = createActor(machine);
    this.#scope = {
      self,
      defer: () => {},
      id: "",
      logger: () => {},
      sessionId: "",
      stopChild: () => {},
      system: self.system,
      emit: () => {},
      actionExecutor: (action: RecordedAction) => {
        this.#recorded.push(action);
      },
    };
  }

  /** The chart's first state, with what entering it asks for. */
  initial(context: C): ChartStep<C> {
    this.#recorded = [];
    const snapshot = this.machine.getInitialSnapshot(this.#scope, context);
    return this.#result(snapshot, true);
  }

  /** One event. Throws what a guard or assignment throws, and `ChartFault`; nothing has happened then. */
  step(from: { readonly state: string; readonly context: C }, event: AnyEventObject): ChartStep<C> {
    const before = this.#restore(from.state, from.context);
    this.#recorded = [];
    const after = this.machine.transition(before, event, this.#scope);
    if (after.status === "error") throw after.error;
    return this.#result(after, after !== before || this.#recorded.length > 0);
  }

  /**
   * Event types that the chart would accept now, without XState's own. It tries a step with each and discards the
   * result. An event on which the chart throws is not accepted.
   */
  nextEvents(state: string, context: C, at: number): string[] {
    const types = new Set(this.#restore(state, context)._nodes.flatMap((node) => [...node.transitions.keys()]));
    const takes = (type: string) => {
      try {
        return this.step({ state, context }, { type, at }).handled;
      } catch {
        // The sender of the event gets the error.
        return false;
      }
    };
    return [...types].filter((type) => type !== "" && !type.startsWith("xstate.") && takes(type)).toSorted();
  }

  /** Every event type that some state of the chart takes, XState's own (deadlines, results) among them. */
  eventTypes(): Set<string> {
    const types = new Set(nodesOf(this.machine.root).flatMap((node) => [...node.transitions.keys()]));
    types.delete("");
    return types;
  }

  /**
   * Names of the guards that decide whether an event is taken in a state; undefined: the state does not take it
   * whatever they say.
   */
  guardsOf(state: string, type: string): string[] | undefined {
    const branches = this.#restore(state, {} as C)._nodes.flatMap((node) => node.transitions.get(type) ?? []);
    if (branches.length === 0) return undefined;
    return [...new Set(branches.flatMap(({ guard }) => (guard === undefined ? [] : [guardName(guard)])))];
  }

  /** Ids of the invokes that are active in a state. */
  invokesIn(state: string): readonly string[] {
    let ids = this.#invokesIn.get(state);
    if (!ids) {
      ids = this.#restore(state, {} as C)._nodes.flatMap((node) => node.invoke.map((invoke) => invoke.id));
      this.#invokesIn.set(state, ids);
    }
    return ids;
  }

  /** The sentence that says what a state means, from the chart itself (the innermost state that has one). */
  meaningOf(state: string): string {
    const described = this.#restore(state, {} as C)._nodes.filter((node) => node.description);
    return described.at(-1)?.description ?? "";
  }

  /** All states that the chart can rest in. */
  states(): string[] {
    return nodesOf(this.machine.root)
      .filter((node) => node.type === "atomic" || node.type === "final")
      .map((node) => node.path.join("."));
  }

  /** A snapshot differs from any other of its state by its context alone, so XState resolves each state once. */
  #restore(state: string, context: C): AnyMachineSnapshot {
    let resolved = this.#resolved.get(state);
    if (!resolved) this.#resolved.set(state, (resolved = this.#resolve(state)));
    return { ...resolved, context };
  }

  #resolve(state: string): AnyMachineSnapshot {
    try {
      return this.machine.resolveState({ value: parseState(state), context: {} });
    } catch (cause) {
      throw new ChartFault(`the chart ${this.machine.id} has no state ${state}`, { cause });
    }
  }

  #result(snapshot: AnyMachineSnapshot, handled: boolean): ChartStep<C> {
    const ended = snapshot.status !== "active";
    const state = formatState(snapshot.value);
    return {
      handled,
      state,
      context: snapshot.context as C,
      done: ended,
      actions: this.#recorded.flatMap((action) => actionOf(action)),
      invokes: ended ? [] : this.invokesIn(state),
    };
  }
}

type ChartNode = AnyStateMachine["root"];

/** A state node and all within it. */
export function nodesOf(node: ChartNode): ChartNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => nodesOf(child))];
}

function guardName(guard: unknown): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "object" && guard !== null && "type" in guard) return String(guard.type);
  return typeof guard === "function" ? guard.name : "a guard";
}

function actionOf({ type, params }: RecordedAction): ChartAction[] {
  const given = (params ?? {}) as Record<string, unknown>;
  switch (type) {
    case "xstate.raise": {
      // Without a delay XState has taken the event already, within the same step.
      if (typeof given["delay"] !== "number") return [];
      const event = given["event"] as AnyEventObject;
      return [
        {
          type: "arm",
          name: typeof given["id"] === "string" ? given["id"] : event.type,
          event: event.type,
          delay: given["delay"],
        },
      ];
    }
    case "xstate.cancel":
      return [{ type: "cancel", name: String(given["sendId"]) }];
    case "xstate.spawnChild":
      return [{ type: "start", invokeId: String(given["id"]), src: String(given["src"]), input: given["input"] }];
    case "xstate.stopChild":
      // What is not active after the step is ended from the list of active invokes.
      return [];
    case "xstate.emit":
      return [{ type: "emit", event: given["event"] as AnyEventObject }];
    case "xstate.assign":
      return [];
    default:
      throw new ChartFault(`the runtime does not carry out actions of type ${type}`);
  }
}

/** `{linked: {connecting: "dialing"}}` as `linked.connecting.dialing`. Parallel states are not used. */
export function formatState(value: StateValue): string {
  if (typeof value === "string") return value;
  const [entry, ...more] = Object.entries(value);
  if (!entry || more.length > 0 || entry[1] === undefined)
    throw new ChartFault("charts with parallel states are not carried out");
  return `${entry[0]}.${formatState(entry[1])}`;
}

export function parseState(state: string): StateValue {
  const dot = state.indexOf(".");
  return dot < 0 ? state : { [state.slice(0, dot)]: parseState(state.slice(dot + 1)) };
}
