// Locks of rows, and changes of rows as plain data: what a draft records, and a store carries out.
import type { Entity, Key, Row, Table } from "./table.ts";

/**
 * A row that a command decides on. `write` (default): nobody else may change it meanwhile. `read`: it may not change,
 * but others may hold it too.
 */
export interface Lock {
  readonly table: string;
  readonly id: Key;
  readonly mode: "write" | "read";
  /** The row's name in maps; see `lockKey`. */
  readonly key: string;
  /** One of very many that are gone through once: it takes no place in memory from rows that are asked for again. */
  readonly passing?: true;
}

/** Locks a row of an entity. */
export function lock<R extends object>(entity: Entity<R>, id: Key, mode: Lock["mode"] = "write"): Lock {
  return { table: entity.name, id, mode, key: lockKey({ table: entity.name, id }) };
}

/** Locks a row that is gone through with very many others. */
export function passingLock<R extends object>(entity: Entity<R>, id: Key): Lock {
  return { ...lock(entity, id), passing: true };
}

export function lockKey({ table, id }: { table: string; id: Key }): string {
  return `${table}:${id}`;
}

/**
 * One row's change, under its lock key. `update` carries only the properties that change; `insert`, `upsert` and `add`
 * whole rows, of which `add` adds the numbers to those on disk.
 */
export type KeyedWrite = { readonly table: Table; readonly id: Key; readonly key: string } & (
  | { readonly op: "insert" | "upsert" | "add"; readonly row: Row }
  | { readonly op: "update"; readonly patch: Row }
  | { readonly op: "delete" }
);

/** Deletes all rows whose properties equal those of `where`. */
export interface Purge {
  readonly op: "purge";
  readonly table: Table;
  readonly where: Readonly<Row>;
}

export type RowWrite = KeyedWrite | Purge;

/** A row before and after a commit. */
export interface RowChange {
  readonly table: string;
  readonly id: Key;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}
