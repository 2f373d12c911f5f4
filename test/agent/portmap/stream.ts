// A stream that goes as fast as it is let, and how fast that is.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export function within(share: number): (ratio: number) => boolean {
  return (ratio) => Math.abs(ratio - 1) <= share;
}

/** What a bucket held at first goes by; then the rate holds. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

export interface Running {
  readonly bytes: () => number;
  close(): void;
}

/** Bytes of each in so many milliseconds. */
export async function during(ms: number, flows: readonly Running[]): Promise<number[]> {
  const before = flows.map((flow) => flow.bytes());
  await new Promise((resolve) => setTimeout(resolve, ms));
  return flows.map((flow, index) => flow.bytes() - (before[index] ?? 0));
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
