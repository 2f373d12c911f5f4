// Some deleted accounts as one commit that brings them back: each on its own, so that one that is refused stays deleted
// and the others are back.
import { sql, type Draft, type Reader } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import type { JobRow, Step } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { each, Tallying } from "./step.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import type { Guesses } from "../links/guesses.ts";
import { linkHolders, type LinkDeps } from "../links/link-holders.ts";
import type { UserWriter } from "../users/user-change.ts";
import { DeletedUserRows } from "../records/deleted-user.entity.ts";
import { refuseTaken, restorationLocks, restoreDeleted } from "../deleted/deleted.commands.ts";
import { takenOf, type Taken } from "../deleted/deleted.queries.ts";
import { heldSecrets, unenteredOf } from "../deleted/held-secrets.ts";

export interface RestoreDeps extends UserWriter, LinkDeps {
  readonly reads: Reader;
  readonly guesses: Guesses;
  readonly credentialEntry: Pick<CredentialEntry, "unentered">;
}

/** One of them; `rev`: the deletion that is taken back, undefined: whichever is the last. */
export interface Restored {
  readonly id: number;
  readonly rev?: number | undefined;
}

/** As they were. */
const UNCHANGED = {};

export async function restoreStep(deps: RestoreDeps, chosen: readonly Restored[], origin: Origin): Promise<Step> {
  const ids = chosen.map(({ id }) => id);
  const revs = new Map(chosen.map(({ id, rev }) => [id, rev]));
  const rows = await deps.reads.rows(
    DeletedUserRows,
    sql`select * from deleted_users where id in (${sql.join(ids)}) order by id`,
  );
  const standing = await takenOf(deps.reads, rows);
  const links = await linkHolders(
    deps,
    rows.map(({ subId }) => subId),
  );
  const unentered = await unenteredOf(deps, rows);
  const fresh = freshSecrets();
  return {
    locks: ids.flatMap(restorationLocks),
    decide(draft, caller) {
      const tally = new Tallying();
      const taken = { ...copied(standing), subIds: new Set<string>() };
      each(draft, caller, ids, tally, true, bringBack(taken), nameOf);
      return { ...tally.result(), before: [] };
    },
  };

  function bringBack(taken: Taken & { readonly subIds: Set<string> }) {
    return (inner: Draft, acting: { caller: Caller }, id: number) => {
      const rev = revs.get(id);
      const back = restoreDeleted(
        inner,
        deps,
        { ...acting, origin, unentered, links },
        { id, body: UNCHANGED, fresh, ...(rev === undefined ? {} : { rev }) },
      );
      take(taken, back.row);
      // Two of these accounts may have had the same link, one after the other: only the first one gets it back.
      if (taken.subIds.has(back.row.subId)) refuseTaken("subId");
      taken.subIds.add(back.row.subId);
      return { before: back, after: back, changed: true, gone: true, off: undefined };
    };
  }
}

/** Ends a job of a reseller that would be told of too many secrets of others: each costs as much as a guess of one. */
export async function refuseManyHeld(deps: RestoreDeps, job: JobRow, ids: readonly number[]): Promise<void> {
  if (job.plan["base"] !== "resale" || ids.length === 0) return;
  const rows = await deps.reads.rows(
    DeletedUserRows,
    sql`select * from deleted_users where admin_id = ${job.adminId} and id in (${sql.join([...ids])})`,
  );
  deps.guesses.refuseMany(job, (await heldSecrets(deps, rows)).size);
}

/** Throws 409 for what others have; the database would refuse the commit as a whole. */
function take({ names, externalIds }: Taken, row: { readonly name: string; readonly externalId: string | null }): void {
  if (names.has(row.name)) refuseTaken("name");
  if (row.externalId !== null && externalIds.has(row.externalId)) refuseTaken("externalId");
  names.add(row.name);
  if (row.externalId !== null) externalIds.add(row.externalId);
}

function copied({ names, externalIds }: Taken): Taken {
  return { names: new Set(names), externalIds: new Set(externalIds) };
}

/** The name of a deleted account that the caller may bring back. */
function nameOf(draft: Draft, id: number): { readonly name?: string } {
  const row = draft.find(DeletedUserRows, id);
  return row ? { name: row.name } : {};
}
