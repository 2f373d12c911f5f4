// Reading the log of an actor's errands, oldest first, behind a cursor: the number of the last line that was read.
import { sql, type Reader } from "../../db/index.ts";
import { ErrandLineRows, ErrandRows, errandId, type ErrandLineRow, type Supervisor } from "../../runtime/index.ts";
import { refuseNobody, type ActorParams } from "./actor.schema.ts";
import type { LogPage } from "./log.schema.ts";

/** Lines of an answer or a frame, where nothing else is asked for. */
export const DEFAULT_LINES = 200;
export const MOST_LINES = 1000;

/** The lines behind a cursor; undefined of an actor that has no log. */
export async function logPage(
  reads: Reader,
  kind: string,
  id: number,
  cursor: number,
  limit = DEFAULT_LINES,
): Promise<LogPage | undefined> {
  const head = await reads.find(ErrandRows, errandId(kind, id));
  if (!head) return undefined;
  const rows = await reads.rows(
    ErrandLineRows,
    sql`select * from errand_lines where kind = ${kind} and actor_id = ${id} and seq > ${cursor} order by seq limit ${limit}`,
  );
  // A cursor of a database that was replaced by an older one may be beyond the newest line.
  return { rows: rows.map(lineView), cursor: rows.at(-1)?.seq ?? Math.min(cursor, head.lines) };
}

function lineView({ seq, at, level, code, args, text }: ErrandLineRow): LogPage["rows"][number] {
  return { seq, at: Math.floor(at / 1000), atMs: at, level, code, values: [...args], text };
}

/** Refuses actors that neither are there nor have a log. */
export function existingLog(reads: Reader, supervisor: Supervisor): (params: ActorParams) => Promise<void> {
  return async ({ kind, id }) => {
    const known = supervisor.kinds.get(kind);
    if (!known) return refuseNobody(kind, id);
    const [row, head] = await Promise.all([
      reads.find(known.definition.entity, id),
      reads.find(ErrandRows, errandId(kind, id)),
    ]);
    if (!row && !head) refuseNobody(kind, id);
  };
}
