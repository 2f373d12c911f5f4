// Counts users' sums for the fleet (`fleet/usage/served-accounts.ts`): the counters, the row of `usage_moves` that
// reports them, and the marks of users who crossed a limit. Users are in id order throughout, which is the order of row
// locks and of pages. What a reseller's accounts move counts against its allowance in the same transaction, by the
// owner that the counters carry (rules resellers.meter).
import { sql, type Query, type Reader, type Statement } from "../../db/index.ts";
import { added, MOST } from "../../lib/exact.ts";
import { wakeActors } from "../../runtime/index.ts";

/** What is added to a user's counters: bytes, and millionths of a byte that multiplying left over. */
interface UserSum {
  readonly id: number;
  readonly up: number;
  readonly down: number;
  readonly upRest: number;
  readonly downRest: number;
  /** Unix seconds of the last traffic, and its inbound. */
  readonly at: number;
  readonly inbound: number;
}

/** `least`: the dialect's name of it. What is stored beyond the most is mended with it. */
const sums = (least: string) => `
  up = ${least}(${MOST}, user_usage.up + v.up + (user_usage.up_rest + v.up_rest) / 1000000),
  down = ${least}(${MOST}, user_usage.down + v.down + (user_usage.down_rest + v.down_rest) / 1000000),
  total_up = ${least}(${MOST}, user_usage.total_up + v.up + (user_usage.up_rest + v.up_rest) / 1000000),
  total_down = ${least}(${MOST}, user_usage.total_down + v.down + (user_usage.down_rest + v.down_rest) / 1000000),
  up_rest = (user_usage.up_rest + v.up_rest) % 1000000,
  down_rest = (user_usage.down_rest + v.down_rest) % 1000000,
  last_inbound_id = case when v.at >= user_usage.online_at then v.inbound else user_usage.last_inbound_id end`;

/**
 * `now`: Unix milliseconds at which marked users are due. `moved`: the transaction's moment, Unix microseconds. `all`:
 * each of the users must be there, else everything is rolled back.
 */
export function countUsers(
  reads: Reader,
  users: readonly UserSum[],
  now: number,
  moved: number,
  all: boolean,
): Statement[] {
  const ids = users.map(({ id }) => id).join(",");
  const log = reads.statement(
    "users moved",
    sql`insert into usage_moves (moved_at, size, users) values (${moved}, ${users.length}, ${ids})`,
    1,
  );
  return [
    ...(reads.dialect === "sqlite"
      ? inSqlite(reads, users, ids, now, moved, all)
      : inPostgres(reads, users, now, moved, all)),
    log,
  ];
}

/**
 * Rows of one statement. Few sizes, so that few texts are prepared; a bound value costs half of what it costs to take
 * it out of JSON.
 */
const SIZES = [512, 64, 8, 1];
const WIDTH = 7;

const sqliteTexts = new Map(
  SIZES.map((size) => {
    const row = `(${Array.from({ length: WIDTH }, () => "?").join(", ")})`;
    const names = ["id", "up", "down", "up_rest", "down_rest", "at", "inbound"];
    // What is bound is a double, with which dividing would not round down.
    const columns = names.map((name, index) => `cast(column${index + 1} as integer) as ${name}`);
    const text = `update user_usage set ${sums("min")}, online_at = max(user_usage.online_at, v.at), moved_at = ?
      from (select ${columns.join(", ")} from (values ${Array.from({ length: size }, () => row).join(", ")})) v where user_usage.id = v.id`;
    return [size, text] as const;
  }),
);

function inSqlite(
  reads: Reader,
  users: readonly UserSum[],
  ids: string,
  now: number,
  moved: number,
  all: boolean,
): Statement[] {
  const statements: Statement[] = [];
  let done = 0;
  for (const [size, text] of sqliteTexts) {
    for (; users.length - done >= size; done += size) {
      const values = [moved];
      for (const { id, up, down, upRest, downRest, at, inbound } of users.slice(done, done + size))
        values.push(id, up, down, upRest, downRest, at, inbound);
      statements.push({ label: "usage of users", text, values, ...(all ? { rows: size } : {}) });
    }
  }
  const due = sql`
    select u.id from json_each(${`[${ids}]`}) v cross join user_usage u on u.id = v.value where u.up + u.down >= u.wake_at`;
  return [
    ...statements,
    reads.statement("users due", wakeActors(reads.dialect, "user", due, now)),
    reads.statement("usage of resellers", ownersInSqlite(users)),
    reads.statement("resellers due", wakeActors(reads.dialect, "reseller", SPENT, now)),
  ];
}

/** Resellers are few, and those that are closed have no mark. */
const SPENT = sql`select id from reseller_usage where used >= wake_at order by id`;

/** A panel without resellers looks at none of the users. `total`: a sum of many huge numbers would not fit. */
function ownersInSqlite(users: readonly UserSum[]): Query {
  const json = JSON.stringify(users.map((sum) => [sum.id, added(sum.up, sum.down), sum.upRest + sum.downRest]));
  const most = sql.raw(String(MOST));
  return sql`
    update reseller_usage set used = min(${most}, reseller_usage.used + v.bytes + (reseller_usage.rest + v.rest) / 1000000),
      rest = (reseller_usage.rest + v.rest) % 1000000
    from (select g.admin_id as id, cast(min(${most}, total(e.value->>1)) as integer) as bytes, cast(total(e.value->>2) as integer) as rest
      from json_each(case when exists (select 1 from reseller_usage) then ${json} else '[]' end) e cross join user_usage g on g.id = e.value->>0
      where g.admin_id > 0 group by g.admin_id) v
    where reseller_usage.id = v.id`;
}

/**
 * The users' rows are looked up, and so locked, in the order of the lists: no other way to join is left to the planner.
 * Locking them by a statement of its own would cost a third more. Should two transactions wait for each other all the
 * same, the database ends one, which is tried again.
 */
function inPostgres(reads: Reader, users: readonly UserSum[], now: number, moved: number, all: boolean): Statement[] {
  const list = (key: keyof UserSum) => sql`${`{${users.map((sum) => sum[key]).join(",")}}`}::bigint[]`;
  const lists = sql.join([
    list("id"),
    list("up"),
    list("down"),
    list("upRest"),
    list("downRest"),
    list("at"),
    list("inbound"),
  ]);
  const inOrder = sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;
  const most = sql.raw(String(MOST));
  const counted = sql`
    with moved as (
      update user_usage set ${sql.raw(sums("least"))}, online_at = greatest(user_usage.online_at, v.at), moved_at = ${moved}
      from unnest(${lists}) v(id, up, down, up_rest, down_rest, at, inbound)
      where user_usage.id = v.id returning user_usage.id, user_usage.up + user_usage.down >= user_usage.wake_at as due,
        user_usage.admin_id, v.up + v.down as bytes, v.up_rest + v.down_rest as rest),
    marked as (${wakeActors(reads.dialect, "user", sql`select id from moved where due order by id`, now)}),
    owned as (
      update reseller_usage set used = least(${most}, reseller_usage.used + v.bytes + (reseller_usage.rest + v.rest) / 1000000),
        rest = (reseller_usage.rest + v.rest) % 1000000
      from (select admin_id, least(${most}, sum(bytes))::bigint as bytes, sum(rest)::bigint as rest from moved
        where admin_id > 0 group by admin_id order by admin_id) v
      where reseller_usage.id = v.admin_id returning reseller_usage.id, reseller_usage.used >= reseller_usage.wake_at as spent),
    spent as (${wakeActors(reads.dialect, "reseller", sql`select id from owned where spent order by id`, now)})
    select 1 where (select count(*) from moved) = ${users.length}::bigint`;
  return [
    reads.statement("order of users", inOrder),
    reads.statement("usage of users and users due", counted, ...(all ? [1] : [])),
  ];
}

/**
 * What deleted accounts used, and what of it counts against their resellers' allowances: there are few, so they are
 * told in one list. An account that came back since it was looked for has no such row any more: everything is rolled
 * back then, and looked at again.
 */
export function countDeletedUsers(reads: Reader, users: readonly UserSum[], now: number): Statement[] {
  const { dialect } = reads;
  const least = dialect === "sqlite" ? "min" : "least";
  const greatest = dialect === "sqlite" ? "max" : "greatest";
  const json = JSON.stringify(users);
  const told =
    dialect === "sqlite"
      ? sql`(select value->>'id' as id, value->>'up' as up, value->>'down' as down, value->>'upRest' as up_rest,
          value->>'downRest' as down_rest, value->>'at' as at from json_each(${json})) v`
      : sql`(select r.id, r.up, r.down, r."upRest" as up_rest, r."downRest" as down_rest, r.at
          from json_to_recordset(${json}::json) r(id bigint, up bigint, down bigint, "upRest" bigint, "downRest" bigint, at bigint)) v`;
  // Makes missing rows: another version deleted the account, or the row of the account is forgotten.
  const missing = sql`
    insert into deleted_usage (id, up, down, up_rest, down_rest, online_at, counted_at)
    select v.id, 0, 0, 0, 0, 0, 0 from ${told}
    where not exists (select 1 from user_usage u where u.id = v.id) and not exists (select 1 from deleted_usage d where d.id = v.id)
    order by v.id on conflict (id) do nothing`;
  const counted = sql`
    update deleted_usage set ${sql.raw(`
      up = ${least}(${MOST}, deleted_usage.up + v.up + (deleted_usage.up_rest + v.up_rest) / 1000000),
      down = ${least}(${MOST}, deleted_usage.down + v.down + (deleted_usage.down_rest + v.down_rest) / 1000000),
      up_rest = (deleted_usage.up_rest + v.up_rest) % 1000000, down_rest = (deleted_usage.down_rest + v.down_rest) % 1000000,
      online_at = ${greatest}(deleted_usage.online_at, v.at)`)}, counted_at = ${now}
    from ${told} where deleted_usage.id = v.id`;
  const most = sql.raw(String(MOST));
  const summed =
    dialect === "sqlite"
      ? sql`cast(min(${most}, total(v.up + v.down)) as integer) as bytes, cast(total(v.up_rest + v.down_rest) as integer) as rest`
      : sql`least(${most}, sum(v.up + v.down))::bigint as bytes, sum(v.up_rest + v.down_rest)::bigint as rest`;
  const owned = sql`
    update reseller_usage set used = ${sql.raw(least)}(${most}, reseller_usage.used + o.bytes + (reseller_usage.rest + o.rest) / 1000000),
      rest = (reseller_usage.rest + o.rest) % 1000000
    from (select d.admin_id, ${summed} from ${told} join deleted_usage d on d.id = v.id where d.admin_id > 0
      group by d.admin_id order by d.admin_id) o
    where reseller_usage.id = o.admin_id`;
  return [
    reads.statement("deleted users that are not known", missing),
    reads.statement("usage of deleted users", counted, users.length),
    reads.statement("usage of resellers by deleted users", owned),
    reads.statement("resellers due", wakeActors(dialect, "reseller", SPENT, now)),
  ];
}
