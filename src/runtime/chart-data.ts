// A chart as plain data, as the wire, the drawings and their test know it: what XState tells of itself, and what it
// leaves out (transitions that need no event, how long its deadlines last), with a digest over all of it.
import { createHash } from "node:crypto";
import type { AnyStateMachine } from "xstate";
import { nodesOf } from "./chart.ts";

export interface ChartData {
  /** XState's definition of the chart, as JSON; each state also has its `always`. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Milliseconds by the name of a deadline; null where the actor's context says. */
  readonly delays: Readonly<Record<string, number | null>>;
  /** 32 hex digits; other ones exactly when something in the rest is another. */
  readonly digest: string;
}

type ChartNode = AnyStateMachine["root"];

export function chartDataOf(machine: AnyStateMachine): ChartData {
  const definition = JSON.parse(JSON.stringify(withAlways(machine.root))) as Record<string, unknown>;
  const delays = delaysOf(machine);
  const digest = createHash("sha256").update(JSON.stringify({ definition, delays })).digest("hex").slice(0, 32);
  return { definition, delays, digest };
}

/** XState's own definition has everything of a state but `always`. */
function withAlways(node: ChartNode): Record<string, unknown> {
  const { definition } = node;
  const always = node.always?.map((transition) => ({
    ...transition.toJSON(),
    actions: transition.actions.map(nameOnly),
  }));
  const states = Object.fromEntries(Object.entries(node.states).map(([key, child]) => [key, withAlways(child)]));
  return { ...definition, states, ...(always ? { always } : {}) };
}

/** An action without what carries it out. */
function nameOnly(action: unknown): unknown {
  if (typeof action !== "function") return action;
  return "type" in action ? { type: action.type } : { type: action.name };
}

function delaysOf(machine: AnyStateMachine): Record<string, number | null> {
  const names = nodesOf(machine.root).flatMap((node) => node.after.map(({ delay }) => delay));
  const implemented = machine.implementations.delays as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.map((name) => {
      const delay = typeof name === "number" ? name : implemented[String(name)];
      return [String(name), typeof delay === "number" ? delay : null];
    }),
  );
}
