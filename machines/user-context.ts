// The vocabulary of the chart of accounts (`user.ts`): what it knows of an account, the events that it takes, and what
// it emits.

/** Why an account is off (`disabledReason`). */
export type DisabledReason = "manual" | "expiry" | "volume" | "resale-volume" | "resale-expiry";

/** The facts of an account that its chart decides by and writes. */
export interface UserContext {
  /** Unix seconds of this step. */
  readonly now: number;
  /** The account is being created switched off. */
  readonly startsOff: boolean;
  /** Bytes, 0 = unlimited. */
  readonly volume: number;
  /** Bytes used against the volume. */
  readonly used: number;
  /** Unix seconds, 0 = never. */
  readonly expiry: number;
  /** Seconds from the first connection, 0 = fixed expiry. */
  readonly duration: number;
  /** Unix seconds of the first traffic of the plan, 0 = not started. */
  readonly activatedAt: number;
  /** Unix seconds of traffic since the plan was armed, 0 = none yet. */
  readonly firstTraffic: number;
  /** What the owning reseller's limits say: empty while they allow the account. */
  readonly resale: "" | "resale-volume" | "resale-expiry";
  /** Unix seconds of the next counter reset, 0 = none; and the one after it. */
  readonly nextReset: number;
  readonly followingReset: number;
  /** The next reset where the plan begins with the first traffic: a rolling cycle counts from there. */
  readonly resetFromStart: number;
  /** From which share of the volume a warning is due, in percent; 0 = none. */
  readonly warnPercent: number;
  /** Days before the date at which warnings are due. */
  readonly warnDays: readonly number[];
  /** The last warnings, so that each is said once: which share of which volume; 0 = none. */
  readonly warnedVolume: number;
  readonly warnedPercent: number;
  /** How many days before which date; 0 = none. */
  readonly warnedExpiry: number;
  readonly warnedDays: number;
}

/** What happens to an account. */
export type UserEvent =
  /** A person or integration changed the account's limits. */
  | { type: "edited" }
  /** A deadline of the account's row was reached: date, volume, first traffic, counter reset. */
  | { type: "due" }
  /** A person switched the account on or off. */
  | { type: "switchOn" }
  | { type: "switchOff" }
  /** A new term: limits and counters were set again. */
  | { type: "renewed" }
  /** Volume or time was added to what there is. */
  | { type: "extended" }
  /** Counters were set to zero by hand. */
  | { type: "usageReset" };

/** What the chart says to others. */
export type UserEmitted =
  | { type: "disabled"; reason: Exclude<DisabledReason, "manual"> }
  | { type: "enabled" }
  | { type: "activated" }
  | { type: "renewed" }
  | { type: "extended" }
  /** A person switched the account. */
  | { type: "suspended" }
  | { type: "resumed" }
  /** The account came near its volume, or its date. */
  | { type: "quotaWarning"; usedPercent: number; threshold: number; used: number; volume: number }
  | { type: "expiring"; expiry: number; daysLeft: number; threshold: number }
  /** The periodic reset is due: counters go to zero, totals stay. */
  | { type: "resetCounters" };
