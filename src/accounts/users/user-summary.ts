// Accounts by status and group (rules users.list.4). Who may see all of them gets the counters that every commit keeps
// (`state_counts`), so that a million rows never have to be counted; a reseller's own are counted as they are.
import { disabledReasonOf } from "../../../machines/user.ts";
import { sql, type Committed, type Committer, type Reader, type RowChange } from "../../db/index.ts";
import type { Condition } from "../../http/index.ts";
import { stateCounts } from "../../runtime/index.ts";
import { HeldWalk } from "./held-walk.ts";
import { UserRows } from "../records/user.entity.ts";
import { onlineCount } from "./online.queries.ts";
import { dueIds, ONLINE_SECONDS, STATUSES, statusSql, type UserStatus } from "../records/user-status.ts";

type Counts = Record<UserStatus, number>;

interface GroupCount {
  readonly group: string;
  readonly count: number;
}

interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

const NONE: Readonly<Counts> = { active: 0, disabled: 0, pending: 0, expired: 0, limited: 0 };

export class UserSummaries {
  readonly #reads: Reader;
  readonly #groups: HeldWalk<readonly GroupCount[]>;

  readonly stop: () => void;

  /** `now`: milliseconds. */
  constructor(reads: Reader, now: () => number, commits: Pick<Committer, "onCommit">) {
    this.#reads = reads;
    this.#groups = new HeldWalk(() => groupsOf(reads, sql`true`), now);
    // Callers must see what they wrote: a commit that changes groups drops the kept walk.
    this.stop = commits.onCommit((committed) => {
      if (movesGroups(committed)) this.#groups.forget();
    });
  }

  /** `now`: Unix seconds; `visible`: which users `u` are counted, undefined: all. */
  async of(now: number, visible: Condition | undefined, byReason: boolean) {
    const reads = this.#reads;
    const [{ counts, online, reasons }, groups] = await Promise.all(
      visible === undefined
        ? [countAll(reads, now), this.#groups.answer()]
        : [countOwn(reads, now, visible, byReason), groupsOf(reads, visible)],
    );
    return {
      total: Object.values(counts).reduce((sum, n) => sum + n, 0),
      ...counts,
      online,
      groups: [...groups],
      ...(byReason && { reasons: [...reasons] }),
    };
  }
}

/** Whether accounts came into a group or left one. Of another process's commit it is not known what was before. */
function movesGroups({ changes, statements = [], remote }: Committed): boolean {
  const group = (row: RowChange["after"]) => row?.["groupLabel"] ?? "";
  return (
    statements.some((text) => /\busers\b/.test(text)) ||
    changes.some(
      ({ table, before, after }) => table === UserRows.name && (remote === true || group(before) !== group(after)),
    )
  );
}

/** How many of all accounts have one of the statuses now (Unix seconds), without counting them. */
export async function statusTotal(reads: Reader, statuses: readonly UserStatus[], now: number): Promise<number> {
  const asked = new Set(statuses);
  if (asked.size === STATUSES.length)
    return (await stateCounts(reads, ["user"])).reduce((sum, { total }) => sum + total, 0);
  const { counts } = await countStatuses(reads, now);
  return STATUSES.reduce((sum, status) => sum + (asked.has(status) ? counts[status] : 0), 0);
}

interface Counted {
  readonly counts: Counts;
  readonly online: number;
  readonly reasons: readonly ReasonCount[];
}

async function countAll(reads: Reader, now: number): Promise<Counted> {
  const [counted, online] = await Promise.all([countStatuses(reads, now), onlineCount(reads, now)]);
  return { ...counted, online };
}

async function countStatuses(reads: Reader, now: number): Promise<Omit<Counted, "online">> {
  const [states, due] = await Promise.all([stateCounts(reads, ["user"]), dueCounts(reads, now)]);
  const counts = { ...NONE };
  const reasons: ReasonCount[] = [];
  for (const { state, total } of states) {
    const reason = disabledReasonOf(state);
    if (reason !== "") reasons.push({ reason, count: total });
    counts[reason !== "" ? "disabled" : state === "enabled.waiting" ? "pending" : "active"] += total;
  }
  for (const { status, n } of due) {
    if (status === "active") continue;
    counts[status] += n;
    counts.active -= n;
  }
  return { counts, reasons: reasons.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)) };
}

/** Accounts that have started and whose actor is about to look: only those can be past a limit and still on. */
function dueCounts(reads: Reader, now: number): Promise<{ status: UserStatus; n: number }[]> {
  // SQLite would go through all that have started; the plus keeps it to those that are due.
  const state = sql.raw(reads.dialect === "sqlite" ? "+u.mstate" : "u.mstate");
  return reads.query(
    sql`select ${statusSql(now)} as status, count(*) as n
      from (select distinct id from (${dueIds(now)}) d) t
      join users u on u.id = t.id join user_usage g on g.id = u.id where ${state} = 'enabled.started' group by 1`,
    { scans: true },
  );
}

async function countOwn(reads: Reader, now: number, own: Condition, byReason: boolean): Promise<Counted> {
  const [statuses, reasons] = await Promise.all([
    reads.query<{ status: UserStatus; n: number; online: number }>(
      sql`select ${statusSql(now)} as status, count(*) as n, count(case when g.online_at >= ${now - ONLINE_SECONDS} then 1 end) as online
        from users u join user_usage g on g.id = u.id where ${own} group by 1`,
      { scans: true },
    ),
    byReason
      ? reads.query<ReasonCount>(
          sql`select u.disabled_reason as reason, count(*) as count from users u where ${own} and not u.enable group by u.disabled_reason order by u.disabled_reason`,
          { scans: true },
        )
      : [],
  ]);
  const counts = { ...NONE };
  for (const { status, n } of statuses) counts[status] = n;
  return { counts, online: statuses.reduce((sum, { online }) => sum + online, 0), reasons };
}

function groupsOf(reads: Reader, own: Condition): Promise<readonly GroupCount[]> {
  return reads.query<GroupCount>(
    sql`select u.group_label as "group", count(*) as count from users u where ${own} and u.group_label <> '' group by u.group_label order by u.group_label`,
    { scans: true },
  );
}
