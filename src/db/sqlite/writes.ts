// Row writes as prepared statements of the writer, each with the values of all rows that it runs for.
import type { KeyedWrite, RowWrite } from "../draft.ts";
import type { WriteSet } from "../store.ts";
import type { Row, SqlValue, Table } from "../table.ts";
import type { WriterStatement } from "./writer.ts";

type Columns = Table["columns"];

/** How one shape of write is carried out: its text, and the columns whose values it takes in this order (an update's key follows them). */
interface Plan {
  readonly text: string;
  readonly columns: Columns;
}

/** Plans by table and shape; shapes are few, as rows are written whole and patches by a handful of commands. */
const plans = new WeakMap<Table, Map<string, Plan>>();

interface Collected {
  readonly text: string;
  runs: number;
  readonly values: SqlValue[];
}

/** The statements of a write set, in the order in which they must run. */
export function statementsOf({ purges, writes }: WriteSet): WriterStatement[] {
  const statements: Collected[] = [];
  collect(purges, statements);
  for (const op of ["delete", "update", "insert", "upsert"]) {
    collect(
      writes.filter((write) => write.op === op),
      statements,
    );
  }
  return statements;
}

function collect(writes: readonly RowWrite[], into: Collected[]): void {
  const byPlan = new Map<Plan, Collected>();
  for (const write of writes) {
    const { table } = write;
    const row = givenBy(write);
    const plan = planOf(write, row);
    if (plan.columns.length === 0) continue;
    let collected = byPlan.get(plan);
    if (!collected) {
      collected = { text: plan.text, runs: 0, values: [] };
      byPlan.set(plan, collected);
      into.push(collected);
    }
    collected.runs++;
    for (const column of plan.columns) collected.values.push(table.encode(column, row[column.property]));
    if (write.op === "update") collected.values.push(table.encode(table.key, write.id));
  }
}

/** The values that a write carries, by property. */
function givenBy(write: RowWrite): Readonly<Row> {
  switch (write.op) {
    case "purge":
      return write.where;
    case "delete":
      return { [write.table.key.property]: write.id };
    case "update":
      return write.patch;
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
  switch (op) {
    case "purge":
    case "delete":
      return `delete from ${table.name} where ${names.map((name) => `${name} = ?`).join(" and ")}`;
    case "update":
      return `update ${table.name} set ${names.map((name) => `${name} = ?`).join(", ")} where ${key} = ?`;
    default: {
      const sets = names.map((name) => `${name} = excluded.${name}`).join(", ");
      const conflict = op === "upsert" ? ` on conflict (${key}) do update set ${sets}` : "";
      return `insert into ${table.name} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})${conflict}`;
    }
  }
}
