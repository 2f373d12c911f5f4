// The rule that a credential is one account's (rules users.credential): entering, exchanging and giving back, as parts
// of the commit that writes the account.
import { lock, sql, type Draft, type Lock, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { namesOf, type Credential } from "./credential-keys.ts";
import { SharedCredentialRows, UserCredentialRows } from "../records/user-credential.entity.ts";

/**
 * The cost of a refusal in the caller's budget: a caller who guesses other accounts' credentials can try only a few.
 */
export const REFUSAL_COST = 10;

/** Throws 400 `duplicate` that names the field. */
function refuseTaken({ field }: Credential): never {
  throw new Refusal("duplicate", { message: `${field}: the value is taken`, field, charge: REFUSAL_COST });
}

/** The rows to hold for credentials that somebody chose. Generated ones are nobody else's and are entered unseen. */
export function credentialLocks(chosen: readonly Credential[]): Lock[] {
  return chosen.flatMap((one) => namesOf(one).map((id) => lock(UserCredentialRows, id)));
}

/**
 * Refuses those of `chosen` that another account holds. `unentered`: ids of credentials that accounts hold which are
 * not entered yet.
 */
export function refuseHeld(
  draft: Draft,
  chosen: readonly Credential[],
  userId: number,
  unentered: ReadonlySet<string>,
): void {
  const held = new Map(draft.findAll(UserCredentialRows, chosen.flatMap(namesOf)).map((row) => [row.id, row]));
  const isOthers = (id: string) => (held.get(id)?.userId ?? userId) !== userId;
  const taken = chosen.find((one) => unentered.has(one.id) || namesOf(one).some(isOthers));
  if (taken) refuseTaken(taken);
}

/** Rows in one query. */
const CHUNK = 5000;

/** The accounts that hold these rows now, by row id; 0: only the accounts that share the credential. */
export async function holdersNow(reads: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  const holders = new Map<string, number>();
  for (let from = 0; from < ids.length; from += CHUNK) {
    const some = ids.slice(from, from + CHUNK);
    const rows = await reads.query<{ id: string; holder: number | string }>(
      sql`select id, user_id as holder from user_credentials where id in (${sql.join(some)})`,
    );
    for (const { id, holder } of rows) holders.set(id, Number(holder));
  }
  return holders;
}

/** Enters the credentials of a new account. */
export function enterCredentials(
  draft: Draft,
  all: readonly Credential[],
  chosen: readonly Credential[],
  userId: number,
  unentered: ReadonlySet<string>,
): void {
  if (chosen.length > 0) refuseHeld(draft, chosen, userId, unentered);
  for (const { id } of all) draft.insert(UserCredentialRows, { id, userId, sharers: 0 });
}

/**
 * Exchanges what an edit changes. Nothing is asked for what stays, so that an account keeps what it had to share
 * before.
 */
export function exchangeCredentials(
  draft: Draft,
  before: readonly Credential[],
  after: readonly Credential[],
  userId: number,
  unentered: ReadonlySet<string>,
): void {
  const added = after.filter(({ id }) => !before.some((each) => each.id === id));
  if (added.length === 0) return;
  const dropped = before.filter(({ id }) => !after.some((each) => each.id === id));
  // Held together, so that missing rows cost one more round.
  draft.findAll(
    UserCredentialRows,
    [...added, ...dropped].map(({ id }) => id),
  );
  refuseHeld(draft, added, userId, unentered);
  for (const { id } of added)
    if (!draft.find(UserCredentialRows, id)) draft.insert(UserCredentialRows, { id, userId, sharers: 0 });
  giveBack(draft, dropped, userId);
}

/** Gives back what an account leaves: to those that share it, else to anybody. */
export function giveBack(draft: Draft, dropped: readonly Credential[], userId: number): void {
  const rows = draft.findAll(
    UserCredentialRows,
    dropped.map(({ id }) => id),
  );
  for (const { id, userId: holder, sharers } of rows) {
    if (holder === userId) {
      if (sharers === 0) draft.delete(UserCredentialRows, id);
      else draft.update(UserCredentialRows, id, { userId: 0 });
    } else if (sharers > 0 && draft.find(SharedCredentialRows, sharedId(id, userId))) {
      draft.delete(SharedCredentialRows, sharedId(id, userId));
      if (holder === 0 && sharers === 1) draft.delete(UserCredentialRows, id);
      else draft.update(UserCredentialRows, id, { sharers: sharers - 1 });
    }
  }
}

/** Indexes credentials of existing accounts, in addition to their other holders, if any. */
export function enterBeside(
  draft: Draft,
  accounts: readonly { readonly id: number; readonly credentials: readonly Credential[] }[],
): void {
  // Held together, so that missing rows cost two more rounds in all.
  const ids = accounts.flatMap(({ credentials }) => credentials.map(({ id }) => id));
  const held = new Map(draft.findAll(UserCredentialRows, ids).map((row) => [row.id, row]));
  const others = accounts.flatMap(({ id: userId, credentials }) =>
    credentials.flatMap(({ id }) => ((held.get(id)?.userId ?? userId) === userId ? [] : [sharedId(id, userId)])),
  );
  const known = new Set(draft.findAll(SharedCredentialRows, others).map(({ id }) => id));
  for (const { id: userId, credentials } of accounts) {
    for (const { id } of credentials) {
      const row = draft.find(UserCredentialRows, id);
      if (!row) draft.insert(UserCredentialRows, { id, userId, sharers: 0 });
      else if (row.userId !== userId && !known.has(sharedId(id, userId))) {
        draft.insert(SharedCredentialRows, { id: sharedId(id, userId), credentialId: id, userId });
        draft.update(UserCredentialRows, id, { sharers: row.sharers + 1 });
      }
    }
  }
}

const sharedId = (credentialId: string, userId: number) => `${credentialId}:${userId}`;
