// Looks at a SQLite file before anything is built on it: a file that is damaged, foreign or out of reach is refused at
// the start with a sentence.
import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { DatabaseDamaged, DatabaseRefused } from "../errors.ts";

/**
 * Up to this size the whole file is checked (some tenths of a second); of a larger file only the schema, and other
 * damage is reported when it is found.
 */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** Throws `DatabaseRefused`. A file that does not exist is no fault: it is made. */
export function inspectSqlite(file: string): void {
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) throw new DatabaseRefused(`${file} is not a file: name one in SIGNALBOX_DATABASE_URL`);
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { fileMustExist: true });
    const found = statSync(file).size <= CHECKED_BYTES ? firstDamage(database) : undefined;
    if (found !== undefined) throw new DatabaseDamaged(damageOf(file, found));
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all();
    if (tables.length > 0 && !tables.includes("schema_migrations")) {
      throw new DatabaseRefused(
        `${file} is another program's database (it has the table ${String(tables[0])}): name a file of Signalbox's own`,
      );
    }
  } catch (error) {
    throw sqliteRefusal(error, file);
  } finally {
    database?.close();
  }
}

function firstDamage(database: Database.Database): string | undefined {
  const found = database.prepare("pragma quick_check(1)").pluck().get();
  return found === "ok"
    ? undefined
    : String(found)
        .replaceAll("\n", " ")
        .replace(/^\*\*\*.*?\*\*\* */, "");
}

function damageOf(file: string, what: string): string {
  const help = "restore a copy of it, or move it away and save what can be read with: sqlite3 <file> .recover";
  return `the database file ${file} is damaged (${what}): ${help}`;
}

/** Explains SQLite's own errors to the person who starts the panel; other errors are passed on. */
export function sqliteRefusal(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (!(error instanceof Error) || !code.startsWith("SQLITE_")) return error;
  const options = { cause: error };
  if (code.startsWith("SQLITE_NOTADB"))
    return new DatabaseDamaged(damageOf(file, "it does not begin as a SQLite database does"), options);
  if (code.startsWith("SQLITE_CORRUPT")) return new DatabaseDamaged(damageOf(file, error.message), options);
  if (code.startsWith("SQLITE_FULL"))
    return new DatabaseRefused(`the disk of ${file} is full: make room and start again`, options);
  if (code.startsWith("SQLITE_BUSY"))
    return new DatabaseRefused(`another process keeps ${file} locked: end it and start again`, options);
  if (code.startsWith("SQLITE_READONLY")) {
    return new DatabaseRefused(
      `${file} cannot be written: make it and its folder writable for this user, and the disk not read-only`,
      options,
    );
  }
  if (/^SQLITE_(CANTOPEN|IOERR|PERM|AUTH)/.test(code)) {
    return new DatabaseRefused(
      `${file} cannot be opened (${error.message}): make it and its folder readable and writable for this user`,
      options,
    );
  }
  return error;
}
