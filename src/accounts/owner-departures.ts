// Gives the accounts of deleted resellers to the panel: the other half of deleting a reseller, repeated until it is
// done.
import { Facts, sql, type Committer, type Query, type Reader } from "../db/index.ts";
import { localDay } from "../lib/zone.ts";
import { DUE, wakeActors } from "../runtime/index.ts";
import { dayText } from "./growth.ts";
import { ACCOUNTS_CHANGED } from "./template-departures.ts";

const MS = 1000;

/**
 * Carries out every departure: a count of accounts whose reseller is gone is the record of one. The accounts then
 * belong to the panel (owner 0), those that the reseller kept off are due, the day counts that they moved, and the
 * record goes, in one transaction. Called after a delete and when the panel starts. `now`: Unix seconds; `zone`: the
 * panel's.
 */
export async function releaseOwnedUsers(
  commits: Committer,
  reads: Reader,
  now: () => number,
  zone: () => string = () => "",
): Promise<void> {
  const { dialect } = reads;
  const later =
    dialect === "sqlite" ? sql`max(updated_at + 1, ${now()})` : sql`greatest(updated_at + 1, ${now()}::bigint)`;
  const departed = await reads.query<{ id: number | string }>(
    sql`select o.id from owner_counts o where not exists (select 1 from admins a where a.id = o.id) order by o.id`,
  );
  for (const { id } of departed) {
    const owner = Number(id);
    const owned = sql`select id from users where admin_id = ${owner} order by id`;
    const kept = sql`select id from users where admin_id = ${owner} and disabled_reason in ('resale-volume', 'resale-expiry') order by id`;
    await commits.execute({
      name: "owners.depart",
      statements: [
        reads.statement("accounts that it kept off", wakeActors(dialect, "user", kept, now() * MS)),
        reads.statement("counters", sql`update user_usage set admin_id = 0 where id in (${owned})`),
        reads.statement("day", moved(owner, dayText(localDay(now(), zone())))),
        reads.statement(
          "accounts",
          sql`update users set admin_id = 0, updated_at = ${later} where admin_id = ${owner}`,
        ),
        reads.statement("count", sql`delete from owner_counts where id = ${owner}`),
      ],
      // Nodes serve again those that were on but withheld with the reseller.
      facts: new Facts().add(ACCOUNTS_CHANGED, { ownerId: owner }).add(DUE, true),
    });
  }
}

/** All accounts of an owner came to the panel on this day. */
function moved(owner: number, day: string): Query {
  return sql`
    insert into account_days (id, day, owner, created, deleted, activated, expired, limited, renewed, moved)
    select ${day} || ':' || v.owner || ':departed', ${day}, v.owner, 0, 0, 0, 0, 0, 0, v.way * o.users
    from owner_counts o cross join (select '0' as owner, 1 as way union all select ${String(owner)}, -1) v where o.id = ${owner}
    on conflict (id) do update set moved = account_days.moved + excluded.moved`;
}
