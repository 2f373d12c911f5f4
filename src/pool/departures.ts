// Writes departures: where accounts, nodes and templates stood until a change took it away. Whoever changes places records them here.
import { type Draft, type Query, type Reader, sql, type Statement } from "../db/index.ts";
import { type DepartureKind, type DepartureRow, DepartureRows } from "./departure.entity.ts";

/** What stood in a row, as `DepartureRow.was` keeps it. */
export type Place = DepartureRow["was"];

/** Records that the place of an account, node or template was `was` until now. */
export function recordDeparture(draft: Draft, kind: DepartureKind, subject: number, was: Place): void {
  const id = String(draft.nextId(DepartureRows.name));
  draft.insert(DepartureRows, { id, kind, subject, until: draft.now, was: was && [...was] });
}

/** The same for a set: `rows` selects id, kind, subject, until and was. Ids that are there already are passed over. */
export function recordDepartures(reads: Reader, rows: Query): Statement {
  return reads.statement("departures", sql`insert into departures (id, kind, subject, until, was) ${rows} on conflict (id) do nothing`);
}

/** A deleted template has left the accounts that named it. */
export function endTemplateDeparture(reads: Reader, templateId: number): Statement {
  return reads.statement("departure", sql`delete from template_departures where id = ${templateId}`);
}
