// The rule that a link is one account's (rules users.link). What opens a subscription is an account's `subId` or its
// `subToken`: who writes a `subId` may write neither of another account, nor one that another had lately. A link gives
// the account's credentials, so the answer that it is taken costs what that of a credential costs.
import { lock, sql, UniqueConflict, type Draft, type Lock, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { REFUSAL_COST } from "../credentials/credential-holders.ts";
import { UserRows } from "../records/user.entity.ts";
import { EndedLinkRows } from "../records/ended-link.entity.ts";
import { endedLinkId, isStillTaken } from "./ended-links.ts";

/** The accounts that have a key, or had it lately. */
export interface LinkHolder {
  /** Accounts that it opens: two where an older version let a chosen id be another's token. */
  readonly living: readonly number[];
  /** The account that had it lately, where nobody has it; undefined: none. */
  readonly ended: number | undefined;
  /** The deleted account with whose export it comes back: it ended, and is free for this change. */
  readonly returnsFrom?: number;
}

/** The holders of some keys, read before a change is decided; a key without one is nobody's. */
export type LinkHolders = ReadonlyMap<string, LinkHolder>;

/** For a change that chooses no link. */
export const NO_LINKS: LinkHolders = new Map();

export interface LinkDeps {
  readonly reads: Reader;
  /** Days for which ended links stay taken: those of deleted accounts. */
  readonly keptDays: () => number;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Keys in one query. */
const CHUNK = 5000;

export async function linkHolders(deps: LinkDeps, chosen: readonly (string | undefined)[]): Promise<LinkHolders> {
  const keys = [...new Set(chosen.filter((key): key is string => key !== undefined && key !== ""))];
  const holders = new Map<string, LinkHolder>();
  for (let from = 0; from < keys.length; from += CHUNK) await addHolders(deps, keys.slice(from, from + CHUNK), holders);
  return holders;
}

async function addHolders(
  { reads, keptDays, now }: LinkDeps,
  keys: readonly string[],
  holders: Map<string, LinkHolder>,
): Promise<void> {
  const byId = new Map(keys.map((key) => [endedLinkId(key), key]));
  // One after the other: a link that ends in between is in the second answer.
  const living = await reads.query<{ id: number | string; key: string }>(
    sql`select id, sub_id as key from users where sub_id in (${sql.join(keys)})
      union all select id, sub_token as key from users where sub_token in (${sql.join(keys)})`,
  );
  const ended = await reads.rows(
    EndedLinkRows,
    sql`select * from ended_links where id in (${sql.join([...byId.keys()])})`,
  );
  for (const { id, key } of living)
    holders.set(key, { living: [...(holders.get(key)?.living ?? []), Number(id)], ended: undefined });
  for (const { id, userId, endedAt } of ended) {
    const key = byId.get(id);
    if (key !== undefined && !holders.has(key) && isStillTaken(endedAt, keptDays(), now()))
      holders.set(key, { living: [], ended: userId });
  }
}

/** Whether a key is, or lately was, that of an account other than `id` (undefined: of any). */
export function isOthersLink(holders: LinkHolders, key: string, id: number | undefined): boolean {
  const { living = [], ended } = holders.get(key) ?? {};
  return living.some((holder) => holder !== id) || (ended !== undefined && ended !== id);
}

/** Throws 400 `duplicate` that names the field. */
export function refuseTakenLink(field = "subId"): never {
  throw new Refusal("duplicate", { message: `${field}: the value is taken`, field, charge: REFUSAL_COST });
}

/** The rows that say whether chosen keys ended lately. */
export function linkLocks(chosen: readonly (string | undefined)[]): Lock[] {
  return chosen.flatMap((key) => (key === undefined ? [] : [lock(EndedLinkRows, endedLinkId(key), "read")]));
}

/** Refuses a key that somebody chose for account `id` and that is another's. Links that are drawn are nobody's. */
export function claimLink(
  draft: Draft,
  { keptDays }: Pick<LinkDeps, "keptDays">,
  holders: LinkHolders,
  key: string,
  id: number,
): void {
  const ended = draft.find(EndedLinkRows, endedLinkId(key), "read");
  const isMine = ended?.userId === id || (ended && ended.userId === holders.get(key)?.returnsFrom);
  const endedLately = ended && !isMine && isStillTaken(ended.endedAt, keptDays(), draft.time);
  if (endedLately || isOthersLink(holders, key, id)) refuseTakenLink();
}

/** Runs a change of one account. A link that another got since it was looked for is refused as every other one. */
export async function refusedIfLinkTaken<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof UniqueConflict && error.table === UserRows.name && error.columns[0] === "subId")
      refuseTakenLink();
    throw error;
  }
}
