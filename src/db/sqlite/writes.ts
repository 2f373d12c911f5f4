// Row writes as prepared statements of the writer, each with the values of all rows that it runs for.
import type { RowWrite } from "../draft.ts";
import type { WriteSet } from "../store.ts";
import type { SqlValue, Table } from "../table.ts";
import { conflictClause, givenBy, inOrder, WritePlans, type Columns, type WritePlan } from "../write-plans.ts";
import type { WriterStatement } from "./writer.ts";

interface Collected {
  readonly text: string;
  runs: number;
  readonly values: SqlValue[];
}

const plans = new WritePlans(textOf);

/** The statements of a write set, in the order in which they must run. */
export function statementsOf(set: WriteSet): WriterStatement[] {
  const statements: Collected[] = [];
  for (const writes of inOrder(set)) collect(writes, statements);
  return [...statements, ...set.statements.map(({ text, values }) => ({ text, runs: 1, values: [...values] }))];
}

function collect(writes: readonly RowWrite[], into: Collected[]): void {
  const byPlan = new Map<WritePlan, Collected>();
  for (const write of writes) {
    const { table } = write;
    const given = givenBy(write);
    const plan = plans.of(write, given);
    if (plan.columns.length === 0) continue;
    let collected = byPlan.get(plan);
    if (!collected) {
      collected = { text: plan.text, runs: 0, values: [] };
      byPlan.set(plan, collected);
      into.push(collected);
    }
    collected.runs++;
    for (const column of plan.columns) collected.values.push(table.encode(column, given[column.property]));
    // The key of an update stands last in its text.
    if (write.op === "update") collected.values.push(table.encode(table.key, write.id));
  }
}

function textOf(op: WritePlan["op"], table: Table, columns: Columns): string {
  const names = columns.map((column) => column.name);
  const key = table.key.name;
  switch (op) {
    case "purge":
    case "delete":
      return `delete from ${table.name} where ${names.map((name) => `${name} = ?`).join(" and ")}`;
    case "update":
      return `update ${table.name} set ${names.map((name) => `${name} = ?`).join(", ")} where ${key} = ?`;
    default: {
      const conflict = conflictClause(op, table, columns);
      return `insert into ${table.name} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})${conflict}`;
    }
  }
}
