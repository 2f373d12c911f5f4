// Row writes as set-based PostgreSQL statements: one per table, operation and set of columns, with the rows as one JSON parameter.
import type { RowWrite } from "../draft.ts";
import type { Sql, WriteSet } from "../store.ts";
import type { Row, Table } from "../table.ts";

interface Group {
  readonly write: RowWrite;
  readonly names: readonly string[];
  readonly rows: Row[];
}

/** The statements of a write set, in the order in which they must run. */
export function statementsOf({ purges, writes }: WriteSet): Sql[] {
  const statements = groupsOf(purges).map(statementOf);
  for (const op of ["delete", "update", "insert", "upsert"]) {
    statements.push(...groupsOf(writes.filter((write) => write.op === op)).map(statementOf));
  }
  return statements;
}

function groupsOf(writes: readonly RowWrite[]): Group[] {
  const groups = new Map<string, Group>();
  for (const write of writes) {
    const row = columnsOf(write);
    const names = Object.keys(row);
    const signature = `${write.op} ${write.table.name} ${names.join(",")}`;
    const group = groups.get(signature);
    if (group) group.rows.push(row);
    else groups.set(signature, { write, names, rows: [row] });
  }
  return [...groups.values()];
}

/** Values by column name, as `json_populate_recordset` reads them. */
function columnsOf(write: RowWrite): Row {
  const { table } = write;
  if (write.op === "delete") return { [table.key.name]: write.id };
  if (write.op === "purge") return named(table, write.where);
  if (write.op === "update") return { ...named(table, write.patch), [table.key.name]: write.id };
  return named(table, write.row);
}

function named(table: Table, row: Readonly<Row>): Row {
  const result: Row = {};
  for (const [property, value] of Object.entries(row)) {
    if (value === undefined) continue;
    result[table.column(property).name] = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
  }
  return result;
}

function statementOf({ write, names, rows }: Group): Sql {
  const { table } = write;
  const key = table.key.name;
  const source = `json_populate_recordset(null::${table.name}, $1::json) x`;
  const values = [JSON.stringify(rows)];
  switch (write.op) {
    case "delete":
    case "purge":
      return {
        text: `delete from ${table.name} t using ${source} where ${names.map((name) => `t.${name} = x.${name}`).join(" and ")}`,
        values,
      };
    case "update": {
      const sets = names.filter((name) => name !== key).map((name) => `${name} = x.${name}`);
      return { text: `update ${table.name} t set ${sets.join(", ")} from ${source} where t.${key} = x.${key}`, values };
    }
    default: {
      const list = names.join(", ");
      const conflict =
        write.op === "upsert" ? ` on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(", ")}` : "";
      return {
        text: `insert into ${table.name} (${list}) select ${names.map((name) => `x.${name}`).join(", ")} from ${source}${conflict}`,
        values,
      };
    }
  }
}
