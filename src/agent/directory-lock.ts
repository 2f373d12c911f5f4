// One agent per data directory. Two would write one ledger and fight over one engine.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { hasCode } from "./durable-file.ts";

/**
 * Holds the directory until the returned function is called or the process ends, however it ends: the lock is an
 * abstract Unix socket, which the kernel frees. Rejects with a sentence while another agent holds it. A system without
 * abstract sockets has no lock.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  if (process.platform !== "linux") return () => Promise.resolve();
  const name = createHash("sha256")
    .update(await realpath(directory))
    .digest("hex");
  const server = createServer((socket) => socket.destroy());
  server.listen(`\0signalbox-agent-${name}`);
  try {
    await once(server, "listening");
  } catch (error) {
    if (hasCode(error, "EADDRINUSE"))
      throw new Error(`another agent runs on the data directory ${directory}`, { cause: error });
    throw error;
  }
  server.unref();
  return async () => {
    const closed = once(server, "close");
    server.close();
    await closed;
  };
}
