// Takes a deleted inbound out of the accounts and plans that name it, in the change that deletes it: by sets, since
// there may be any number of them. Accounts without a list of their own are not looked at (rules users.inbounds).
import { z } from "zod";
import { defineFact, sql, type Draft, type Query, type Reader } from "../../db/index.ts";
import { recordDepartures } from "../../pool/index.ts";

/** An inbound left the accounts that named it: who keeps those in memory looks at them again. */
export const INBOUND_LEFT = defineFact("accounts.inboundLeft", z.int());

/**
 * Part of the change that deletes an inbound. An account that named it alone is served nowhere from then on: it was
 * given this inbound and no other.
 */
export function inboundLeaves(draft: Draft, reads: Reader, inboundId: number): void {
  const { dialect } = reads;
  const names = sql`inbound_ids is not null and ${named(reads, inboundId)}`;
  const left =
    dialect === "sqlite"
      ? sql`inbound_ids = (select json_group_array(value) from json_each(inbound_ids) where value <> ${inboundId}),
          updated_at = max(updated_at + 1, ${draft.time}) where ${names}`
      : sql`inbound_ids = (select coalesce(jsonb_agg(e.value order by e.n), '[]'::jsonb)
          from jsonb_array_elements(inbound_ids) with ordinality e(value, n) where e.value <> ${String(inboundId)}::jsonb),
          updated_at = greatest(updated_at + 1, ${draft.time}::bigint) where ${names}`;
  draft.alter(recordDepartures(reads, placesLeft(reads, inboundId, draft.now)));
  draft.alter(reads.statement("accounts", sql`update users set ${left}`));
  draft.alter(reads.statement("plans", sql`update plans set ${left}`));
  draft.publish(INBOUND_LEFT, inboundId);
}

function named({ dialect }: Reader, inboundId: number): Query {
  return dialect === "sqlite"
    ? sql`exists (select 1 from json_each(inbound_ids) where value = ${inboundId})`
    : sql`inbound_ids @> ${JSON.stringify([inboundId])}::jsonb`;
}

/**
 * The departure of each account that named this inbound, as commits of single accounts write theirs (`departureOf`). An
 * inbound is deleted once, so the ids are new.
 */
function placesLeft(reads: Reader, inboundId: number, until: number): Query {
  const { dialect } = reads;
  const prefix = `i${inboundId}u`;
  return dialect === "sqlite"
    ? sql`select ${prefix} || u.id, 'account', u.id, cast(${until} as integer), case when u.all_templates then null else u.template_ids end, u.inbound_ids
        from users u where u.inbound_ids is not null and u.enable and ${named(reads, inboundId)}`
    : sql`select ${prefix}::text || u.id, 'account', u.id, ${until}::bigint, case when u.all_templates then null else u.template_ids end, u.inbound_ids
        from users u where u.inbound_ids is not null and u.enable and ${named(reads, inboundId)}`;
}
