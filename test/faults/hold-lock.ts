// A process that takes the write lock of a SQLite file (its argument), says so, and keeps it until it is killed.
import Database from "better-sqlite3";

const database = new Database(process.argv[2] ?? "");
database.pragma("busy_timeout = 10000");
database.exec("begin immediate");
process.send?.("held");
setInterval(() => database.inTransaction, 60_000);
