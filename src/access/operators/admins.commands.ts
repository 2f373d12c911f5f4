// What changes operators: pure parts of a change, used by the routes, the setup and the command line.
import { sql, type Draft, type Reader } from "../../db/index.ts";
import { invalid, Refusal, ruleSaying } from "../../http/index.ts";
import { cycleOfAllowance, nextBoundary, periodStart } from "../../lib/calendar.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import type { AllowanceFields } from "./admins.schema.ts";
import { usernameKey } from "../login/passwords.ts";
import { NO_SECOND_FACTOR } from "../two-factor/two-factor.commands.ts";

const DAYS: Readonly<Record<string, readonly [number, number]>> = {
  weekly: [0, 6],
  monthly: [1, 31],
  yearly: [1, 366],
};

type Allowance = Pick<
  AdminRow,
  | "volume"
  | "period"
  | "periodDay"
  | "periodStart"
  | "nextReset"
  | "expiry"
  | "userLimit"
  | "plansOnly"
  | "planIds"
  | "usersReadOnly"
>;

const NO_ALLOWANCE: Allowance = {
  volume: 0,
  period: "",
  periodDay: 0,
  periodStart: 0,
  nextReset: 0,
  expiry: 0,
  userLimit: 0,
  plansOnly: false,
  planIds: [],
  usersReadOnly: false,
};

/**
 * The allowance after an edit: absent fields keep their value; a changed period begins where its calendar says (`zone`:
 * IANA, empty = the host's).
 */
export function editedAllowance(old: Allowance, fields: AllowanceFields, time: number, zone: string): Allowance {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const next: Allowance = { ...old, ...given };
  const [first = 0, last = 0] = DAYS[next.period] ?? [];
  // A day that was never chosen is the first: Sunday of a week, the first of a month or year.
  if (next.period !== "" && fields.periodDay === undefined && old.period === "" && old.periodDay === 0)
    next.periodDay = first;
  if (next.period !== "" && (next.periodDay < first || next.periodDay > last)) {
    invalid(
      "periodDay",
      ruleSaying(
        `day ${next.periodDay} does not fit a ${next.period} period (${first} to ${last})`,
        "between",
        first,
        last,
      ),
    );
  }
  if (next.period === old.period && next.periodDay === old.periodDay) return next;
  const cycle = cycleOfAllowance(next.period, next.periodDay);
  if (!cycle) return { ...next, periodStart: 0, nextReset: 0 };
  return { ...next, periodStart: periodStart(cycle, time, zone), nextReset: nextBoundary(cycle, time, zone) };
}

export interface NewAdmin {
  readonly username: string;
  readonly passwordHash: string;
  readonly roleId: number;
  readonly owner?: boolean;
  readonly fields?: AllowanceFields;
}

/** The row of a new account; the caller inserts it. */
export function newAdmin(
  draft: Draft,
  { username, passwordHash, roleId, owner = false, fields = {} }: NewAdmin,
  zone: string,
): AdminRow {
  const time = draft.time;
  return {
    ...editedAllowance(NO_ALLOWANCE, fields, time, zone),
    id: draft.nextId("admins"),
    username,
    usernameKey: usernameKey(username),
    passwordHash,
    roleId,
    owner,
    ...NO_SECOND_FACTOR,
    dashboardTiles: null,
    lastLoginAt: 0,
    lastLoginIp: "",
    createdAt: time,
    updatedAt: time,
  };
}

/** Notes on a role that an account or token takes it, so that its deletion is decided on current holders. */
export function takeRole(draft: Draft, id: number): RoleRow {
  const role = draft.find(RoleRows, id) ?? invalid("role", ruleSaying("the role was deleted", "gone"));
  draft.update(RoleRows, id, { assignments: role.assignments + 1 });
  return { ...role };
}

/** Ids of the accounts on main-admin roles: the rows that "last main admin" is decided on. */
export async function sudoIds(reads: Reader): Promise<number[]> {
  const rows = await reads.rows(
    AdminRows,
    sql`select a.* from admins a join roles r on r.id = a.role_id where r.base = 'sudo' order by a.id`,
  );
  return rows.map((row) => row.id);
}

/** Throws 400 where `id` is the last main admin. `candidates` comes from `sudoIds`; all are locked. */
export function refuseLastSudo(draft: Draft, id: number, candidates: readonly number[], what: string): void {
  const others = draft.findAll(
    AdminRows,
    candidates.filter((each) => each !== id),
  );
  const roles = draft.findAll(RoleRows, [...new Set(others.map((row) => row.roleId))], "read");
  if (!roles.some((role) => role.base === "sudo"))
    throw new Refusal("bad_request", { message: `the last main admin cannot be ${what}` });
}
