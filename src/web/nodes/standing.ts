// How a node stands: one of nine cases, with since when, why, and what comes next. Pure; the words are in the dictionary.
import type { z } from "zod";
import type { Actor as ActorView } from "../../system/actors/actor.schema.ts";
import { nodeStatusOf, type Node, type NodeStatus } from "./node.ts";

export type Actor = z.output<typeof ActorView>;

export type StandingCase = "connected" | "warned" | "dialing" | "syncing" | "backoff" | "mismatched" | "off" | "limit" | "licence";

export interface Standing {
  readonly case: StandingCase;
  readonly status: NodeStatus;
  /** The chart's state; empty while only the record is known. */
  readonly state: string;
  /** Unix seconds. */
  readonly since: number;
  /** When it moves on by itself, Unix seconds: a deadline, the next attempt, a new period. */
  readonly wakeAt: number | null;
  /** Failed attempts in a row, where they are known. */
  readonly attempts: number;
  /** What went wrong, in the panel's words. */
  readonly message: string;
  /** The two keys of a node that presents another one than was pinned. */
  readonly prints: Prints | undefined;
  /** Its chart failed and it is left alone until it is resumed. */
  readonly quarantined: boolean;
}

export interface Prints {
  readonly presented: string;
  readonly pinned: string;
}

type Seen = Pick<Actor, "state" | "since" | "wakeAt" | "attempts" | "fault">;

/** A node's standing. The actor may be a moment newer than the record, and is believed. */
export function standingOf(
  node: Pick<Node, "status" | "message" | "warnings" | "licensed" | "limitDisabled" | "lastStatusChange">,
  actor?: Seen,
): Standing {
  const prints = printsIn(node.message);
  const status = actor ? nodeStatusOf(actor.state) : node.status;
  const seen = caseOf(actor?.state ?? "", status, { ...node, prints });
  return {
    case: seen,
    status,
    state: actor?.state ?? "",
    since: actor?.since ?? node.lastStatusChange,
    wakeAt: seen === "connected" || seen === "warned" ? null : (actor?.wakeAt ?? null),
    attempts: actor?.attempts ?? 0,
    message: node.message,
    prints: seen === "mismatched" ? prints : undefined,
    quarantined: actor?.fault ?? false,
  };
}

function caseOf(
  state: string,
  status: NodeStatus,
  node: Pick<Node, "warnings" | "licensed" | "limitDisabled"> & { readonly prints: Prints | undefined },
): StandingCase {
  switch (status) {
    case "connected":
      return node.warnings.length > 0 ? "warned" : "connected";
    case "connecting":
      return state.endsWith(".syncing") ? "syncing" : "dialing";
    case "error":
      return state === "error.mismatched" || (state === "" && node.prints) ? "mismatched" : "backoff";
    case "disabled":
      if (state === "disabled.licence" || (state === "" && !node.licensed)) return "licence";
      return state === "disabled.limit" || (state === "" && node.limitDisabled) ? "limit" : "off";
  }
}

/** The keys that a message about another certificate names (`PinMismatch` of the dial). */
export function printsIn(message: string): Prints | undefined {
  const [, presented, pinned] = /presents the key (\S+), pinned is (\S+?)(?::|$)/.exec(message) ?? [];
  return presented !== undefined && pinned !== undefined ? { presented, pinned } : undefined;
}

interface Entry {
  readonly at: number;
  readonly from: string | null;
  readonly to: string;
}

/**
 * Since when a node has been out of reach: the retries between do not count. `journal`: newest first, and perhaps only its end; `whole`: it reaches the
 * beginning. Undefined where it does not say.
 */
export function unreachedSince(journal: readonly Entry[], whole: boolean): number | undefined {
  let since: number | undefined;
  for (const entry of journal) {
    const to = nodeStatusOf(entry.to);
    if (to === "connected") return since;
    if (to === "disabled") return since;
    since = entry.at;
  }
  return whole ? since : undefined;
}

/** Failed attempts in a row as the journal counted them last; 0 where it does not say. */
export function attemptsIn(journal: readonly { readonly changed: Readonly<Record<string, readonly [unknown, unknown]>> }[]): number {
  for (const { changed } of journal) {
    const after = changed["attempt"]?.[1];
    if (typeof after === "number") return after;
  }
  return 0;
}
