// A thread that parses large messages of agents, one at a time (`frame-thread.ts`).
import { parentPort } from "node:worker_threads";
import { agentMethods, panelMethods, type ReadUsageBatch } from "./messages.ts";
import { readMessage, type OpenCalls, type Reading } from "./read-message.ts";

export interface ReadingRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly open: OpenCalls;
}

const port = parentPort;
if (!port) throw new Error("large messages are read in a worker thread");
const tables = { handles: agentMethods, calls: panelMethods };

/** Rows of usage are handed over, not copied. */
function handedOver(reading: Reading): ArrayBuffer[] {
  if (reading.kind !== "call" || reading.method !== "usage") return [];
  // Its schema has just parsed it.
  return [(reading.params as ReadUsageBatch).rows.buffer];
}

port.on("message", ({ bytes, open }: ReadingRequest) => {
  const reading = readMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), tables, open);
  port.postMessage(reading, handedOver(reading));
});
