// Finds out who switched accounts off: from the journal, for all rows of a page at once.
import type { Reader } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import { enteringEntries } from "../../runtime/index.ts";
import type { UserRow } from "../records/user.entity.ts";

/** The columns of an account that say whether a person switched it off, and in which step. */
export type Standing = Pick<UserRow, "id" | "enable" | "disabledReason" | "mstate" | "mlast">;

export function isOffByHand({ enable, disabledReason }: Pick<UserRow, "enable" | "disabledReason">): boolean {
  return !enable && disabledReason === "manual";
}

/**
 * Names by account id, for a caller who may read journals; an account that nobody switched off is not among them. One
 * statement.
 */
export async function offBys(
  reads: Reader,
  rows: readonly Readonly<Standing>[],
  { scopes }: Caller,
): Promise<ReadonlyMap<number, string>> {
  if (!scopes.has("stats:read")) return new Map();
  // What happened to an account since may have left it off: its newest step need not be the one that switched it off.
  const newest = rows.filter(isOffByHand).flatMap(({ mlast }) => (mlast === null ? [] : [mlast]));
  return new Map((await enteringEntries(reads, newest)).map(({ actorId, actor }) => [actorId, actor]));
}
