// Row writes as set-based PostgreSQL statements: one per table, operation and set of columns, with the rows as one JSON parameter.
import type { KeyedWrite, RowWrite } from "../draft.ts";
import type { Sql, WriteSet } from "../store.ts";
import type { Row, Table } from "../table.ts";

type Columns = Table["columns"];

/** How one shape of write is carried out: its text, and the columns that its rows carry. */
interface Plan {
  readonly text: string;
  readonly columns: Columns;
}

/** Plans by table and shape; shapes are few, as rows are written whole and patches by a handful of commands. */
const plans = new WeakMap<Table, Map<string, Plan>>();

/** The statements of a write set, in the order in which they must run. */
export function statementsOf({ purges, writes }: WriteSet): Sql[] {
  const statements = grouped(purges);
  for (const op of ["delete", "update", "insert", "upsert"]) statements.push(...grouped(writes.filter((write) => write.op === op)));
  return statements;
}

function grouped(writes: readonly RowWrite[]): Sql[] {
  const groups = new Map<Plan, Row[]>();
  for (const write of writes) {
    const given = givenBy(write);
    const plan = planOf(write, given);
    const row: Row = {};
    for (const { name, property } of plan.columns) {
      const value = given[property];
      row[name] = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
    }
    const rows = groups.get(plan);
    if (rows) rows.push(row);
    else groups.set(plan, [row]);
  }
  return [...groups].map(([plan, rows]) => ({ text: plan.text, values: [JSON.stringify(rows)] }));
}

/** The values that a write carries, by property; the key among them. */
function givenBy(write: RowWrite): Readonly<Row> {
  switch (write.op) {
    case "purge":
      return write.where;
    case "delete":
      return { [write.table.key.property]: write.id };
    case "update":
      return { ...write.patch, [write.table.key.property]: write.id };
    default:
      return write.row;
  }
}

function planOf(write: RowWrite, row: Readonly<Row>): Plan {
  let known = plans.get(write.table);
  if (!known) plans.set(write.table, (known = new Map()));
  let shape: string = write.op;
  for (const property in row) if (row[property] !== undefined) shape += `,${property}`;
  let plan = known.get(shape);
  if (!plan) {
    const columns = Object.keys(row)
      .filter((property) => row[property] !== undefined)
      .map((property) => write.table.column(property));
    plan = { text: textOf(write.op, write.table, columns), columns };
    known.set(shape, plan);
  }
  return plan;
}

function textOf(op: KeyedWrite["op"] | "purge", table: Table, columns: Columns): string {
  const names = columns.map((column) => column.name);
  const key = table.key.name;
  const source = `json_populate_recordset(null::${table.name}, $1::json) x`;
  switch (op) {
    case "delete":
    case "purge":
      return `delete from ${table.name} t using ${source} where ${names.map((name) => `t.${name} = x.${name}`).join(" and ")}`;
    case "update": {
      const sets = names.filter((name) => name !== key).map((name) => `${name} = x.${name}`);
      return `update ${table.name} t set ${sets.join(", ")} from ${source} where t.${key} = x.${key}`;
    }
    default: {
      const list = names.join(", ");
      const sets = names.map((name) => `${name} = excluded.${name}`).join(", ");
      const conflict = op === "upsert" ? ` on conflict (${key}) do update set ${sets}` : "";
      return `insert into ${table.name} (${list}) select ${names.map((name) => `x.${name}`).join(", ")} from ${source}${conflict}`;
    }
  }
}
