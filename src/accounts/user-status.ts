// A user's status: one pure function and its SQL twin, which are tested against each other (document 1, User status).
import { isExpired, isLimited } from "../../machines/user.ts";
import { sql, type Query } from "../db/index.ts";
import type { UserRow, UserUsageRow } from "./user.entity.ts";

export const STATUSES = ["active", "disabled", "pending", "expired", "limited"] as const;
export type UserStatus = (typeof STATUSES)[number];

/** Seconds since the last traffic within which an account counts as online. */
export const ONLINE_SECONDS = 90;

export type StatusFields = Pick<UserRow, "enable" | "duration" | "activatedAt" | "expiry" | "volume">;

/** The one status of an account at `now` (Unix seconds), by precedence. */
export function statusOf(row: Readonly<StatusFields>, usage: Readonly<Pick<UserUsageRow, "up" | "down">>, now: number): UserStatus {
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
