// The quota lifecycle of a user account: who may use the service, and who or what switched it off (rules users.move).
//
// The state follows from what commands write (`enable`, `disabledReason`, `activatedAt`, `duration`). That an account
// is over its volume or past its date is a view on counters and clock; the panel's own event `due` says that it is time
// to look, in the same transaction in which the counters crossed the line or the deadline fell due.
import { assign, emit, setup } from "xstate";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const USER_CHART_VERSION = 1;

const DAY = 86_400;

export type DisabledReason = "manual" | "expiry" | "volume" | "resale-volume" | "resale-expiry";

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

const chart = setup({
  types: { context: {} as UserContext, input: {} as UserContext, events: {} as UserEvent, emitted: {} as UserEmitted },
  guards: {
    startsOff: ({ context }) => context.startsOff,
    resetDue: ({ context }) => context.nextReset > 0 && context.nextReset <= context.now,
    hasTraffic: ({ context }) => context.firstTraffic > 0,
    notStarted: ({ context }) => context.duration > 0 && context.activatedAt === 0,
    expired: ({ context }) => isExpired(context),
    limited: ({ context }) => isLimited(context),
    // Traffic took the account over the warning's share and the volume at once.
    limitedUnwarned: ({ context, event }) => event.type === "due" && isLimited(context) && isQuotaNear(context),
    resaleVolume: ({ context }) => context.resale === "resale-volume",
    resaleExpiry: ({ context }) => context.resale === "resale-expiry",
    quotaNear: ({ context }) => isQuotaNear(context),
    quotaFar: ({ context }) =>
      context.warnedVolume > 0 && context.used < warningLevel(context.warnedVolume, context.warnedPercent),
    dateNear: ({ context }) => windowEntered(context) !== undefined,
    // Not past the date: it would come back for no moment, with the events of both.
    resetDueWhileOpen: ({ context }) =>
      context.nextReset > 0 && context.nextReset <= context.now && context.resale === "" && !isExpired(context),
    withinLimits: ({ context }) => !isExpired(context) && !isLimited(context) && context.resale === "",
  },
  actions: {
    activate: assign({
      activatedAt: ({ context }) => context.firstTraffic,
      expiry: ({ context }) => Math.min(context.firstTraffic + context.duration, Number.MAX_SAFE_INTEGER),
      nextReset: ({ context }) => context.resetFromStart,
      followingReset: ({ context }) => context.resetFromStart,
    }),
    reset: assign({ used: 0, nextReset: ({ context }) => context.followingReset }),
    rememberQuota: assign(({ context: { volume, warnPercent } }) => ({
      warnedVolume: volume,
      warnedPercent: warnPercent,
    })),
    forgetQuota: assign({ warnedVolume: 0, warnedPercent: 0 }),
    rememberDate: assign(({ context }) => ({
      warnedExpiry: context.expiry,
      warnedDays: windowEntered(context) ?? context.warnedDays,
    })),
    sayQuotaWarning: emit(({ context: { used, volume, warnPercent } }) => ({
      type: "quotaWarning" as const,
      usedPercent: Math.floor((used / volume) * 100),
      threshold: warnPercent,
      used,
      volume,
    })),
    sayExpiring: emit(({ context: { expiry, now, warnedDays } }) => ({
      type: "expiring" as const,
      expiry,
      daysLeft: Math.ceil((expiry - now) / DAY),
      threshold: warnedDays,
    })),
    sayReset: emit({ type: "resetCounters" }),
    sayActivated: emit({ type: "activated" }),
    sayEnabled: emit({ type: "enabled" }),
    sayRenewed: emit({ type: "renewed" }),
    sayExtended: emit({ type: "extended" }),
    saySuspended: emit({ type: "suspended" }),
    sayResumed: emit({ type: "resumed" }),
    sayDisabled: emit((_, { reason }: { reason: Exclude<DisabledReason, "manual"> }) => ({
      type: "disabled" as const,
      reason,
    })),
  },
});

/** The account is past its date. A plan that has not started has no date yet. */
export function isExpired({
  expiry,
  duration,
  activatedAt,
  now,
}: Pick<UserContext, "expiry" | "duration" | "activatedAt" | "now">): boolean {
  return expiry > 0 && expiry <= now && !(duration > 0 && activatedAt === 0);
}

/** Bytes from which the warning about a volume is due. `percent` is above 0. */
export function warningLevel(volume: number, percent: number): number {
  const exact = Number.isSafeInteger(volume * percent);
  return Math.min(volume, Math.ceil(exact ? (volume * percent) / 100 : (volume / 100) * percent));
}

type QuotaWarning = Pick<UserContext, "volume" | "used" | "warnPercent" | "warnedVolume" | "warnedPercent">;

/** A warning about this volume at this share was not said yet. */
export function isQuotaUnwarned({
  volume,
  warnPercent,
  warnedVolume,
  warnedPercent,
}: Omit<QuotaWarning, "used">): boolean {
  return volume > 0 && warnPercent > 0 && (warnedVolume !== volume || warnedPercent !== warnPercent);
}

function isQuotaNear(context: QuotaWarning): boolean {
  return isQuotaUnwarned(context) && context.used >= warningLevel(context.volume, context.warnPercent);
}

type DateWarning = Pick<UserContext, "expiry" | "now" | "warnDays" | "warnedExpiry" | "warnedDays">;

/**
 * The narrowest window before the date that the account is in, in days, if a warning of it is due. An account that
 * comes into several at once is warned of the narrowest alone.
 */
function windowEntered({ expiry, now, warnDays, warnedExpiry, warnedDays }: DateWarning): number | undefined {
  if (expiry === 0) return undefined;
  const window = Math.min(...warnDays.filter((days) => expiry - now <= days * DAY));
  const isSaid = warnedExpiry === expiry && warnedDays <= window;
  return Number.isFinite(window) && !isSaid ? window : undefined;
}

/** Unix seconds of the next warning about the date; in the past where it is due already. Undefined: none. */
export function nextDateWarning(account: DateWarning): number | undefined {
  const { expiry, now, warnDays } = account;
  if (expiry === 0) return undefined;
  if (windowEntered(account) !== undefined) return now;
  const ahead = warnDays.map((days) => expiry - days * DAY).filter((at) => at > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

/** The account has used up its volume. */
export function isLimited({ volume, used }: Pick<UserContext, "volume" | "used">): boolean {
  return volume > 0 && used >= volume;
}

/** What goes beyond what the account, or its seller, may use switches it off. */
const overAllowance = [
  {
    guard: "limited",
    target: "#user.disabled.volume",
    actions: { type: "sayDisabled", params: { reason: "volume" } },
  },
  {
    guard: "resaleVolume",
    target: "#user.disabled.resaleVolume",
    actions: { type: "sayDisabled", params: { reason: "resale-volume" } },
  },
  {
    guard: "resaleExpiry",
    target: "#user.disabled.resaleExpiry",
    actions: { type: "sayDisabled", params: { reason: "resale-expiry" } },
  },
] as const;

/** An account that is off comes back where its limits let it; else it is looked at again what keeps it off. */
const backRenewed = [
  { guard: "withinLimits", target: "#user.enabled", actions: ["sayEnabled", "sayRenewed"] },
  { target: "deciding", actions: "sayRenewed" },
] as const;
const backExtended = [
  { guard: "withinLimits", target: "#user.enabled", actions: ["sayEnabled", "sayExtended"] },
  { target: "deciding", actions: "sayExtended" },
] as const;

/** While its seller keeps it off, whatever is done to an account is written, and it is looked at again. */
const heldBySeller = {
  edited: "deciding",
  due: "deciding",
  renewed: { target: "deciding", actions: "sayRenewed" },
  extended: { target: "deciding", actions: "sayExtended" },
} as const;

export const userMachine = chart.createMachine({
  id: "user",
  context: ({ input }) => input,
  initial: "enabled",
  states: {
    enabled: {
      description: "The account may be used.",
      initial: "deciding",
      on: {
        switchOff: { target: "#user.disabled.manual", actions: "saySuspended" },
        renewed: { target: ".deciding", actions: "sayRenewed" },
        extended: { target: ".deciding", actions: "sayExtended" },
        edited: ".deciding",
        usageReset: ".deciding",
        due: [{ guard: "resetDue", target: ".deciding", actions: ["reset", "sayReset"] }, { target: ".deciding" }],
      },
      states: {
        deciding: {
          description: "The limits are being looked at; left in the same step.",
          always: [
            { guard: "startsOff", target: "#user.disabled.manual" },
            { guard: "notStarted", target: "waiting" },
            {
              guard: "expired",
              target: "#user.disabled.expiry",
              actions: { type: "sayDisabled", params: { reason: "expiry" } },
            },
            {
              guard: "limitedUnwarned",
              target: "#user.disabled.volume",
              actions: ["rememberQuota", "sayQuotaWarning", { type: "sayDisabled", params: { reason: "volume" } }],
            },
            ...overAllowance,
            { target: "started" },
          ],
        },
        waiting: {
          description: "The plan's clock has not begun: it begins with the first traffic.",
          meta: { rest: true },
          always: [
            { guard: "hasTraffic", target: "deciding", actions: ["activate", "sayActivated"] },
            ...overAllowance,
          ],
        },
        started: {
          description: "The account is in use within its limits.",
          meta: { rest: true },
          always: [
            { guard: "quotaFar", actions: "forgetQuota" },
            { guard: "quotaNear", actions: ["rememberQuota", "sayQuotaWarning"] },
            { guard: "dateNear", actions: ["rememberDate", "sayExpiring"] },
          ],
        },
      },
    },
    disabled: {
      description: "The account may not be used: a person, its own limits or its reseller's keep it off.",
      initial: "manual",
      on: {
        switchOn: { target: "#user.enabled", actions: "sayResumed" },
        switchOff: { target: ".manual", actions: "saySuspended" },
      },
      states: {
        manual: {
          description: "A person switched the account off; the panel never reverts that.",
          meta: { rest: true },
          on: { renewed: { actions: "sayRenewed" }, extended: { actions: "sayExtended" } },
        },
        deciding: {
          description: "What keeps the account off is being looked at; left in the same step.",
          // The account's own limits come before its reseller's (rule resellers.reason.1).
          always: [
            { guard: "resetDueWhileOpen", target: "#user.enabled", actions: ["reset", "sayReset", "sayEnabled"] },
            { guard: "withinLimits", target: "#user.enabled", actions: "sayEnabled" },
            { guard: "expired", target: "expiry" },
            { guard: "limited", target: "volume" },
            { guard: "resaleVolume", target: "resaleVolume" },
            { target: "resaleExpiry" },
          ],
        },
        volume: {
          description: "The account used up its volume; it comes back with a reset, a renewal or a larger volume.",
          meta: { rest: true },
          on: {
            edited: "deciding",
            due: [{ guard: "resetDue", target: "deciding", actions: ["reset", "sayReset"] }, { target: "deciding" }],
            extended: backExtended,
            usageReset: backRenewed,
            renewed: backRenewed,
          },
        },
        expiry: {
          description: "The account is past its date; it comes back with a renewal or a later date.",
          meta: { rest: true },
          on: {
            edited: "deciding",
            extended: backExtended,
            renewed: backRenewed,
          },
        },
        resaleVolume: {
          description: "The owning reseller spent its allowance.",
          meta: { rest: true },
          on: heldBySeller,
        },
        resaleExpiry: {
          description: "The owning reseller's account has ended.",
          meta: { rest: true },
          on: heldBySeller,
        },
      },
    },
  },
});

/** The `disabledReason` of a state; empty while the account is on (rule users.move.1). */
export function disabledReasonOf(state: string): DisabledReason | "" {
  switch (state) {
    case "disabled.manual":
      return "manual";
    case "disabled.volume":
      return "volume";
    case "disabled.expiry":
      return "expiry";
    case "disabled.resaleVolume":
      return "resale-volume";
    case "disabled.resaleExpiry":
      return "resale-expiry";
    default:
      return "";
  }
}
