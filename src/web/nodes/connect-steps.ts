// The way of a node from its record to serving, as steps that a person can follow. Pure.
import type { Standing } from "./node-standing.ts";

export type StepId = "dial" | "sync" | "serve";
export type StepState = "done" | "current" | "failed" | "ahead";

export interface ConnectStep {
  readonly id: StepId;
  readonly state: StepState;
}

const STEPS: readonly StepId[] = ["dial", "sync", "serve"];

/**
 * How far a node has come. `met`: its agent has answered before. Until then nothing is wrong: its agent has not been
 * started yet.
 */
export function connectSteps(
  { case: seen, message }: Pick<Standing, "case" | "message">,
  met: boolean,
): readonly ConnectStep[] {
  const reached = reachedStep(seen, message);
  const failed = (seen === "backoff" && met) || seen === "refused" || seen === "duplicate" || seen === "mismatched";
  return STEPS.map((id, index) => {
    if (index < reached) return { id, state: "done" };
    if (index > reached) return { id, state: "ahead" };
    return { id, state: failed ? "failed" : "current" };
  });
}

function reachedStep(seen: Standing["case"], message: string): number {
  if (seen === "connected" || seen === "warned") return STEPS.length;
  if (seen === "syncing" || seen === "refused") return 1;
  // The chart's own sentence for a sync that took too long (`noteSyncDeadline`).
  return seen === "backoff" && message.includes("take the configuration") ? 1 : 0;
}
