// Finds the users whose counters moved since a cursor. Cursors are moments (Unix microseconds): each transaction that
// counts usage leaves one row with its moment and its users in `usage_moves`, a command that sets counters leaves its
// moment in `set_at`. A counter's row carries the moment of its last change, so a reader gets each counter once, at its
// last move.
//
// Commits do not arrive in the order of their timestamps. A transaction takes its timestamp after it has started. So a
// reader gets nothing newer than the oldest running transaction: a slow one delays later changes, and a cursor never
// skips it.
import { sql, type Query, type Reader, type Statement } from "../../db/index.ts";
import type { Condition } from "../../http/index.ts";

/** What two clocks may differ by, in microseconds: what is younger is told with the next question. */
const SETTLING = 1_000_000;
/** The clock of another process may be ahead by so much. */
const AHEAD_MS = 60_000;
/** How long `usage_moves` is kept at least, in milliseconds. */
const MOVES_KEPT_MS = 600_000;
/**
 * Cursors that are no older are answered from it; older ones by looking at all counters. Half of the time that it is
 * kept, for a transaction that takes long.
 */
const LOGGED_MS = MOVES_KEPT_MS / 2;

interface Moved {
  readonly id: number;
  readonly up: number;
  readonly down: number;
  readonly online_at: number;
  readonly moved_at: number;
}

/** After `from`, up to and with `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Accounts whose counters moved after `since`, in that order; `cursor` is where the next question begins. Counters that
 * moved in one transaction share a moment and are never parted, so an answer may be longer than `limit`. `now`: Unix
 * milliseconds; `own`: which users `u` are told of, undefined: all.
 */
export async function usageMoves(reads: Reader, now: number, since: number, limit: number, own: Condition | undefined) {
  // Asked before anything else is read: what began earlier and is not in this is seen.
  const settled = Math.floor((now - (await reads.oldestWriteMs())) * 1000) - SETTLING;
  // A cursor of the future was given before the clock was set back: everything since then has other moments now.
  const begin = since > (now + AHEAD_MS) * 1000 ? 0 : since;
  const span = { from: begin, to: settled };
  const { moved, cursor } =
    begin < (now - LOGGED_MS) * 1000
      ? await movedAmongAll(reads, span, limit, own)
      : await movedByLog(reads, span, limit, own);
  return { cursor, rows: moved.map(({ id, up, down, online_at: onlineAt }) => ({ id, up, down, onlineAt })) };
}

function ownedBy(own: Condition | undefined): Query {
  return own ? sql`and exists (select 1 from users u where u.id = g.id and ${own})` : sql``;
}

async function movedAmongAll(reads: Reader, { from, to }: Span, limit: number, own: Condition | undefined) {
  const settled = sql`g.moved_at > ${from} and g.moved_at <= ${to} ${ownedBy(own)}`;
  const moved = await reads.query<Moved>(
    sql`select g.id, g.up, g.down, g.online_at, g.moved_at from user_usage g where ${settled} and g.moved_at <= coalesce(
      (select g.moved_at from user_usage g where ${settled} order by g.moved_at limit 1 offset ${limit - 1}), ${Number.MAX_SAFE_INTEGER}) order by g.moved_at, g.id`,
  );
  return { moved, cursor: moved.at(-1)?.moved_at ?? from };
}

/**
 * Goes through the log in spans of about `limit` users, until so many are found: most of them may have moved again
 * later, or be somebody else's.
 */
async function movedByLog(reads: Reader, span: Span, limit: number, own: Condition | undefined) {
  const moved: Moved[] = [];
  let cursor = span.from;
  for (const to of await ends(reads, span, limit)) {
    for (const row of await movedWithin(reads, { from: cursor, to }, own)) moved.push(row);
    cursor = to;
    if (moved.length >= limit) break;
  }
  return { moved, cursor };
}

/**
 * Moments that cut a span into parts of `limit` users or a little more; the last one is the last moment at which
 * anything moved.
 */
async function ends(reads: Reader, { from, to }: Span, limit: number): Promise<number[]> {
  const [logged, set] = await Promise.all([
    reads.query<{ at: number; size: number }>(
      sql`select moved_at as at, size from usage_moves where moved_at > ${from} and moved_at <= ${to}`,
    ),
    reads.query<{ at: number }>(
      sql`select set_at as at from user_usage where set_at > ${from} and set_at <= ${to} order by set_at limit ${limit}`,
    ),
  ]);
  // More may have been set at later moments than was asked for: those are told with the next question.
  const last = set.length < limit ? to : (set.at(-1)?.at ?? to);
  const moments = [...logged, ...set.map(({ at }) => ({ at, size: 1 }))]
    .filter(({ at }) => at <= last)
    .toSorted((a, b) => a.at - b.at);
  const found: number[] = [];
  let users = 0;
  for (const [index, { at, size }] of moments.entries()) {
    users += size;
    const next = moments[index + 1];
    if (next && (next.at === at || users < limit)) continue;
    found.push(at);
    users = 0;
  }
  return found;
}

/** The counters are looked up by the ids of the log, in each dialect's words for that. */
function movedWithin(reads: Reader, { from, to }: Span, own: Condition | undefined): Promise<Moved[]> {
  const logged = sql`m.moved_at > ${from} and m.moved_at <= ${to}`;
  const set = sql`select id from user_usage where set_at > ${from} and set_at <= ${to}`;
  const looked =
    reads.dialect === "sqlite"
      ? sql`(select cast(v.value as integer) as id from usage_moves m, json_each('[' || m.users || ']') v where ${logged} union ${set}) v
          cross join user_usage g on g.id = v.id where true`
      : sql`user_usage g where g.id = any(array(
          select unnest(('{' || m.users || '}')::bigint[]) from usage_moves m where ${logged} union ${set}))`;
  return reads.query<Moved>(sql`
    select g.id, g.up, g.down, g.online_at, g.moved_at from ${looked}
      and g.moved_at > ${from} and g.moved_at <= ${to} ${ownedBy(own)} order by g.moved_at, g.id`);
}

/** Forgets what moved longer ago than the log is kept; `moved`: Unix microseconds. */
export function forgetMoves(reads: Reader, moved: number): Statement {
  return reads.statement("moves.prune", sql`delete from usage_moves where moved_at < ${moved - MOVES_KEPT_MS * 1000}`);
}

/**
 * The statements for a clock that was set back to `now` (Unix milliseconds): changes with a later timestamp are
 * reported again.
 */
export function movesBroughtBack(reads: Reader, now: number): Statement[] {
  const at = now * 1000;
  return [
    reads.statement(
      "clock.moves",
      sql`update user_usage set moved_at = ${at}, set_at = case when set_at > ${at} then ${at} else set_at end where moved_at > ${at}`,
    ),
    reads.statement("clock.logged", sql`update usage_moves set moved_at = ${at} where moved_at > ${at}`),
  ];
}
