// Row writes as prepared statements of the writer, each with the values of all rows that it runs for.
//
// A row is a run of its statement, but for tables with triggers: there many rows are one statement. SQLite makes a
// savepoint for each statement that a trigger is part of, and a full-text index writes what it has to disk at every
// savepoint: a piece of its own for each row, which are merged later. A row by itself costs four times as much.
import type { RowWrite } from "../row-writes.ts";
import type { WriteSet } from "../store.ts";
import type { SqlValue, Table } from "../table.ts";
import { conflictClause, givenBy, inOrder, WritePlans, type Columns, type WritePlan } from "../write-plans.ts";
import type { WriterStatement } from "./writer.ts";

interface Collected {
  readonly text: string;
  runs: number;
  readonly values: SqlValue[];
  readonly plan: WritePlan;
  readonly table: Table;
}

/** Rows of one statement, of those that go together. Each number of rows up to it has a prepared statement. */
const TOGETHER = 64;

const plans = new WritePlans(textOf);

/** The statements of a write set, in the order in which they must run. */
export function statementsOf(set: WriteSet): WriterStatement[] {
  const statements: Collected[] = [];
  for (const writes of inOrder(set)) collect(writes, statements);
  return [
    ...statements.flatMap(asRun),
    ...set.statements.map(({ text, values }) => ({ text, runs: 1, values: [...values] })),
  ];
}

function asRun({ text, runs, values, plan, table }: Collected): WriterStatement[] {
  if (runs === 1 || !table.triggers || (plan.op !== "insert" && plan.op !== "upsert")) return [{ text, runs, values }];
  const width = plan.columns.length;
  return Array.from({ length: Math.ceil(runs / TOGETHER) }, (_, piece) => {
    const part = values.slice(piece * TOGETHER * width, (piece + 1) * TOGETHER * width);
    return { text: insertion(plan.op, table, plan.columns, part.length / width), runs: 1, values: part };
  });
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
      collected = { text: plan.text, runs: 0, values: [], plan, table };
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
    default:
      return insertion(op, table, columns, 1);
  }
}

function insertion(op: WritePlan["op"], table: Table, columns: Columns, rows: number): string {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const names = columns.map(({ name }) => name).join(", ");
  const conflict = conflictClause(op, table, columns);
  return `insert into ${table.name} (${names}) values ${Array<string>(rows).fill(row).join(", ")}${conflict}`;
}
