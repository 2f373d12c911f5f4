// How a row write is carried out, remembered by its shape: which columns it carries, and the statement that every write
// of that shape shares.
import type { KeyedWrite, RowWrite } from "./row-writes.ts";
import type { WriteSet } from "./store.ts";
import type { Row, Table } from "./table.ts";

export type Columns = Table["columns"];
type Operation = KeyedWrite["op"] | "purge";

export interface WritePlan {
  readonly op: Operation;
  /** What it carries; an update's key is not among them. */
  readonly columns: Columns;
  readonly text: string;
}

/** Plans of one dialect. Shapes are few, as rows are written whole and changes come from a handful of commands. */
export class WritePlans {
  readonly #plans = new WeakMap<Table, WritePlan[]>();
  readonly #textOf: (op: Operation, table: Table, columns: Columns) => string;

  constructor(textOf: (op: Operation, table: Table, columns: Columns) => string) {
    this.#textOf = textOf;
  }

  /** The plan of a write that carries `given`; properties that are undefined count as not given. */
  of({ op, table }: RowWrite, given: Readonly<Row>): WritePlan {
    let known = this.#plans.get(table);
    if (!known) this.#plans.set(table, (known = []));
    let count = 0;
    for (const property in given) if (given[property] !== undefined) count++;
    for (const plan of known)
      if (plan.op === op && plan.columns.length === count && carries(given, plan.columns)) return plan;
    const columns = Object.keys(given)
      .filter((property) => given[property] !== undefined)
      .map((property) => table.column(property));
    const plan = { op, columns, text: this.#textOf(op, table, columns) };
    known.push(plan);
    return plan;
  }
}

function carries(given: Readonly<Row>, columns: Columns): boolean {
  for (const { property } of columns) if (given[property] === undefined) return false;
  return true;
}

/** The values that a write carries, by property. */
export function givenBy(write: RowWrite): Readonly<Row> {
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

/** The writes of a set by what is done, in the order in which that must be done. */
export function inOrder({ purges, writes }: WriteSet): (readonly RowWrite[])[] {
  const deletes: RowWrite[] = [];
  const updates: RowWrite[] = [];
  const inserts: RowWrite[] = [];
  const upserts: RowWrite[] = [];
  const adds: RowWrite[] = [];
  const groups = { delete: deletes, update: updates, insert: inserts, upsert: upserts, purge: deletes, add: adds };
  for (const write of writes) groups[write.op].push(write);
  // Rows that everybody adds to come last, so that they are held for as short as can be, and always in one order.
  adds.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return [purges, deletes, updates, inserts, upserts, adds];
}

function keyOf(write: RowWrite): string {
  return write.op === "purge" ? "" : write.key;
}

/** What an insert does where the key is taken: an `upsert` replaces, an `add` adds the numbers up. */
export function conflictClause(op: Operation, table: Table, columns: Columns): string {
  if (op !== "upsert" && op !== "add") return "";
  const sets =
    op === "add"
      ? table.numbers.map(({ name }) => `${name} = ${table.name}.${name} + excluded.${name}`)
      : columns.map(({ name }) => `${name} = excluded.${name}`);
  return ` on conflict (${table.key.name}) do update set ${sets.join(", ")}`;
}
