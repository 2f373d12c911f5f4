// Fault points of PostgreSQL: what a transaction has handed to the driver, and what the server has answered, when the
// process dies.
import pg from "pg";
import { at, due, die } from "./kill.ts";

type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  return typeof query === "object" && query !== null && "text" in query && typeof query.text === "string"
    ? query.text
    : "";
}

/** Puts the points into this thread. What is sent outside of a transaction is none. */
export function patchPostgres(): void {
  const open = new WeakSet<pg.Client>();
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (...parameters) {
    const text = textOf(parameters[0]).trimStart().toLowerCase();
    const commits = text.startsWith("commit");
    const begins = text.startsWith("begin");
    if (commits) at("commit.before");
    else if (open.has(this)) at("commit.statement");
    if (begins) open.add(this);
    if (commits || text.startsWith("rollback")) open.delete(this);
    const result = original.apply(this, parameters);
    // The bytes are with the kernel by the next turn; the answer is not here yet.
    if (commits && due("commit.sent")) setImmediate(die);
    if ((commits || begins) && result instanceof Promise)
      result.then(
        () => at(commits ? "commit.after" : "commit.begun"),
        () => undefined,
      );
    return result;
  };
}
