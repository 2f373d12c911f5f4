// Reads the current rows again, for callers that cannot tell which of two messages is newer.
import type { RowChange } from "./row-writes.ts";
import { sql, type Reader } from "./read.ts";
import type { Key, Row } from "./table.ts";

/** Ids per statement. */
const PAGE = 1000;

/** The rows of these keys, each as a change whose old value is unknown. */
export async function rowsNow(reads: Reader, name: string, ids: readonly Key[]): Promise<RowChange[]> {
  const table = reads.tables.named(name);
  const changes: RowChange[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const raw = await reads.query(
      sql<Row>`select * from ${sql.table(name)} where ${sql.ref(table.key.name)} in (${sql.join(page)})`,
    );
    const byId = new Map(raw.map((row) => [row[table.key.name], table.decode(row)]));
    for (const id of page) changes.push({ table: name, id, before: undefined, after: byId.get(id) });
  }
  return changes;
}
