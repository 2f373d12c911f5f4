// Reading the audit log: its filters, which the list and the export share, and the export itself.
import { Readable } from "node:stream";
import { z } from "zod";
import { sql, type Reader } from "../../db/index.ts";
import { allOf, AUDIT_ACTIONS, type Condition, contains, queryCount } from "../../http/index.ts";
import { csvHead, csvLine } from "../../lib/csv.ts";
import { redactFields } from "./audit-log.ts";
import { ChangeRows, type ChangeRow } from "../records/change.entity.ts";
import type { ChangeBody } from "./changes.schema.ts";

/** Columns that `q` searches. */
export const SEARCHED = ["actor", "collection", "entity_id", "action"] as const;

export const ChangeFilters = z.object({
  actor: z.string().optional(),
  key: z.string().optional(),
  entityId: z.string().max(256).optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  from: queryCount.optional(),
  to: queryCount.optional(),
});

export function changeConditions(query: z.output<typeof ChangeFilters>): Condition[] {
  const { actor, key, entityId, action, from, to } = query;
  const where: Condition[] = [];
  if (actor !== undefined) where.push(sql<boolean>`actor = ${actor}`);
  if (key !== undefined) where.push(sql<boolean>`collection = ${key}`);
  if (entityId !== undefined) where.push(sql<boolean>`entity_id = ${entityId}`);
  if (action !== undefined) where.push(sql<boolean>`action = ${action}`);
  if (from !== undefined) where.push(sql<boolean>`time >= ${from}`);
  if (to !== undefined) where.push(sql<boolean>`time <= ${to}`);
  return where;
}

/** A record as it is answered; records of older versions are redacted by the rules of today. */
export function changeView({ collection, obj, ...row }: ChangeRow): ChangeBody {
  return { ...row, key: collection, obj: redactFields(obj) };
}

export const ExportFilters = ChangeFilters.extend({
  format: z.enum(["csv", "ndjson"]).default("csv"),
  q: z.string().max(256).optional(),
  updated_since: queryCount.optional(),
});
type Wanted = z.output<typeof ExportFilters>;

/** Rows that are in memory at a time. */
const PIECE = 1000;

/** Pieces of the log, newest first. Records that come meanwhile are newer than the place that was reached. */
async function* pieces(reads: Reader, where: readonly Condition[]): AsyncGenerator<ChangeRow[]> {
  for (let behind: ChangeRow | undefined; ;) {
    const rest = behind ? [...where, sql<boolean>`(time, id) < (${behind.time}, ${behind.id})`] : where;
    const rows = await reads.rows(
      ChangeRows,
      sql`select * from changes where ${allOf(rest)} order by time desc, id desc limit ${PIECE}`,
      { scans: true },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PIECE) return;
    behind = rows.at(-1);
  }
}

const COLUMNS = ["id", "time", "actor", "adminId", "via", "tokenId", "ip", "key", "entityId", "action"] as const;

function csvOf(change: ChangeBody): string {
  return csvLine([...COLUMNS.map((column) => change[column]), JSON.stringify(change.obj)]);
}

/** The records that the filters leave as text, newest first, written as fast as it is read. */
export function exportedChanges(reads: Reader, { format, q, updated_since: since, ...filters }: Wanted): Readable {
  const where = changeConditions(filters);
  if (q !== undefined && q !== "") where.push(contains(reads.dialect, SEARCHED, q));
  if (since !== undefined) where.push(sql<boolean>`time >= ${since}`);
  const line = format === "csv" ? csvOf : (change: ChangeBody) => `${JSON.stringify(change)}\n`;
  async function* texts(): AsyncGenerator<string> {
    if (format === "csv") yield csvHead([...COLUMNS, "obj"]);
    for await (const rows of pieces(reads, where)) yield rows.map((row) => line(changeView(row))).join("");
  }
  return Readable.from(texts());
}
