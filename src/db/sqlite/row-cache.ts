// Rows as they are on disk, kept in memory so that a batch need not read again what the batches before it wrote. SQLite
// only: there this process is the only writer.
//
// Invariants:
// - A row given out equals what a read after the last settled transaction would give. What cannot be said for certain
//   without asking (a value that SQLite would convert, a row just inserted, a set-based statement) is forgotten, never
//   guessed.
// - Values are kept as the driver takes them and decoded again for each batch: nobody can change a kept row by changing
//   the one that they were given.
import type { Lock, RowWrite } from "../row-writes.ts";
import type { WriteSet } from "../store.ts";
import type { Column, Row, SqlValue, Table } from "../table.ts";

/** The values of a row in the order of its table's columns. */
type Values = readonly SqlValue[];
type Generation = Map<string, Map<string, Values>>;

/** Roughly what V8 spends on an entry: the array, the key, the place in the map. */
const ENTRY_BYTES = 160;
const VALUE_BYTES = 16;

export class RowCache {
  readonly #limit: number;
  /**
   * Two generations make a cheap least-recently-used order: what is asked for moves to the young one; when that is
   * full, the old one goes. No library: a table is forgotten as a whole, and the limit is bytes.
   */
  #young: Generation = new Map();
  #old: Generation = new Map();
  #bytes = 0;

  /** `limit`: bytes, about. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The row of a lock, or undefined when it has to be read. */
  get(lock: Lock): Values | undefined {
    const key = lock.key;
    const young = this.#young.get(lock.table)?.get(key);
    if (young) return young;
    const old = this.#old.get(lock.table)?.get(key);
    if (old) this.#keep(lock.table, key, old);
    return old;
  }

  /** A row that was read: its values in the order of its table's columns. */
  read(lock: Lock, values: Values): void {
    this.#keep(lock.table, lock.key, values);
  }

  /** What a transaction wrote, after its commit and in the order of commits. */
  wrote({ purges, writes }: WriteSet): void {
    for (const { table } of purges) this.forgetTable(table.name);
    for (const write of writes) this.#wrote(write);
  }

  /** What a transaction tried to write: it is not known whether it is on disk. */
  forget({ purges, writes }: WriteSet): void {
    for (const { table } of purges) this.forgetTable(table.name);
    for (const write of writes) if (write.op !== "purge") this.#drop(write.table.name, write.key);
  }

  forgetTable(table: string): void {
    this.#young.delete(table);
    this.#old.delete(table);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#bytes = 0;
  }

  /** Only changes of known rows: of what is inserted, most is never locked. */
  #wrote(write: RowWrite): void {
    if (write.op === "purge") return;
    const { table, key } = write;
    const before = this.#young.get(table.name)?.get(key) ?? this.#old.get(table.name)?.get(key);
    if (!before) return;
    const values = write.op === "update" ? valuesAfter(table, before, write.patch) : undefined;
    if (values) this.#keep(table.name, key, values);
    else this.#drop(table.name, key);
  }

  #keep(table: string, key: string, values: Values): void {
    let rows = this.#young.get(table);
    if (!rows) this.#young.set(table, (rows = new Map()));
    if (!rows.has(key)) this.#bytes += sizeOf(values);
    rows.set(key, values);
    if (this.#bytes <= this.#limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  #drop(table: string, key: string): void {
    this.#young.get(table)?.delete(key);
    this.#old.get(table)?.delete(key);
  }
}

/** The values of a row after a change; undefined when SQLite may keep something else than was given. */
function valuesAfter(table: Table, before: Values, patch: Readonly<Row>): Values | undefined {
  const values = [...before];
  for (let index = 0; index < table.columns.length; index++) {
    const column = table.columns[index];
    const property = column && patch[column.property];
    if (!column || property === undefined) continue;
    const value = table.encode(column, property);
    if (!keptAsGiven(column, value)) return undefined;
    values[index] = value;
  }
  return values;
}

/**
 * Whether SQLite gives this value back as it took it: no conversion to the column's affinity, no half of a surrogate
 * pair, no negative zero.
 */
function keptAsGiven({ kind }: Column, value: SqlValue): boolean {
  if (value === null || kind === "json" || kind === "boolean") return true;
  if (kind === "text") return typeof value === "string" && value.isWellFormed();
  return kind === "number" && typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0);
}

function sizeOf(values: Values): number {
  let bytes = ENTRY_BYTES + VALUE_BYTES * values.length;
  for (const value of values) if (typeof value === "string") bytes += value.length;
  return bytes;
}
