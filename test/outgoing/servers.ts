// Servers on loopback that tests of the way out connect to, ended after each test.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach } from "vitest";
import type { Pair } from "../certificate.ts";
import { OutgoingError, type OutgoingFailure } from "../../src/outgoing/index.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(server: Server, host: string): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** The port of a TCP server. */
export function tcpServer(listener: (socket: Socket) => void, host = "127.0.0.1"): Promise<number> {
  return listen(createServer(listener), host);
}

/** The port of an HTTP server. */
export function httpServer(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
  return listen(createHttpServer(listener), host);
}

/** The port of an HTTPS server. */
export function httpsServer({ certificate, key }: Pair, listener: RequestListener): Promise<number> {
  return listen(createHttpsServer({ cert: certificate, key }, listener), "127.0.0.1");
}

/** Called after the test. */
export function afterwards(end: () => Promise<unknown>): void {
  ends.push(end);
}

/** The error with which a promise is refused. */
export async function failureOf(work: Promise<unknown>): Promise<OutgoingError> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof OutgoingError)) throw new Error("was not refused", { cause: error });
  return error;
}

/** The reason with which a promise is refused. */
export async function reasonOf(work: Promise<unknown>): Promise<OutgoingFailure> {
  return (await failureOf(work)).reason;
}
