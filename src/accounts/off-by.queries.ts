// Who switched accounts off: the journal's word, for all rows of a page at once.
import { sql, type Reader } from "../db/index.ts";
import type { Caller } from "../http/index.ts";
import { JournalRows } from "../runtime/index.ts";
import type { UserRow } from "./user.entity.ts";

type Standing = Pick<UserRow, "id" | "enable" | "disabledReason" | "mstate" | "mlast">;

export function isOffByHand({ enable, disabledReason }: Pick<UserRow, "enable" | "disabledReason">): boolean {
  return !enable && disabledReason === "manual";
}

/** Names by account id, for a caller who may read journals; an account that nobody switched off is not among them. */
export async function offBys(reads: Reader, rows: readonly Readonly<Standing>[], { scopes }: Caller): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  if (!scopes.has("stats:read")) return names;
  const off = rows.filter(isOffByHand);
  let last = off.flatMap(({ mlast }) => (mlast === null ? [] : [mlast]));
  while (last.length > 0) {
    const entries = await reads.rows(JournalRows, sql`select * from journal where id in (${sql.join(last)})`);
    last = [];
    for (const { actorId, actor, fromState, toState, previous } of entries) {
      if (fromState !== toState) names.set(actorId, actor);
      // What happened to it since left it off: the answer is further back. Rare, and one more statement for all of them.
      else if (previous !== null) last.push(previous);
    }
  }
  return names;
}
