// Takes deleted templates out of accounts and plans, set by set: the other half of deleting a template, repeated until
// it is done.
import { z } from "zod";
import { defineFact, Facts, sql, type Committer, type Query, type Reader } from "../../db/index.ts";
import { endTemplateDeparture, recordDepartures, TemplateDepartureRows } from "../../pool/index.ts";

/** Accounts changed set by set: a listener that keeps accounts in memory reads them again. */
export const ACCOUNTS_CHANGED = defineFact(
  "accounts.changed",
  z.union([z.object({ templateId: z.int() }), z.object({ ownerId: z.int() })]),
);

/**
 * Carries out every departure that is recorded: the id leaves the accounts and plans that name it, and the record goes,
 * in one transaction. Called after a delete and when the panel starts. `now`: Unix seconds.
 */
export async function carryOutDepartures(commits: Committer, reads: Reader, now: () => number): Promise<void> {
  for (const { id } of await reads.rows(TemplateDepartureRows, sql`select * from template_departures order by id`)) {
    const left =
      reads.dialect === "sqlite"
        ? sql`template_ids = (select json_group_array(value) from json_each(template_ids) where value <> ${id}),
            updated_at = max(updated_at + 1, ${now()}) where exists (select 1 from json_each(template_ids) where value = ${id})`
        : sql`template_ids = (select coalesce(jsonb_agg(e.value order by e.n), '[]'::jsonb)
            from jsonb_array_elements(template_ids) with ordinality e(value, n) where e.value <> ${String(id)}::jsonb),
            updated_at = greatest(updated_at + 1, ${now()}::bigint) where template_ids @> ${JSON.stringify([id])}::jsonb`;
    await commits.execute({
      name: "templates.depart",
      statements: [
        recordDepartures(reads, placesLeft(reads, id, now() * 1000 + 999)),
        reads.statement("accounts", sql`update users set ${left}`),
        reads.statement("plans", sql`update plans set ${left}`),
        endTemplateDeparture(reads, id),
      ],
      facts: new Facts().add(ACCOUNTS_CHANGED, { templateId: id }),
    });
  }
}

/**
 * The departure of each account that is served on the template, as commits of single accounts write theirs
 * (`departureOf`). Templates are deleted once, so the ids are new.
 */
function placesLeft(reads: Reader, templateId: number, until: number): Query {
  const prefix = `t${templateId}u`;
  return reads.dialect === "sqlite"
    ? sql`select ${prefix} || u.id, 'account', u.id, cast(${until} as integer), u.template_ids, u.inbound_ids from users u
        where u.enable and not u.all_templates and exists (select 1 from json_each(u.template_ids) where value = ${templateId})`
    : sql`select ${prefix}::text || u.id, 'account', u.id, ${until}::bigint, u.template_ids, u.inbound_ids from users u
        where u.enable and not u.all_templates and u.template_ids @> ${JSON.stringify([templateId])}::jsonb`;
}
