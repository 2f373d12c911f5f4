// Many rows from one: the first is made as the panel makes it, the others are copies of it in one statement. So a bench
// need not know what all the columns mean.
import type { Database } from "../../../src/db/index.ts";
import { runStatement } from "./actors.ts";

/** Numbers that copies get, first and last included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const sizeOf = ({ from, to }: Span): number => to - from + 1;

/**
 * Copies the row `original` (SQL for its key) of a table. `changed`: columns that differ, as SQL in which `n` is the
 * copy's number.
 */
export async function copyRow(
  db: Database,
  table: string,
  original: string,
  span: Span,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const { columns, key } = db.tables.named(table);
  const names = columns.map(({ name }) => name);
  const unknown = Object.keys(changed).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`the table ${table} has no column ${unknown.join(", ")}`);
  const numbers = `with recursive numbers (n) as (select ${span.from} union all select n + 1 from numbers where n < ${span.to})`;
  const insert = `insert into ${table} (${names.join(", ")})`;
  const select = `select ${names.map((name) => changed[name] ?? `o.${name}`).join(", ")} from numbers cross join ${table} o where o.${key.name} = ${original}`;
  await runStatement(
    db,
    db.dialect === "sqlite" ? `${insert} ${numbers} ${select}` : `${numbers} ${insert} ${select}`,
    sizeOf(span),
  );
}
