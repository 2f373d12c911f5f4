// A user's status: one pure function and its SQL twin, which are tested against each other (rule users.status.1).
import { isExpired, isLimited, type DisabledReason } from "../../machines/user.ts";
import { sql, type Dialect, type Query } from "../db/index.ts";
import type { UserRow, UserUsageRow } from "./user.entity.ts";

export const STATUSES = ["active", "disabled", "pending", "expired", "limited"] as const;
export type UserStatus = (typeof STATUSES)[number];

/** Why an account may be off (`disabledReason`). */
export const REASONS = [
  "manual",
  "volume",
  "expiry",
  "resale-volume",
  "resale-expiry",
] as const satisfies readonly DisabledReason[];

/** Seconds since the last traffic within which an account counts as online. */
export const ONLINE_SECONDS = 90;

export type StatusFields = Pick<UserRow, "enable" | "duration" | "activatedAt" | "expiry" | "volume">;

/** The one status of an account at `now` (Unix seconds), by precedence. */
export function statusOf(
  row: Readonly<StatusFields>,
  usage: Readonly<Pick<UserUsageRow, "up" | "down">>,
  now: number,
): UserStatus {
  if (!row.enable) return "disabled";
  if (hasNotStarted(row)) return "pending";
  if (isExpired({ ...row, now })) return "expired";
  if (isLimited({ volume: row.volume, used: usage.up + usage.down })) return "limited";
  return "active";
}

/** A plan measured from the first connection that has had none. */
export function hasNotStarted(row: Readonly<Pick<StatusFields, "duration" | "activatedAt">>): boolean {
  return row.duration > 0 && row.activatedAt === 0;
}

/** Twin of `hasNotStarted` over `users u`. */
export const notStartedSql: Query<boolean> = sql<boolean>`(u.duration > 0 and u.activated_at = 0)`;

/** Twin of `statusOf` over `users u join user_usage g`. */
export function statusSql(now: number): Query<string> {
  return sql<string>`case when not u.enable then 'disabled' when ${notStartedSql} then 'pending'
    when u.expiry > 0 and u.expiry <= ${now} then 'expired' when u.volume > 0 and g.up + g.down >= u.volume then 'limited' else 'active' end`;
}

/** Whether any of the statuses is told by the counters. */
export function statusReadsUsage(statuses: readonly UserStatus[]): boolean {
  return statuses.some((status) => status === "active" || status === "limited");
}

/**
 * `statusOf` being one of `statuses`: the counters are read only where they matter. SQLite, which does not know how
 * many have expired, would look up most of the table one by one through the index over `expiry`; the plus keeps it from
 * that.
 */
export function statusCondition(statuses: readonly UserStatus[], now: number, dialect: Dialect): Query<boolean> {
  const expiry = sql.raw(dialect === "sqlite" ? "+u.expiry" : "u.expiry");
  const started = sql<boolean>`u.enable and not ${notStartedSql}`;
  const expired = sql<boolean>`(${expiry} > 0 and ${expiry} <= ${now})`;
  const limited = sql<boolean>`(u.volume > 0 and g.up + g.down >= u.volume)`;
  const spelled: Readonly<Record<UserStatus, Query<boolean>>> = {
    disabled: sql<boolean>`(not u.enable)`,
    pending: sql<boolean>`(u.enable and ${notStartedSql})`,
    expired: sql<boolean>`(${started} and ${expired})`,
    limited: sql<boolean>`(${started} and not ${expired} and ${limited})`,
    active: sql<boolean>`(${started} and not ${expired} and not ${limited})`,
  };
  return sql<boolean>`(${sql.join(
    statuses.map((status) => spelled[status]),
    sql` or `,
  )})`;
}
