// Writes departures: where accounts, nodes and templates were served until a change removed them. Every such change is
// recorded here.
import { isDeepStrictEqual } from "node:util";
import { type Draft, type Entity, type Query, type Reader, sql, type Statement } from "../db/index.ts";
import { type DepartureKind, type DepartureRow, DepartureRows } from "./departure.entity.ts";
import type { Consequence } from "../feature/index.ts";

/** What stood in a row, as `DepartureRow.was` keeps it. */
export type Place = DepartureRow["was"];

/** Records that the place of an account, node or template was `was` until now. */
export function recordDeparture(draft: Draft, kind: DepartureKind, subject: number, was: Place): void {
  const id = String(draft.nextId(DepartureRows.name));
  draft.insert(DepartureRows, { id, kind, subject, until: draft.now, was: was && [...was] });
}

/**
 * Part of every change: a row of this table that the change moves leaves its departure behind. Late usage is checked
 * against it (`fleet/usage-judge.ts`). A new row removes nothing.
 */
export function departureOf<R extends object>(
  entity: Entity<R>,
  kind: DepartureKind,
  placeOf: (row: Readonly<R>) => Place,
): Consequence {
  return {
    table: entity.name,
    record(draft, id) {
      const before = draft.before(entity, id);
      if (!before) return;
      const after = draft.find(entity, id);
      const [was, is] = [placeOf(before), after ? placeOf(after) : []];
      if (!isDeepStrictEqual(was, is)) recordDeparture(draft, kind, Number(id), was);
    },
  };
}

/** The same for a set: `rows` selects id, kind, subject, until and was. Ids that are there already are passed over. */
export function recordDepartures(reads: Reader, rows: Query): Statement {
  return reads.statement(
    "departures",
    sql`insert into departures (id, kind, subject, until, was) ${rows} on conflict (id) do nothing`,
  );
}

/** A deleted template has left the accounts that named it. */
export function endTemplateDeparture(reads: Reader, templateId: number): Statement {
  return reads.statement("departure", sql`delete from template_departures where id = ${templateId}`);
}
