// A stream that goes as fast as it is let, and how fast that is.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { afterQuiet, startStopwatch } from "../../stopwatch.ts";

/** Bytes a second of each flow over some time, and the part of it that a busy machine let this process have. */
export interface Measured {
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly share: number;
}

/**
 * Whether flows keep a limit together, in bytes a second. The kernel's bucket holds what flows in a second: that much
 * may come at once after the machine kept them waiting.
 */
export function keeps(limit: number, { rates, seconds, share }: Measured, tolerance = 0.15): boolean {
  return sum(rates) / limit <= 1 + tolerance + (1 - share) / seconds;
}

/** Bytes a second of all flows together, had the machine had nothing else to do. */
export function unhindered({ rates, share }: Measured): number {
  return sum(rates) / share;
}

function sum(rates: readonly number[]): number {
  return rates.reduce((all, rate) => all + rate, 0);
}

/** What a bucket held at first goes by; then the rate holds. */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => afterQuiet(2000, resolve));
}

export interface Running {
  readonly bytes: () => number;
  close(): void;
}

/** What the flows carry in some milliseconds. */
export async function during(ms: number, flows: readonly Running[]): Promise<Measured> {
  const before = flows.map((flow) => flow.bytes());
  const [began, elapsed] = [performance.now(), startStopwatch()];
  await new Promise((resolve) => setTimeout(resolve, ms));
  const [took, quiet] = [performance.now() - began, elapsed()];
  const seconds = took / 1000;
  return {
    rates: flows.map((flow, index) => (flow.bytes() - (before[index] ?? 0)) / seconds),
    seconds,
    share: quiet / took,
  };
}

/** A download from `startStream` over a connection to it. */
export function startDownload(socket: Socket): Running {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  socket.write("down");
  return { bytes: () => bytes, close: () => socket.destroy() };
}

/** Sends as fast as it is read to who says `down`, and counts what comes after `up`. */
export async function startStream(): Promise<{ port: number; uploaded: () => number }> {
  let uploaded = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (word) => {
      socket.on("data", (chunk: Buffer) => (uploaded += chunk.length));
      if (!word.toString("latin1").startsWith("down")) return;
      const chunk = Buffer.alloc(64 * 1024);
      const fill = (): void => {
        if (socket.destroyed) return;
        if (socket.write(chunk)) setImmediate(fill);
        else socket.once("drain", fill);
      };
      fill();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, uploaded: () => uploaded };
}
