// What other features may ask of the traffic's history. Windows are Unix seconds, from `start` up to and without `end`.
// Bytes are raw, without multipliers. What a question may see is the caller's to say (`owners`).
//
// Traffic belongs to the reseller who had the account when it was counted; 0 is the panel itself. What is asked of an
// account (`userId`) is all of its traffic, whoever had it.
import type { Traffic, TrafficBy, TrafficPoint, TrafficStep } from "./traffic.schema.ts";

export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface TrafficQuestion extends Window {
  readonly by: TrafficBy;
  readonly step: TrafficStep;
  /** How many series of their own. */
  readonly top: number;
  readonly nodeId?: number;
  readonly userId?: number;
  /** Traffic of these owners' accounts alone: what a reseller may see, or who was asked for. */
  readonly owners?: readonly number[];
}

/** Bytes of a record in a window. `name`: empty where it is deleted. */
export interface TrafficSum {
  readonly id: number;
  readonly name: string;
  readonly up: number;
  readonly down: number;
}

export interface SumsQuestion extends Window {
  readonly by: "node" | "user" | "admin";
  readonly nodeId?: number;
  readonly userId?: number;
  readonly owners?: readonly number[];
}

export interface TrafficQuestions {
  /** The time zone in which hours and days begin. */
  readonly zone: () => string;
  /**
   * Series of a window in whole hours or days: `start` is the beginning of its first step, `end` the end of its last.
   * Hours are answered as long as they are kept. What is not kept is not asked for (`notKept`).
   */
  traffic(question: TrafficQuestion): Promise<Traffic>;
  /**
   * The heaviest records of a window, at most `limit`: the nodes of an account, the accounts of a node, the fleet's.
   * Whole days count where the window has them whole, hours at its ends; past the time that hours are kept, a day
   * counts to the window in which it begins.
   */
  heaviest(question: SumsQuestion, limit: number): Promise<TrafficSum[]>;
  /** Sums of every record that moved something in the window, in the order of ids, part by part: for reports. */
  sums(question: SumsQuestion): AsyncIterable<readonly Omit<TrafficSum, "name">[]>;
  /** The same steps of several records of a list, all in one question; who moved nothing is in it as well. */
  sparklines(
    kind: "node" | "user",
    ids: readonly number[],
    window: Window & { readonly step: TrafficStep },
  ): Promise<Sparklines>;
}

export interface Sparklines extends Window {
  /** Unix seconds at which the steps begin, in order. */
  readonly at: readonly number[];
  /**
   * The points of each id, in the order of the question: one for each step, undefined when nothing is known of the
   * step.
   */
  readonly points: ReadonlyMap<number, readonly (TrafficPoint | undefined)[]>;
}

/** The parameter with which a question asks for what is not kept; undefined: it can be answered. */
export function notKept({ by, nodeId, userId, owners }: Pick<TrafficQuestion, "by" | "nodeId" | "userId" | "owners">) {
  if (by === "admin" && userId !== undefined && nodeId !== undefined) return "nodeId" as const;
  if (by !== "inbound") return undefined;
  if (userId !== undefined) return "userId" as const;
  return owners === undefined ? undefined : ("adminId" as const);
}
