// The small signs before rows in boxes, as strokes in a square of ten pixels.
import type { BoxRow } from "./graph.ts";

export type Sign = "effect" | "failed" | "timer" | "self" | "done";

export const SIGN_PATHS: Readonly<Record<Sign, string>> = {
  effect: "M2.5 1.6L8.4 5L2.5 8.4Z",
  failed: "M2.2 2.2L7.8 7.8M7.8 2.2L2.2 7.8",
  timer: "M5 0.9A4.1 4.1 0 1 1 4.99 0.9ZM5 2.8V5.1L6.7 6.1",
  self: "M8.6 3.6A3.9 3.9 0 1 0 8.9 5.8M8.9 1.2V3.8H6.3",
  done: "M1.6 5.4L4 7.8L8.4 2.6",
};

export function signOf({ kind, trigger }: BoxRow): Sign {
  if (kind === "effect") return "effect";
  if (trigger?.kind === "timer" || trigger?.kind === "failed" || trigger?.kind === "done") return trigger.kind;
  return "self";
}

/** The head of a wire: its tip at the origin, pointing right. */
export const ARROW = "M0 0L-8 -3.6Q-6.8 0 -8 3.6Z";
