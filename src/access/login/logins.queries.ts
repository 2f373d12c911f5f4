// What a sign-in looks up before its change: the account of a name, and the sign-in that waits under a pending token.
import { sql, type Liveness, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { usernameKey } from "./passwords.ts";
import { PendingLoginRows, type PendingLoginRow } from "../records/pending-login.entity.ts";

export async function adminNamed(reads: Reader, username: string): Promise<AdminRow | undefined> {
  const [row] = await reads.rows(AdminRows, sql`select * from admins where username_key = ${usernameKey(username)}`);
  return row;
}

/** A sign-in that waits for its second factor, and its account. */
export interface Waiting {
  readonly pending: PendingLoginRow;
  readonly account: AdminRow;
}

interface WaitingDeps {
  readonly reads: Reader;
  /** Which runs of the panel are not over. */
  readonly runs: Liveness;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What a sign-in answers that no longer waits. */
export function loginEnded(): Refusal {
  return new Refusal("bad_credentials", { message: "the sign-in has ended; begin again", code: "login_ended" });
}

/**
 * The sign-in under a pending token. Throws 401 where it is used, older than five minutes, was tried with five wrong
 * codes, or given out by a run of the panel that is over.
 */
export async function waitingLogin({ reads, runs, now }: WaitingDeps, token: string): Promise<Waiting> {
  const pending = await reads.find(PendingLoginRows, sha256Hex(token));
  if (!pending || pending.expiresAt * 1000 <= now() || !(await runs.isAlive(pending.boot))) throw loginEnded();
  const account = await reads.find(AdminRows, pending.adminId);
  if (!account) throw loginEnded();
  return { pending, account };
}
