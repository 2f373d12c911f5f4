// Ports for tests that run beside others: outside the range from which the kernel gives ports to clients, so that nobody takes one before it is opened.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** So many different ports of loopback that nobody has opened, over TCP or UDP: above those of the matrix, below those that agents listen on behind the port map. */
export async function quietPorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(14_000, 20_000);
    if (!found.has(port) && (await listens(port)) && (await binds(port))) found.add(port);
  }
  return [...found];
}

async function listens(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function binds(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
