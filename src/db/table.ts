// Tables as the rest of the code sees them: rows are plain objects under their property names; this file converts them
// to and from columns.
import { BooleanType, JsonType, TextType } from "@mikro-orm/core";
import type { EntityMetadata, EntitySchema, InferEntity } from "@mikro-orm/core";

export type Dialect = "sqlite" | "postgresql";
export type Key = string | number;
export type Row = Record<string, unknown>;
/** Value as a driver takes it. */
export type SqlValue = string | number | bigint | null | Uint8Array | boolean;

/** An entity as it is handed to commits and reads; the row type rides along. Made by `entity()`. */
export interface Entity<R extends object> {
  readonly name: string;
  readonly schema: EntitySchema;
  /** See `entity()`. */
  readonly owned?: true;
  /** See `entity()`. */
  readonly triggers?: true;
  /** See `entity()`; absent: always. */
  readonly archive?: Archived;
  /** Never set: carries the row type. */
  readonly row?: R;
}

/** Which archives have a table: only those with the series of traffic, only those with the log of changes, or none. */
export type Archived = "history" | "audit" | "never";

/** A plain row of what `defineEntity` described: every property present, null where nothing is. */
type PlainRow<S extends { "~entity": unknown }> = {
  -readonly [K in keyof InferEntity<S> as K extends string ? K : never]-?: Exclude<InferEntity<S>[K], undefined>;
};

interface EntityOptions {
  readonly owned?: boolean;
  readonly triggers?: boolean;
  readonly archive?: Archived;
}

/**
 * Names a table for commits and reads. `schema` comes from `defineEntity`. `owned`: each of its rows belongs to a row
 * of another table and is written only under that row's lock, often without a lock of its own. Rows of owned tables are
 * therefore locked after all others: a transaction that waits for one already holds its owner. `triggers`: SQLite keeps
 * a full-text index of them by triggers; see `sqlite/writes.ts`. `archive`: whether archives have it; `never` is for
 * what is of a process, a machine or a moment, and would be wrong in another one.
 */
export function entity<S extends EntitySchema & { "~entity": unknown }>(
  schema: S,
  { owned = false, triggers = false, archive }: EntityOptions = {},
): Entity<PlainRow<S>> {
  const name = schema.meta.tableName;
  return { name, schema, ...(owned && { owned }), ...(triggers && { triggers }), ...(archive && { archive }) };
}

/** The row type of an entity. */
export type RowOf<E> = E extends Entity<infer R> ? R : never;

/** The columns of a row that can hold nothing: all but JSON that may not be null. */
export type BlankRow<R> = {
  [K in keyof R as NonNullable<R[K]> extends string | number | boolean ? K : null extends R[K] ? K : never]: R[K];
};

/** A row in which every column holds nothing: null where it may be null, else 0, the empty text or false. */
export function blankRow<R extends object>({ schema }: Entity<R>): BlankRow<R> {
  const columns = Object.entries<{ type: unknown; nullable?: boolean }>(schema.meta.properties);
  const blank = columns.flatMap(([name, { type, nullable = false }]): [string, unknown][] => {
    if (nullable) return [[name, null]];
    const is = (known: unknown) => type === known || (typeof known === "function" && type instanceof known);
    if (is(JsonType)) return [];
    if (is(BooleanType)) return [[name, false]];
    return [[name, is(TextType) ? "" : 0]];
  });
  // The entity's schema says which columns there are, and `PlainRow` is their type.
  return Object.fromEntries(blank) as BlankRow<R>;
}

export interface Column {
  readonly property: string;
  readonly name: string;
  /** What its values are; `plain`: anything that a driver takes as it is. */
  readonly kind: "json" | "boolean" | "number" | "text" | "plain";
  readonly nullable: boolean;
}

/**
 * What no number of ours passes. What an older version stored beyond it is read as it, so that one absurd figure does
 * not make whole lists unreadable.
 */
const MOST = Number.MAX_SAFE_INTEGER;

function kindOf(runtimeType: string): Column["kind"] {
  if (runtimeType === "boolean" || runtimeType === "number") return runtimeType;
  return runtimeType === "string" ? "text" : "plain";
}

/**
 * Row codec of one table: what MikroORM's hydration would convert, without an entity (see `docs/architecture.md`,
 * reads).
 */
export class Table {
  readonly name: string;
  /** Column and property of the single-column primary key. */
  readonly key: Column;
  readonly columns: readonly Column[];
  readonly owned: boolean;
  readonly triggers: boolean;
  /** See `entity()`; undefined: always. */
  readonly archive: Archived | undefined;
  /** Columns whose texts are sealed (`sealed.ts`); `partly`: not every text of it is. */
  readonly sealed: readonly { readonly column: string; readonly partly: boolean }[];
  /** Columns with numbers, without the key: what `Draft.add` adds up. */
  readonly numbers: readonly Column[];
  /** All columns, as a select list; `decodeValues` reads what it selects. */
  readonly list: string;
  /** A row of nulls: objects that begin as its copies have one shape, which costs half of adding each property. */
  readonly #blank: Readonly<Row>;
  readonly #byProperty: ReadonlyMap<string, Column>;
  readonly #dialect: Dialect;

  constructor(
    meta: EntityMetadata,
    dialect: Dialect,
    { owned = false, triggers = false, archive }: EntityOptions = {},
    sealed: Table["sealed"] = [],
  ) {
    this.name = meta.tableName;
    this.owned = owned;
    this.triggers = triggers;
    this.archive = archive;
    this.sealed = sealed;
    this.#dialect = dialect;
    this.columns = meta.props.map((prop) => ({
      property: prop.name,
      name: prop.fieldNames[0] ?? prop.name,
      kind: prop.customType instanceof JsonType ? "json" : kindOf(prop.runtimeType),
      nullable: prop.nullable === true,
    }));
    this.list = this.columns.map((column) => column.name).join(", ");
    this.#blank = Object.fromEntries(this.columns.map(({ property }) => [property, null]));
    this.#byProperty = new Map(this.columns.map((column) => [column.property, column]));
    const [key, ...more] = meta.primaryKeys;
    if (key === undefined || more.length > 0)
      throw new Error(`table ${meta.tableName} needs a primary key of one column`);
    this.key = this.column(key);
    this.numbers = this.columns.filter((column) => column.kind === "number" && column !== this.key);
  }

  /** The column of a property; throws for one that the table has not. */
  column(property: string): Column {
    const column = this.#byProperty.get(property);
    if (!column) throw new Error(`table ${this.name} has no property ${property}`);
    return column;
  }

  /** A property's value as this dialect's driver takes it. */
  encode(column: Column, value: unknown): SqlValue {
    if (value === undefined || value === null) return null;
    if (column.kind === "json") return JSON.stringify(value);
    if (column.kind === "boolean" && this.#dialect === "sqlite") return value === true ? 1 : 0;
    if (
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "bigint" ||
      typeof value === "boolean"
    )
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`${this.name}.${column.name} cannot hold a ${typeof value}`);
  }

  /** A row from its values in the order of `list`, as the driver returns them. */
  decodeValues(values: readonly unknown[]): Row {
    const row: Row = { ...this.#blank };
    const sqlite = this.#dialect === "sqlite";
    for (let index = 0; index < this.columns.length; index++) {
      const column = this.columns[index];
      if (!column) break;
      const value = values[index];
      if (value === null) continue;
      if (column.kind === "json")
        row[column.property] = sqlite && typeof value === "string" ? JSON.parse(value) : value;
      else if (column.kind === "boolean") row[column.property] = value === true || value === 1;
      else row[column.property] = column.kind === "number" && typeof value === "number" && value > MOST ? MOST : value;
    }
    return row;
  }

  /**
   * A row as drivers return it (by column name; JSON as text on SQLite, as its value on PostgreSQL), as a row by
   * property name. Columns that were not selected stay absent.
   */
  decode(raw: Row): Row {
    const row: Row = {};
    const sqlite = this.#dialect === "sqlite";
    for (const column of this.columns) {
      const value = raw[column.name];
      if (value === undefined) continue;
      if (value === null) row[column.property] = null;
      else if (column.kind === "json" && sqlite && typeof value === "string") row[column.property] = JSON.parse(value);
      else if (column.kind === "boolean") row[column.property] = value === true || value === 1;
      else row[column.property] = column.kind === "number" && typeof value === "number" && value > MOST ? MOST : value;
    }
    return row;
  }
}

/** All tables of a database by entity. */
export class Tables {
  readonly #byName = new Map<string, Table>();

  constructor(tables: Iterable<Table>) {
    for (const table of tables) this.#byName.set(table.name, table);
  }

  of<R extends object>({ name }: Entity<R>): Table {
    return this.named(name);
  }

  named(name: string): Table {
    const table = this.#byName.get(name);
    if (!table) throw new Error(`unknown table ${name}`);
    return table;
  }

  /** Whether this version has the table. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  all(): Iterable<Table> {
    return this.#byName.values();
  }
}
