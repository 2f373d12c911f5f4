// Wakes many actors by one statement, for what counts in sets and commits no actor's row.
import { type Dialect, type Query, sql } from "../db/index.ts";
import { DUE_TIMER } from "./step-actions.ts";

/** Names of the code, which are no values of a request: one text is prepared for each kind. */
const literal = (text: string) => sql.raw(`'${text}'`);

/**
 * Makes actors of one kind due at `at` (Unix milliseconds); a moment that is earlier already stays. `ids` selects the
 * actors' ids as `id`, in id order on PostgreSQL, which is the order of row locks.
 */
export function wakeActors(dialect: Dialect, kind: string, ids: Query, at: number): Query {
  const least = sql.raw(dialect === "sqlite" ? "min" : "least");
  // `where true`: without it SQLite reads `on conflict` as a condition of a join.
  return sql`
    insert into timers (id, kind, actor_id, name, event, due_at)
    select ${literal(`${kind}:`)} || a.id || ${literal(`:${DUE_TIMER}`)}, ${literal(kind)}, a.id, ${literal(DUE_TIMER)}, ${literal(DUE_TIMER)}, cast(${Math.floor(at)} as bigint) from (${ids}) a where true
    on conflict (id) do update set due_at = ${least}(timers.due_at, excluded.due_at)`;
}
