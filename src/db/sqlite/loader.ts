// Loads rows into a SQLite file that is being built: nothing reads it yet, so nothing has to survive a cut.
import Database from "better-sqlite3";
import {
  fitted,
  MIGRATIONS,
  RowUnfit,
  type ColumnKind,
  type LoadColumn,
  type Loader,
  type LoadTable,
  type SealText,
} from "../snapshot/loader.ts";
import type { NeutralRow } from "../snapshot/snapshot.ts";

interface OpenLoader extends Loader {
  readonly connection: Database.Database;
  close(): void;
}

interface TableInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** `file`: a database with its schema, and no rows but those that migrations write. */
export function loadSqlite(file: string, seal: SealText): OpenLoader {
  const connection = new Database(file, { fileMustExist: true });
  connection.pragma("journal_mode = memory");
  connection.pragma("synchronous = off");
  connection.pragma("foreign_keys = off");
  const tables = new Map(tableNames(connection).map((name) => [name, tableOf(connection, name)]));
  const inserts = new Map<string, Database.Statement>();
  const tableNamed = (name: string): LoadTable => {
    const table = tables.get(name);
    if (!table) throw new RowUnfit(`the database has no table ${name}`);
    return table;
  };
  const insertInto = ({ name, columns }: LoadTable): Database.Statement => {
    let insert = inserts.get(name);
    if (!insert) {
      const names = columns.map((column) => `"${column.name}"`).join(", ");
      insert = connection.prepare(`insert into "${name}" (${names}) values (${columns.map(() => "?").join(", ")})`);
      inserts.set(name, insert);
    }
    return insert;
  };
  const load = (name: string, rows: readonly NeutralRow[]): void => {
    const table = tableNamed(name);
    const insert = insertInto(table);
    for (const row of rows) {
      const values = fitted(table, row, seal);
      try {
        insert.run(values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
      } catch (cause) {
        if (!isOfTheData(cause)) throw cause;
        throw new RowUnfit(`${String(row[table.key])} of ${name}: ${cause.message}`, { cause });
      }
    }
  };
  const loadAll = connection.transaction(load);
  return {
    connection,
    tables: new Map([...tables].map(([name, { columns }]) => [name, columns])),
    check(name, rows) {
      const table = tableNamed(name);
      for (const row of rows) fitted(table, row, seal);
    },
    clear: async () => {
      for (const name of tables.keys()) if (name !== MIGRATIONS) connection.exec(`delete from "${name}"`);
    },
    load: async (table, rows) => loadAll(table, rows),
    // SQLite gives the next id behind the largest one.
    finish: async () => {},
    close: () => connection.close(),
  };
}

/** Its own tables: not those of a full-text index, which triggers write. */
function tableNames(connection: Database.Database): string[] {
  return connection
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
    )
    .pluck()
    .all() as string[];
}

function tableOf(connection: Database.Database, name: string): LoadTable {
  const infos = connection
    .prepare('select name, type, "notnull", pk from pragma_table_info(?)')
    .all(name) as TableInfo[];
  return { name, key: infos.find(({ pk }) => pk === 1)?.name ?? "", columns: infos.map(columnOf) };
}

/** Errors of values and of constraints, not of the disk. */
function isOfTheData(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof TypeError || ("code" in error && /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)/.test(String(error.code)))
  );
}

function columnOf({ name, type, notnull, pk }: TableInfo): LoadColumn {
  return { name, kind: kindOf(type.toLowerCase()), nullable: notnull === 0 && pk === 0 };
}

function kindOf(type: string): ColumnKind {
  if (type === "json") return "json";
  if (type === "blob") return "bytes";
  return type === "text" ? "text" : "number or flag";
}
