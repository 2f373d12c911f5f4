// What sets a transition off, in the words that a drawing has room for.
import type { StateDefinition, TransitionDefinition } from "./definition.ts";

/** `always`: taken in the step that entered the state. */
export type TriggerKind = "event" | "done" | "failed" | "timer" | "always";

export interface Trigger {
  readonly kind: TriggerKind;
  /** Event type as the journal has it. */
  readonly event: string;
  /** The event, the effect that settled, or the deadline; empty for `always`. */
  readonly label: string;
  /** `else`: what is left after the guarded branches before it. */
  readonly guard: string | undefined;
  readonly actions: readonly string[];
}

/** `elder`: the transitions of the same state and event that are looked at first. */
export function triggerOf(
  transition: TransitionDefinition,
  state: StateDefinition,
  elder: readonly TransitionDefinition[],
  delays: Readonly<Record<string, number | null>>,
): Trigger {
  const { event, guard, actions } = transition;
  const shown = guard ?? (elder.length > 0 ? "else" : undefined);
  return { ...kindOf(transition, state, delays), event, guard: shown, actions };
}

function kindOf(
  { event, delay }: TransitionDefinition,
  { invokes }: StateDefinition,
  delays: Readonly<Record<string, number | null>>,
): Pick<Trigger, "kind" | "label"> {
  if (event === "") return { kind: "always", label: "" };
  if (delay !== undefined) return { kind: "timer", label: deadlineLabel(delay, delays[delay] ?? null) };
  const settled = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event);
  if (settled) {
    const src = invokes.find(({ id }) => id === settled[2])?.src ?? settled[2] ?? "";
    return { kind: settled[1] === "done" ? "done" : "failed", label: src };
  }
  if (event.startsWith("xstate.done.state.")) return { kind: "done", label: "all within" };
  return { kind: "event", label: event };
}

function deadlineLabel(name: string, milliseconds: number | null): string {
  const duration = milliseconds === null ? "" : shortDuration(milliseconds);
  // A deadline written as a number has no other name.
  return /^\d+$/.test(name) ? duration || name : [name, duration].filter((part) => part !== "").join(" ");
}

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/** `20 s`, `90 s`, `15 min`: the largest unit that leaves no rest. */
export function shortDuration(milliseconds: number): string {
  const unit = UNITS.find(([size]) => milliseconds >= size && milliseconds % size === 0);
  return unit ? `${milliseconds / unit[0]} ${unit[1]}` : `${milliseconds} ms`;
}
