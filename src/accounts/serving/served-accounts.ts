// The accounts as nodes serve them: the answer to what `fleet` asks (`fleet/usage/served-accounts.ts`).
import { JOB_MOVED } from "../../jobs/index.ts";
import { INBOUND_LEFT } from "../departures/inbound-departures.ts";
import { forgetMoves } from "./moves.queries.ts";
import { withheld } from "../resellers/withheld.ts";
import { ACCOUNTS_COUNTED } from "../delivery/subscription-accounts.ts";
import { ACCOUNTS_CHANGED } from "../departures/template-departures.ts";
import { countDeletedUsers, countUsers } from "./usage-counting.ts";
import { UserRows } from "../users/user.entity.ts";
import { SESSIONS_END } from "../users/users.commands.ts";

export const servedAccounts = {
  rows: UserRows,
  changedFact: ACCOUNTS_CHANGED,
  inboundLeftFact: INBOUND_LEFT,
  sessionsEndFact: SESSIONS_END,
  partFact: JOB_MOVED,
  withheld,
  counting: { countUsers, countDeletedUsers, countedFact: ACCOUNTS_COUNTED, forgetMoves },
} as const;
