// Writes rows of sums: whole rows, in few statements of few sizes.
import type { Statement } from "../db/index.ts";

export type Table = "traffic_hours" | "traffic_days" | "traffic_months";

export interface Change {
  readonly id: number;
  readonly passed: boolean;
  readonly data: Uint8Array;
}

/** Rows of one statement. Few sizes, so that few texts are prepared. */
const SIZES = [128, 16, 1];

export function foldStatements(dialect: "sqlite" | "postgresql", table: Table, rows: readonly Change[]): Statement[] {
  const statements: Statement[] = [];
  for (const passed of [false, true]) {
    const mine = rows.filter((row) => row.passed === passed).toSorted((one, other) => one.id - other.id);
    let done = 0;
    for (const size of SIZES)
      for (; mine.length - done >= size; done += size) {
        const values = mine.slice(done, done + size).flatMap(({ id, data }) => [id, data]);
        statements.push({ label: "sums", text: textOf(dialect, table, passed, size), values, rows: size });
      }
  }
  return statements;
}

function textOf(dialect: "sqlite" | "postgresql", table: Table, passed: boolean, size: number): string {
  const row = (at: number) =>
    dialect === "sqlite" ? `(?, ${passed}, ?)` : `($${2 * at + 1}, ${passed}, $${2 * at + 2})`;
  const list = Array.from({ length: size }, (_, at) => row(at)).join(", ");
  return `insert into ${table} (id, passed, data) values ${list} on conflict (id) do update set data = excluded.data`;
}
