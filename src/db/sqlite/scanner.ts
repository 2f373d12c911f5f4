// A thread that runs queries over many rows, one at a time, on its own read-only connection.
import { parentPort, workerData } from "node:worker_threads";
import type { Row, SqlValue } from "../table.ts";
import { driverFailure, openReadConnection, PreparedReads, type DriverFailure } from "./read-connection.ts";
import { givenFile } from "./threads.ts";

export interface ScanRequest {
  readonly id: number;
  readonly text: string;
  readonly values: readonly SqlValue[];
}
export type ScanResponse = { readonly id: number } & (
  | { readonly rows: readonly Row[] }
  | { readonly failure: DriverFailure }
);

const file = givenFile(workerData);
const port = parentPort;
if (!port) throw new Error("queries that walk through many rows run in a worker thread");

const connection = openReadConnection(file);
const reads = new PreparedReads(connection);

function carryOut({ id, text, values }: ScanRequest): ScanResponse {
  try {
    return { id, rows: reads.all(text, values) };
  } catch (error) {
    return { id, failure: driverFailure(error) };
  }
}

port.on("message", (message: ScanRequest | "close") => {
  if (message === "close") {
    connection.close();
    port.close();
    return;
  }
  port.postMessage(carryOut(message));
});
