// The accounts as nodes serve them: the answer to what `fleet` asks (`fleet/usage/served-accounts.ts`).
import { defineFact, sql, type Reader, type RowChange } from "../../db/index.ts";
import { JOB_MOVED } from "../../jobs/index.ts";
import { INBOUND_LEFT } from "../departures/inbound-departures.ts";
import { forgetMoves } from "../users/moves.queries.ts";
import { ACCOUNTS_CHANGED } from "../departures/template-departures.ts";
import { countDeletedUsers, countUsers } from "./usage-counting.ts";
import { ResellerRows, type ResellerRow } from "../records/reseller.entity.ts";
import { UserRows } from "../records/user.entity.ts";
import { SESSIONS_END } from "../users/users.commands.ts";

/**
 * The accounts that the set-based statements of a commit change, as far as subscriptions show it. A commit without it
 * whose statements name a table of accounts may have changed each of them.
 */
export const ACCOUNTS_COUNTED = defineFact<readonly number[]>("accounts.counted");

/**
 * Accounts that no node serves, whatever their own rows say: those of closed resellers. The reseller's own row says so;
 * one commit takes all its accounts away.
 */
const withheld = {
  owners: async (reads: Reader): Promise<readonly number[]> => {
    const rows = await reads.query<{ id: number }>(sql`select id from resellers where closed_by <> ''`);
    return rows.map(({ id }) => id);
  },
  ownerOf: ({ table, id, after }: RowChange): { id: number; withheld: boolean } | undefined => {
    if (table !== ResellerRows.name) return undefined;
    const row = after as ResellerRow | undefined;
    return { id: Number(id), withheld: row !== undefined && row.closedBy !== "" };
  },
} as const;

export const servedAccounts = {
  rows: UserRows,
  changedFact: ACCOUNTS_CHANGED,
  inboundLeftFact: INBOUND_LEFT,
  sessionsEndFact: SESSIONS_END,
  partFact: JOB_MOVED,
  withheld,
  counting: { countUsers, countDeletedUsers, countedFact: ACCOUNTS_COUNTED, forgetMoves },
} as const;
