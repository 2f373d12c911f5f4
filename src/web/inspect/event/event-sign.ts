// What an event type of the journal or of a timer says: XState's own names taken apart.
import type { ChartGraph } from "../../chart/graph.ts";

/**
 * `due`: a deadline that follows from the record's columns. `created`, `deleted`, `restored`: the record's own
 * beginning, end, and beginning again.
 */
export type SignKind = "event" | "done" | "failed" | "timer" | "due" | "created" | "deleted" | "restored";

export interface EventSign {
  readonly kind: SignKind;
  /** The event, the name of the delay, or the effect that settled. */
  readonly name: string;
  /** What happened, in the words of the language in use. */
  readonly said?: string;
}

const OWN: Readonly<Record<string, SignKind>> = {
  due: "due",
  created: "created",
  deleted: "deleted",
  restored: "restored",
};

/** `machine`: the chart's id, which ends the name of a deadline. */
export function readEvent(event: string, machine: string, effects: ReadonlyMap<string, string> = new Map()): EventSign {
  const own = OWN[event];
  if (own) return { kind: own, name: event };
  if (event.startsWith("xstate.after."))
    return { kind: "timer", name: delayIn(event.slice("xstate.after.".length), machine) };
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event);
  if (settled) {
    const id = settled[2] ?? "";
    return { kind: settled[1] === "done" ? "done" : "failed", name: effects.get(id) ?? id.replace(/^\d+\./, "") };
  }
  return { kind: "event", name: event };
}

/** `backoff.node.error.waiting` as `backoff`. The id of the state begins with the chart's. */
function delayIn(rest: string, machine: string): string {
  const at = `${rest}.`.indexOf(`.${machine}.`);
  return at < 0 ? rest : rest.slice(0, at);
}

/** Effects of a chart, by the name under which their events come. */
export function effectsOf(graph: ChartGraph): Map<string, string> {
  const effects = new Map<string, string>();
  for (const { rows } of graph.boxes.values()) {
    for (const { id, kind, label } of rows)
      if (kind === "effect") effects.set(id.slice(id.indexOf("/effect/") + "/effect/".length), label);
  }
  return effects;
}

/** What a tick of the track stands for. A failure is an effect that failed or a step into a state of failure. */
export type TickTone = "failed" | "timer" | "plain";

export function tickTone(sign: EventSign, intoFailure: boolean): TickTone {
  if (sign.kind === "failed" || intoFailure) return "failed";
  return sign.kind === "timer" || sign.kind === "due" ? "timer" : "plain";
}
