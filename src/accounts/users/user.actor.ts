// Binds the quota chart to its rows: context from account and counters, deadlines, derived wake level, events as
// subscribers hear them.
import type { AnyEventObject } from "xstate";
import { disabledReasonOf, USER_CHART_VERSION, userMachine } from "../../../machines/user.ts";
import type { UserContext, UserEmitted } from "../../../machines/user-context.ts";
import { isExpired, isLimited, isQuotaUnwarned, nextDateWarning, warningLevel } from "../../../machines/user-limits.ts";
import { lock, type Draft } from "../../db/index.ts";
import { cycleOfReset, nextBoundary } from "../../lib/calendar.ts";
import { defineActor, type RaisedEvent } from "../../runtime/index.ts";
import type { accountsEvents } from "../accounts.events.ts";
import { changedFields } from "./changed-fields.ts";
import { restarted } from "../plans/reset-cycle.ts";
import { countGrowth, type GrowthCount } from "../growth/growth.ts";
import { ResellerRows } from "../records/reseller.entity.ts";
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "../records/user.entity.ts";
import { hasNotStarted } from "../records/user-status.ts";
import { rememberedWarnings, warnedOf, type WarningThresholds } from "./warnings.ts";

const MS = 1000;

/** The rows that every step of an account's actor needs. */
export const userLocks = (id: number) => [lock(UserRows, id), lock(UserUsageRows, id)];

/**
 * `timeZone`: the panel's zone, in which calendar resets fall due (setting `timezone`; empty = the host's).
 * `thresholds`: when accounts are warned. An account takes another threshold over when it is looked at next.
 */
export function defineUserActor(timeZone: () => string, thresholds: () => WarningThresholds) {
  return defineActor<UserRow, UserActorContext>({
    kind: "user",
    description: "The quota lifecycle of a user account.",
    entity: UserRows,
    machine: userMachine,
    version: USER_CHART_VERSION,
    locks: (id) => [lock(UserUsageRows, id)],
    contextOf: (row, stored, draft) =>
      contextOf(row, usageOf(draft, row.id), {
        now: draft.time,
        timeZone: timeZone(),
        resale: resaleOf(draft, row.adminId),
        ...warningsOf(stored),
      }),
    columnsOf: (context, state) => columnsOf(context, state),
    rememberedOf: rememberedWarnings,
    nameOf: (row) => row.name,
    dueOf: (row, draft) => dueOf(row, usageOf(draft, row.id), draft.now, warningsOf(row.mctx)),
    derive(draft, row) {
      const usage = usageOf(draft, row.id);
      const wakeAt = wakeLevelOf(row, usage, warningsOf(row.mctx));
      const { adminId } = row;
      if (wakeAt !== usage.wakeAt || adminId !== usage.adminId)
        draft.update(UserUsageRows, row.id, { wakeAt, adminId });
    },
    follow(draft, emitted, row) {
      if (emitted.type === "resetCounters") resetCounters(draft, row.id);
      const counted = countedAs(emitted as UserEmitted);
      if (counted) countGrowth(draft, timeZone(), row.adminId, counted);
    },
    raisedBy: (emitted, row, before) => raisedBy(emitted, row, changedFields(before, row)),
    raisedElse: (row, before) => updatedEvent(row, changedFields(before, row)),
    shown: ({ enable, disabledReason, volume, expiry, duration, activatedAt, nextReset }) => ({
      enable,
      disabledReason,
      volume,
      expiry,
      duration,
      activatedAt,
      nextReset,
    }),
    measured: ({ used }) => ({ used }),
    effects: {},
    safe: ["due"],
  });

  function warningsOf(stored: unknown): WarningContext {
    const { percent, days } = thresholds();
    return { warnPercent: percent, warnDays: days, ...warnedOf(stored) };
  }
}
export type UserActor = ReturnType<typeof defineUserActor>;

/** What the days count of an event that the chart emits; undefined: nothing. */
function countedAs(said: UserEmitted): GrowthCount | undefined {
  switch (said.type) {
    case "activated":
      return "activated";
    case "renewed":
    case "extended":
      return "renewed";
    case "disabled":
      return said.reason === "expiry" || said.reason === "resale-expiry" ? "expired" : "limited";
    default:
      return undefined;
  }
}

/** What keeps an owner's accounts off; held as it is until the commit. */
function resaleOf(draft: Draft, adminId: number): UserContext["resale"] {
  const closedBy = adminId === 0 ? "" : (draft.find(ResellerRows, adminId, "read")?.closedBy ?? "");
  return closedBy === "" ? "" : `resale-${closedBy}`;
}

function usageOf(draft: Draft, id: number): Readonly<UserUsageRow> {
  const usage = draft.find(UserUsageRows, id);
  if (!usage) throw new Error(`user ${id} has no counters`);
  return usage;
}

/** The columns that the chart owns. */
type OwnedColumns = Pick<UserRow, "enable" | "disabledReason" | "activatedAt" | "expiry" | "nextReset">;

/**
 * The chart's context and the row's values before the step, so that a step that changes the row also changes its
 * version.
 */
interface UserActorContext extends UserContext {
  readonly stored: OwnedColumns & { readonly version: number };
}

function columnsOf(context: UserActorContext, state: string): Partial<UserRow> {
  const { now, stored } = context;
  const owned: OwnedColumns = {
    enable: state.startsWith("enabled."),
    disabledReason: disabledReasonOf(state),
    activatedAt: context.activatedAt,
    expiry: context.expiry,
    nextReset: context.nextReset,
  };
  const changed =
    owned.enable !== stored.enable ||
    owned.disabledReason !== stored.disabledReason ||
    owned.activatedAt !== stored.activatedAt ||
    owned.expiry !== stored.expiry ||
    owned.nextReset !== stored.nextReset;
  return changed ? { ...owned, updatedAt: Math.max(now, stored.version + 1) } : owned;
}

/** What the chart knows of warnings. */
type WarningContext = Pick<
  UserContext,
  "warnPercent" | "warnDays" | "warnedVolume" | "warnedPercent" | "warnedExpiry" | "warnedDays"
>;

function contextOf(
  row: Readonly<UserRow>,
  usage: Readonly<UserUsageRow>,
  {
    now,
    timeZone,
    resale,
    ...warnings
  }: WarningContext & Pick<UserContext, "resale"> & { readonly now: number; readonly timeZone: string },
): UserActorContext {
  const total = usage.totalUp + usage.totalDown;
  const cycle = row.autoReset ? cycleOfReset(row, row.nextReset) : undefined;
  const { enable, disabledReason, activatedAt, expiry, nextReset } = row;
  const firstTraffic = total > row.armedTotal ? Math.min(now, usage.onlineAt) : 0;
  return {
    ...warnings,
    now,
    // A row that is being created is at version 0 of its chart; the first step may still set its columns without
    // counting as a change.
    stored: {
      enable,
      disabledReason,
      activatedAt,
      expiry,
      nextReset,
      version: row.rev === 0 ? row.updatedAt - 1 : row.updatedAt,
    },
    startsOff: row.rev === 0 && !row.enable,
    volume: row.volume,
    used: usage.up + usage.down,
    expiry: row.expiry,
    duration: row.duration,
    activatedAt: row.activatedAt,
    firstTraffic,
    resale,
    nextReset: cycle ? row.nextReset : 0,
    followingReset:
      cycle && row.nextReset > 0 && row.nextReset <= now ? nextBoundary(cycle, now, timeZone) : row.nextReset,
    resetFromStart: cycle && firstTraffic > 0 ? restarted(row, firstTraffic, now) : row.nextReset,
  };
}

/** `movedAt` and `setAt` of counters that this change moves: Unix microseconds. */
export const movedAt = (draft: Draft): number => draft.now * 1000;

/** Counters to zero, totals kept; the account's own reset, the periodic one and a renewal share it. */
export function resetCounters(draft: Draft, id: number): void {
  const { up, down } = usageOf(draft, id);
  if (up + down > 0)
    draft.update(UserUsageRows, id, { up: 0, down: 0, movedAt: movedAt(draft), setAt: movedAt(draft) });
}

/**
 * Bytes (up + down) at which the account's actor must look: the warning's share of the volume and the volume reached,
 * or the first traffic of a plan that waits for it.
 */
function wakeLevelOf(row: Readonly<UserRow>, usage: Readonly<UserUsageRow>, warnings: WarningContext): number | null {
  if (row.mstate === "enabled.waiting") return usage.up + usage.down + 1;
  if (!row.enable || row.volume === 0) return null;
  return isQuotaUnwarned({ ...warnings, volume: row.volume })
    ? warningLevel(row.volume, warnings.warnPercent)
    : row.volume;
}

/**
 * Unix milliseconds of the earliest deadline. What counters have reached already is due now: found again by every
 * commit that touches the row.
 */
function dueOf(
  row: Readonly<UserRow>,
  usage: Readonly<UserUsageRow>,
  now: number,
  warnings: WarningContext,
): number | undefined {
  const deadlines: number[] = [];
  const limits = { ...row, used: usage.up + usage.down, now: Math.floor(now / MS) };
  if (row.mstate === "enabled.waiting" && usage.totalUp + usage.totalDown > row.armedTotal) deadlines.push(now);
  if (row.enable && isLimited(limits)) deadlines.push(now);
  if (row.enable && row.expiry > 0 && row.mstate !== "enabled.waiting")
    deadlines.push(isExpired(limits) ? now : row.expiry * MS);
  // Its own date comes before its reseller's limits (rule resellers.reason.1). A date that is past already was looked
  // at.
  if (row.disabledReason.startsWith("resale-") && row.expiry * MS > now && !hasNotStarted(row))
    deadlines.push(row.expiry * MS);
  if (row.autoReset && row.nextReset > 0 && (row.enable || row.mstate === "disabled.volume"))
    deadlines.push(row.nextReset * MS);
  if (row.mstate === "enabled.started") {
    const warning = nextDateWarning({ ...limits, ...warnings });
    if (warning !== undefined) deadlines.push(Math.max(now, warning * MS));
  }
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}

/** Each event names the account and its owner (rule events.catalogue.2). */
export function userEvent<E extends keyof typeof accountsEvents>(
  row: Pick<UserRow, "id" | "name" | "adminId">,
  event: E,
  more: Record<string, unknown> = {},
): RaisedEvent<E> {
  return { event, data: { userId: row.id, name: row.name, adminId: row.adminId, ...more }, subject: `user:${row.id}` };
}

/** `user.updated` of a change of which no other event tells; none for one that wrote no field. */
export function updatedEvent(
  row: Pick<UserRow, "id" | "name" | "adminId">,
  changed: readonly string[],
): RaisedEvent<"user.updated"> | undefined {
  return changed.length === 0 ? undefined : userEvent(row, "user.updated", { changed });
}

function raisedBy(
  emitted: AnyEventObject,
  row: Readonly<UserRow>,
  changed: readonly string[],
): RaisedEvent<keyof typeof accountsEvents>[] {
  const said = emitted as UserEmitted;
  const { expiry, volume } = row;
  switch (said.type) {
    case "enabled":
    case "suspended":
    case "resumed":
      return [userEvent(row, `user.${said.type}`, { changed })];
    case "activated":
      return [userEvent(row, "user.activated", { expiry, changed })];
    case "renewed":
    case "extended":
      return [userEvent(row, "user.renewed", { expiry, volume, extended: said.type === "extended", changed })];
    case "disabled": {
      const { reason } = said;
      const cause = reason === "expiry" || reason === "resale-expiry" ? "user.expired" : "user.quota_reached";
      return [userEvent(row, "user.disabled", { reason, changed }), userEvent(row, cause, { reason, changed })];
    }
    case "quotaWarning": {
      const { usedPercent, threshold, used } = said;
      return [userEvent(row, "user.quota_warning", { usedPercent, threshold, used, volume: said.volume, changed })];
    }
    case "expiring": {
      const { daysLeft, threshold } = said;
      return [userEvent(row, "user.expiring", { expiry: said.expiry, daysLeft, threshold, changed })];
    }
    case "resetCounters":
      return [];
  }
}
