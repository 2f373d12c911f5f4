// Gives the accounts of deleted resellers to the panel: the other half of deleting a reseller, in small commits that
// are repeated until it is done.
import { Facts, lock, sql, sweepRows, type Query, type Reader, type SweepStore } from "../../db/index.ts";
import { StepSize } from "../../jobs/index.ts";
import { DUE, wakeActors } from "../../runtime/index.ts";
import { countGrowth } from "../growth/growth.ts";
import { OwnerCountRows } from "../records/owner.entity.ts";
import { ACCOUNTS_CHANGED } from "./template-departures.ts";

const MS = 1000;

export interface DepartureDeps extends SweepStore {
  /** Unix seconds. */
  readonly now: () => number;
  /** The panel's. */
  readonly zone: () => string;
}

/**
 * Carries out every departure: a count of accounts whose reseller is gone is the record of one. The accounts then
 * belong to the panel (owner 0), and those that the reseller kept off are due. The last commit counts in the day that
 * they moved, and takes the record away; until then a kill costs nothing. Called after a delete and when the panel
 * starts.
 */
export async function releaseOwnedUsers(deps: DepartureDeps): Promise<void> {
  const departed = await deps.reads.query<{ id: number | string }>(
    sql`select o.id from owner_counts o where not exists (select 1 from admins a where a.id = o.id) order by o.id`,
  );
  for (const { id } of departed) await release(deps, Number(id));
}

async function release({ commits, reads, now, zone }: DepartureDeps, owner: number): Promise<void> {
  const size = new StepSize(reads.dialect);
  for (;;) {
    const owned = await reads.query<{ id: number | string }>(
      sql`select id from users where admin_id = ${owner} order by id limit ${size.records}`,
    );
    if (owned.length === 0) break;
    const began = performance.now();
    await commits.execute({ name: "owners.depart", ...handedOver(reads, owner, owned.map(idOf), now()) });
    // The database works on all of it, and whoever writes waits for it.
    size.took(owned.length, { worked: performance.now() - began, waited: 0 });
  }
  await releaseDeleted({ commits, reads }, owner);
  await commits.submit({
    name: "owners.departed",
    locks: [lock(OwnerCountRows, owner)],
    decide(draft) {
      const users = draft.find(OwnerCountRows, owner)?.users;
      // Another process has been here.
      if (users === undefined) return;
      draft.delete(OwnerCountRows, owner);
      countGrowth(draft, zone(), 0, "moved", users);
      countGrowth(draft, zone(), owner, "moved", -users);
      // Nodes serve again those that were on but withheld with the reseller.
      draft.publish(ACCOUNTS_CHANGED, { ownerId: owner });
    },
  });
}

/** Gives the panel the accounts that were deleted before: if they come back, they are the panel's. */
async function releaseDeleted(store: SweepStore, owner: number): Promise<void> {
  const ids = sql`select id from deleted_users where admin_id = ${owner} order by id`;
  await sweepRows(store, { name: "owners.depart", table: "deleted_users", ids, set: sql`admin_id = 0` });
}

const idOf = ({ id }: { readonly id: number | string }): number => Number(id);

/** These accounts, as far as they are still the owner's. */
function handedOver(reads: Reader, owner: number, ids: readonly number[], now: number) {
  const { dialect } = reads;
  const among = sql`admin_id = ${owner} and id in (${sql.join([...ids])})`;
  const kept: Query = sql`select id from users where ${among} and disabled_reason in ('resale-volume', 'resale-expiry')`;
  const later = dialect === "sqlite" ? sql`max(updated_at + 1, ${now})` : sql`greatest(updated_at + 1, ${now}::bigint)`;
  return {
    statements: [
      reads.statement("accounts that it kept off", wakeActors(dialect, "user", kept, now * MS)),
      reads.statement("counters", sql`update user_usage set admin_id = 0 where ${among}`),
      reads.statement("accounts", sql`update users set admin_id = 0, updated_at = ${later} where ${among}`),
    ],
    facts: new Facts().add(DUE, true),
  };
}
