// Writes departures: where accounts, nodes and templates were served until a change removed them. Every such change is
// recorded here.
import { isDeepStrictEqual } from "node:util";
import { type Draft, type Entity, type Query, type Reader, sql, type Statement } from "../db/index.ts";
import { type DepartureKind, type DepartureRow, DepartureRows } from "./departure.entity.ts";
import type { Consequence } from "../feature/index.ts";

/** What stood in a row, as departures keep it. */
export type Place = Pick<DepartureRow, "was"> & Partial<Pick<DepartureRow, "inbounds">>;

const NOWHERE: Place = { was: [] };

/** Records that the place of an account, node or template was this until now. */
function recordDeparture(draft: Draft, kind: DepartureKind, subject: number, { was, inbounds = null }: Place): void {
  const id = String(draft.nextId(DepartureRows.name));
  const lists = { was: was && [...was], inbounds: inbounds && [...inbounds] };
  draft.insert(DepartureRows, { id, kind, subject, until: draft.now, ...lists });
}

/**
 * Part of every change: a row of this table that the change moves leaves its departure behind. Late usage is checked
 * against it (`fleet/usage/usage-judge.ts`). A new row removes nothing.
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
      const [was, is] = [placeOf(before), after ? placeOf(after) : NOWHERE];
      if (!isDeepStrictEqual(was, is)) recordDeparture(draft, kind, Number(id), was);
    },
  };
}

/**
 * The same for a set: `rows` selects id, kind, subject, until, was and inbounds. Ids that are there already are passed
 * over.
 */
export function recordDepartures(reads: Reader, rows: Query): Statement {
  return reads.statement(
    "departures",
    sql`insert into departures (id, kind, subject, until, was, inbounds) ${rows} on conflict (id) do nothing`,
  );
}

/** A deleted template has left the accounts that named it. */
export function endTemplateDeparture(reads: Reader, templateId: number): Statement {
  return reads.statement("departure", sql`delete from template_departures where id = ${templateId}`);
}
