// Row writes as set-based PostgreSQL statements: one per table, operation and set of columns, with the rows as one JSON
// parameter.
import type { RowWrite } from "../row-writes.ts";
import type { Sql, WriteSet } from "../store.ts";
import type { Row, Table } from "../table.ts";
import { conflictClause, givenBy, inOrder, WritePlans, type Columns, type WritePlan } from "../write-plans.ts";

const plans = new WritePlans(textOf);

/** The statements of a write set, in the order in which they must run. */
export function statementsOf(set: WriteSet): Sql[] {
  return [...inOrder(set).flatMap((writes) => grouped(writes)), ...set.statements];
}

function grouped(writes: readonly RowWrite[]): Sql[] {
  const groups = new Map<WritePlan, Row[]>();
  for (const write of writes) {
    const given = givenBy(write);
    const plan = plans.of(write, given);
    if (plan.columns.length === 0) continue;
    const row: Row = {};
    for (const { name, property } of plan.columns) {
      const value = given[property];
      row[name] = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
    }
    if (write.op === "update") row[write.table.key.name] = write.id;
    const rows = groups.get(plan);
    if (rows) rows.push(row);
    else groups.set(plan, [row]);
  }
  return [...groups].map(([plan, rows]) => ({ text: plan.text, values: [JSON.stringify(rows)] }));
}

function textOf(op: WritePlan["op"], table: Table, columns: Columns): string {
  const names = columns.map((column) => column.name);
  const key = table.key.name;
  const source = `json_populate_recordset(null::${table.name}, $1::json) x`;
  switch (op) {
    case "delete":
    case "purge":
      return `delete from ${table.name} t using ${source} where ${names.map((name) => `t.${name} = x.${name}`).join(" and ")}`;
    case "update": {
      const sets = names.map((name) => `${name} = x.${name}`);
      return `update ${table.name} t set ${sets.join(", ")} from ${source} where t.${key} = x.${key}`;
    }
    default: {
      const list = names.join(", ");
      const conflict = conflictClause(op, table, columns);
      return `insert into ${table.name} (${list}) select ${names.map((name) => `x.${name}`).join(", ")} from ${source}${conflict}`;
    }
  }
}
