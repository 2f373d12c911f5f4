// A user's status: one pure function and its SQL twin, which are tested against each other (rule users.status.1).
import type { DisabledReason } from "../../../machines/user-context.ts";
import { isExpired, isLimited } from "../../../machines/user-limits.ts";
import { sql, type Dialect, type Query } from "../../db/index.ts";
import { FAULT_LIMIT } from "../../runtime/index.ts";
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

/** The states of the chart in which an account has this reason to be off (twin of `disabledReasonOf`). */
const OFF: Readonly<Record<DisabledReason, string>> = {
  manual: "disabled.manual",
  volume: "disabled.volume",
  expiry: "disabled.expiry",
  "resale-volume": "disabled.resaleVolume",
  "resale-expiry": "disabled.resaleExpiry",
};
const WAITING = "enabled.waiting";
const STARTED = "enabled.started";

/** The states of accounts that are off for one of the reasons. */
export function offStates(reasons: readonly DisabledReason[]): string[] {
  return reasons.map((reason) => OFF[reason]);
}

/** States in which an account of one of the statuses may be; few are past a limit and still on. */
export function statesOf(statuses: readonly UserStatus[]): string[] {
  return statuses.flatMap((status) => {
    if (status === "disabled") return Object.values(OFF);
    if (status === "pending") return [WAITING];
    return status === "active" ? [STARTED] : [];
  });
}

/**
 * Being in one of the states. `few`: there are few such accounts; else SQLite, which does not know that, would look
 * them up one by one through the index over states, and the plus keeps it from that.
 */
export function inStates(states: readonly string[], dialect: Dialect, few: boolean): Query<boolean> {
  const column = sql.raw(dialect === "sqlite" && !few ? "+u.mstate" : "u.mstate");
  return sql<boolean>`${column} in (${sql.join([...states])})`;
}

/**
 * Ids of accounts that may be past a limit and still on: whose actors are about to look, and those in quarantine, which
 * do not look. An id may be there twice: to leave that out, SQLite would walk through all accounts in order.
 */
export function dueIds(now: number): Query {
  return sql`select actor_id as id from timers where due_at <= ${now * 1000 + 999} and kind = 'user'
    union all select id from users where fault_count >= ${sql.lit(FAULT_LIMIT)}`;
}

/** Ids of accounts that are past a limit and still on; `which`: only those of this status. */
function pastLimits(now: number, dialect: Dialect, which?: "expired" | "limited"): Query {
  const state = sql.raw(dialect === "sqlite" ? "+x.mstate" : "x.mstate");
  const expired = sql`(x.expiry > 0 and x.expiry <= ${now})`;
  const limited = sql`(not ${expired} and x.volume > 0 and y.up + y.down >= x.volume)`;
  const past = which === "expired" ? expired : which === "limited" ? limited : sql`(${expired} or ${limited})`;
  const join = sql.raw(dialect === "sqlite" ? "cross join" : "join");
  return sql`select x.id from (${dueIds(now)}) d ${join} users x on x.id = d.id ${join} user_usage y on y.id = x.id
    where ${state} = ${STARTED} and ${past}`;
}

/** The ids of few accounts, each part by the index that finds it. */
function fewIds(statuses: readonly UserStatus[], now: number, dialect: Dialect): Query {
  const states = statesOf(statuses);
  const [expired, limited] = [statuses.includes("expired"), statuses.includes("limited")];
  const which = expired && limited ? undefined : expired ? "expired" : "limited";
  const parts = [
    ...(states.length > 0 ? [sql`select s.id from users s where s.mstate in (${sql.join(states)})`] : []),
    ...(expired || limited ? [pastLimits(now, dialect, which)] : []),
  ];
  return sql.join(parts, sql` union all `);
}

/**
 * `statusOf` being one of `statuses`, as the charts of the accounts know it: what is past a limit and still on is
 * looked for among those that are due, so that nobody has to walk through a million accounts. `few`: see `inStates`.
 */
export function statusCondition(
  statuses: readonly UserStatus[],
  now: number,
  dialect: Dialect,
  few: boolean,
): Query<boolean> {
  if (few && !statuses.includes("active")) return sql<boolean>`u.id in (${fewIds(statuses, now, dialect)})`;
  const among = (which: "expired" | "limited") => sql<boolean>`u.id in (${pastLimits(now, dialect, which)})`;
  const spelled: Readonly<Record<UserStatus, () => Query<boolean>>> = {
    disabled: () => inStates(statesOf(["disabled"]), dialect, few),
    pending: () => inStates([WAITING], dialect, few),
    expired: () => among("expired"),
    limited: () => among("limited"),
    active: () => sql<boolean>`(${inStates([STARTED], dialect, few)} and u.id not in (${pastLimits(now, dialect)}))`,
  };
  return sql<boolean>`(${sql.join(
    statuses.map((status) => spelled[status]()),
    sql` or `,
  )})`;
}
