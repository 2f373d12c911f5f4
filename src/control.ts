// The control socket of a running SQLite panel: the command line speaks to it instead of touching the database. For the owner of the data directory alone (mode 0600).
import { chmodSync, rmSync } from "node:fs";
import { createServer, request, type IncomingMessage } from "node:http";
import { z } from "zod";
import { runCommand, type CommandDeps } from "./commands.ts";

const Call = z.object({ command: z.string(), arguments: z.record(z.string(), z.string()) });
const Answer = z.union([z.object({ result: z.unknown() }), z.object({ error: z.string() })]);
const LIMIT = 64 * 1024;

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) {
    text += chunk;
    if (text.length > LIMIT) throw new Error("the message is too large");
  }
  return text;
}

/** Serves commands until closed. A socket that a killed panel left is replaced: the caller holds the directory's lock. */
export async function startControl(path: string, deps: CommandDeps): Promise<{ close(): Promise<void> }> {
  rmSync(path, { force: true });
  const server = createServer((message, response) => {
    void (async () => {
      try {
        const call = Call.parse(JSON.parse(await textOf(message)));
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

/** Asks a running panel. Rejects with its sentence, or with the socket's error when none runs. */
export function askPanel(path: string, command: string, values: Readonly<Record<string, string>>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: path, method: "POST" }, (response) => {
      textOf(response)
        .then((text) => {
          const answer = Answer.parse(JSON.parse(text));
          if ("error" in answer) reject(new Error(answer.error));
          else resolve(answer.result);
        })
        .catch(reject);
    });
    call.once("error", reject);
    call.end(JSON.stringify({ command, arguments: values }));
  });
}
