// Loads rows into a SQLite file that is being built: nothing reads it yet, so nothing has to survive a cut.
import Database from "better-sqlite3";
import {
  fitted,
  MIGRATIONS,
  RowUnfit,
  type ColumnKind,
  type LoadColumn,
  type Loader,
  type SealText,
} from "../snapshot/loader.ts";
import type { NeutralRow } from "../snapshot/snapshot.ts";

interface OpenLoader extends Loader {
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
  const infos = new Map(tableNames(connection).map((name) => [name, columnsOf(connection, name)]));
  const tables = new Map([...infos].map(([name, columns]) => [name, columns.map(columnOf)]));
  const inserts = new Map<string, Database.Statement>();
  const load = (table: string, rows: readonly NeutralRow[]): void => {
    const columns = tables.get(table);
    const key = infos.get(table)?.find(({ pk }) => pk === 1)?.name;
    if (!columns || key === undefined) throw new RowUnfit(`the database has no table ${table}`);
    let insert = inserts.get(table);
    if (!insert) {
      const names = columns.map(({ name }) => `"${name}"`).join(", ");
      insert = connection.prepare(`insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`);
      inserts.set(table, insert);
    }
    for (const row of rows) {
      const values = [...fitted(table, columns, key, row, seal).values()];
      try {
        insert.run(values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
      } catch (cause) {
        throw new RowUnfit(`${String(row[key])} of ${table}: ${cause instanceof Error ? cause.message : "?"}`, {
          cause,
        });
      }
    }
  };
  const loadAll = connection.transaction(load);
  return {
    tables,
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

function columnsOf(connection: Database.Database, table: string): TableInfo[] {
  return connection.prepare('select name, type, "notnull", pk from pragma_table_info(?)').all(table) as TableInfo[];
}

function columnOf({ name, type, notnull, pk }: TableInfo): LoadColumn {
  return { name, kind: kindOf(type.toLowerCase()), nullable: notnull === 0 && pk === 0 };
}

function kindOf(type: string): ColumnKind {
  if (type === "json") return "json";
  if (type === "blob") return "bytes";
  return type === "text" ? "text" : "number or flag";
}
