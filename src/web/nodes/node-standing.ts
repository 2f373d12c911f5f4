// How a node stands: one of eleven cases, with since when, why, and what comes next. Pure; the words are in the
// dictionary.
import type { z } from "zod";
import type { Actor as ActorView } from "../../system/actors/actor.schema.ts";
import type { PanelCause } from "../words/translate.ts";
import { nodeStatusOf, type Node, type NodeStatus } from "./node.ts";

export type Actor = z.output<typeof ActorView>;

export type StandingCase =
  | "connected"
  | "warned"
  | "dialing"
  | "syncing"
  | "backoff"
  | "refused"
  | "duplicate"
  | "mismatched"
  | "off"
  | "limit"
  | "licence";

export interface Standing {
  readonly case: StandingCase;
  readonly status: NodeStatus;
  /** The chart's state; empty while only the record is known. */
  readonly state: string;
  /** Unix seconds; of a node that does not serve although it should: since when, whatever was tried meanwhile. */
  readonly since: number;
  /** When it moves on by itself, Unix seconds: a deadline, the next attempt, a new period. */
  readonly wakeAt: number | null;
  /** Failed attempts since then. */
  readonly attempts: number;
  /** What went wrong, in the panel's words. */
  readonly message: string;
  /** The same as a code with its values. */
  readonly cause: PanelCause | null;
  /** The two keys of a node that presents another one than was saved. */
  readonly prints: Prints | undefined;
  /** Its chart failed and it is left alone until it is resumed. */
  readonly quarantined: boolean;
}

export interface Prints {
  readonly presented: string;
  readonly saved: string;
}

type Seen = Pick<Actor, "state" | "since" | "wakeAt" | "trouble" | "fault">;

/** A node's standing. The actor may be a moment newer than the record, and is believed. */
export function standingOf(
  node: Pick<Node, "status" | "message" | "warnings" | "licensed" | "limitDisabled" | "since" | "attempts" | "cause">,
  actor?: Seen,
): Standing {
  const prints = printsIn(node.cause);
  const status = actor ? nodeStatusOf(actor.state) : node.status;
  const seen = caseOf(actor?.state ?? "", status, { ...node, prints });
  return {
    case: seen,
    status,
    state: actor?.state ?? "",
    since: actor ? (actor.trouble?.since ?? actor.since) : node.since,
    wakeAt: seen === "connected" || seen === "warned" ? null : (actor?.wakeAt ?? null),
    attempts: actor ? (actor.trouble?.failures ?? 0) : node.attempts,
    message: node.message,
    cause: node.cause ?? (seen === "off" ? { code: "off", values: [] } : null),
    prints: seen === "mismatched" ? prints : undefined,
    quarantined: actor?.fault ?? false,
  };
}

function caseOf(
  state: string,
  status: NodeStatus,
  node: Pick<Node, "warnings" | "licensed" | "limitDisabled" | "cause"> & { readonly prints: Prints | undefined },
): StandingCase {
  switch (status) {
    case "connected":
      return node.warnings.length > 0 ? "warned" : "connected";
    case "connecting":
      return state.endsWith(".syncing") ? "syncing" : "dialing";
    case "error":
      return failureOf(state, node.cause?.code);
    case "disabled":
      if (state === "disabled.licence" || (state === "" && !node.licensed)) return "licence";
      return state === "disabled.limit" || (state === "" && node.limitDisabled) ? "limit" : "off";
  }
}

/** By the state where it is known: the record may be a moment older. */
function failureOf(state: string, cause: NonNullable<Node["cause"]>["code"] | undefined): StandingCase {
  const code = state === "" ? cause : state.startsWith("linked.refused.") ? "refused" : state.slice("error.".length);
  return code === "refused" || code === "duplicate" || code === "mismatched" ? code : "backoff";
}

/** The keys that a cause names which is another certificate. */
export function printsIn(cause: PanelCause | null): Prints | undefined {
  if (cause?.code !== "mismatched") return undefined;
  const [presented, saved] = cause.values;
  return typeof presented === "string" && typeof saved === "string" ? { presented, saved } : undefined;
}
