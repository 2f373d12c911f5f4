// Preloaded into a process that will be killed (`--import`), before the program and in each of its worker threads: puts
// the fault points in, without a hook in the product.
//
// A process may be started ahead of its use: it loads the module that CRASH_HOLD names, and waits for a line on
// standard input, which names its fault or is empty.
import { readSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { isMainThread } from "node:worker_threads";
import { Fault } from "../plan.ts";
import { arm, HOLD_VARIABLE } from "./kill.ts";
import { patchSqlite } from "./sqlite.ts";

function readLine(): string {
  let line = "";
  const byte = Buffer.alloc(1);
  while (readSync(0, byte) === 1) {
    if (byte[0] === 10) return line;
    line += byte.toString("latin1");
  }
  // The process that would have used this one is dead.
  process.exit(0);
}

patchSqlite();
if (isMainThread) {
  const { patchPostgres } = await import("./postgresql.ts");
  const { patchNetwork } = await import("./network.ts");
  patchPostgres();
  patchNetwork();
  const { [HOLD_VARIABLE]: ahead } = process.env;
  if (ahead !== undefined) {
    delete process.env[HOLD_VARIABLE];
    await import(ahead);
    // Processes that are killed never write it by themselves.
    flushCompileCache();
    const line = readLine();
    if (line !== "") arm(Fault.parse(JSON.parse(line)));
  }
}
