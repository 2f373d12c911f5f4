// Gives the accounts of deleted resellers to the panel: the other half of deleting a reseller, repeated until it is
// done.
import { sql, type Committer, type Reader } from "../db/index.ts";

/**
 * Carries out every departure: a count of accounts whose reseller is gone is the record of one. The accounts then
 * belong to the panel (owner 0), and the count goes, in one transaction. Called after a delete and when the panel
 * starts. `now`: Unix seconds.
 */
export async function releaseOwnedUsers(commits: Committer, reads: Reader, now: () => number): Promise<void> {
  const later =
    reads.dialect === "sqlite" ? sql`max(updated_at + 1, ${now()})` : sql`greatest(updated_at + 1, ${now()}::bigint)`;
  const departed = await reads.query<{ id: number | string }>(
    sql`select o.id from owner_counts o where not exists (select 1 from admins a where a.id = o.id) order by o.id`,
  );
  for (const { id } of departed) {
    const owner = Number(id);
    await commits.execute({
      name: "owners.depart",
      statements: [
        reads.statement(
          "accounts",
          sql`update users set admin_id = 0, updated_at = ${later} where admin_id = ${owner}`,
        ),
        reads.statement("count", sql`delete from owner_counts where id = ${owner}`),
      ],
    });
  }
}
