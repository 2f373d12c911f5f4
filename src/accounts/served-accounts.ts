// The accounts as nodes serve them: the answer to what `fleet` asks (`fleet/served-accounts.ts`).
import { MOVES_KEPT_MS } from "./moves.queries.ts";
import { ACCOUNTS_CHANGED } from "./template-departures.ts";
import { UserRows } from "./user.entity.ts";

export const servedAccounts = { rows: UserRows, changedFact: ACCOUNTS_CHANGED, movesKeptMs: MOVES_KEPT_MS } as const;
