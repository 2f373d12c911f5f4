// Fault points of SQLite: between any two statements of a transaction, before and after its COMMIT, in whatever thread
// writes.
import Database from "better-sqlite3";
import { at } from "./kill.ts";

type Call = (this: Database.Statement & { source: string }, ...parameters: unknown[]) => unknown;

/** Statements of every connection share one prototype, which the package does not name. */
function statementPrototype(): Record<string, unknown> {
  const database = new Database(":memory:");
  const prototype: unknown = Object.getPrototypeOf(database.prepare("select 1"));
  database.close();
  return prototype as Record<string, unknown>;
}

/** Puts the points into this thread. Reads outside of a transaction that writes are none. */
export function patchSqlite(): void {
  const prototype = statementPrototype();
  for (const name of ["run", "all", "get"]) {
    const original = prototype[name] as Call;
    const patched: Call = function (...parameters) {
      const source = this.source;
      const writes = this.database.inTransaction && !this.database.readonly;
      const commits = source === "COMMIT";
      if (commits) at("commit.before");
      else if (writes) at("commit.statement");
      const result = original.apply(this, parameters);
      if (commits) at("commit.after");
      else if (source === "BEGIN IMMEDIATE") at("commit.begun");
      return result;
    };
    prototype[name] = patched;
  }
}
