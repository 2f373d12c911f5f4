// The control socket of a running SQLite panel: the command line speaks to it instead of touching the database. For the
// owner of the data directory alone (mode 0600).
import { chmodSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { z } from "zod";
import { runCommand, type CommandDeps } from "./panel.cli.ts";
import { textOf } from "./control-call.ts";

const Call = z.object({ command: z.string(), arguments: z.record(z.string(), z.string()) });
const CALL_LIMIT = 64 * 1024;

/**
 * Serves commands until closed. A socket that a killed panel left is replaced: the caller holds the directory's lock.
 */
export async function startControl(path: string, deps: CommandDeps): Promise<{ close(): Promise<void> }> {
  rmSync(path, { force: true });
  const server = createServer((message, response) => {
    void (async () => {
      try {
        const call = Call.parse(JSON.parse(await textOf(message, CALL_LIMIT)));
        response.end(JSON.stringify({ result: (await runCommand(deps, call.command, call.arguments)) ?? null }));
      } catch (error) {
        response.statusCode = 400;
        response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
      }
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
