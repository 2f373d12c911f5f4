// The quota lifecycle of a user account: who may use the service, and who or what switched it off (rules users.move).
//
// The state follows from what commands write (`enable`, `disabledReason`, `activatedAt`, `duration`). That an account
// is over its volume or past its date is a view on counters and clock; the panel's own event `due` says that it is time
// to look, in the same transaction in which the counters crossed the line or the deadline fell due.
import { assign, emit, setup } from "xstate";
import type { DisabledReason, UserContext, UserEmitted, UserEvent } from "./user-context.ts";
import { DAY, isExpired, isLimited, isQuotaNear, warningLevel, windowEntered } from "./user-limits.ts";

/** Version of this chart; see `upcasters` in the actor's definition. */
export const USER_CHART_VERSION = 1;

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
