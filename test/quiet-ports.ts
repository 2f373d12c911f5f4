// Ports for tests that run in parallel: outside the range from which the kernel gives ports to clients, so that nobody
// takes one before it is opened.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";

/** Above those of the matrix, below those that agents listen on behind the port map. */
const [FIRST, END] = [14_000, 20_000];
/**
 * Files that run at the same time draw from parts of the range of their own: a port may be in use by no socket, and
 * mapped a moment later.
 */
const PARTS = 4;
const LOOPBACK_MS = 300;

/** Given to somebody in this process before. */
const given = new Set<number>();

/**
 * So many different ports of loopback that nobody has opened, over TCP or UDP, and that no port map leads elsewhere,
 * such as that of an agent that was killed.
 */
export async function quietPorts(count: number): Promise<number[]> {
  const part = Number(process.env["VITEST_POOL_ID"] ?? 0) % PARTS;
  const size = (END - FIRST) / PARTS;
  const found: number[] = [];
  // Files that share a process draw from one part for long: what the first of them had is free again.
  if (given.size > size / 2) given.clear();
  while (found.length < count) {
    const port = FIRST + part * size + randomInt(size);
    if (given.has(port)) continue;
    given.add(port);
    if ((await listens(port)) && (await binds(port))) found.push(port);
  }
  return found;
}

/** Whether a listener there is the one that is reached there. */
async function listens(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    const end = (reached: boolean): void => void server.close(() => resolve(reached));
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const client = connect(port, "127.0.0.1");
      client.setTimeout(LOOPBACK_MS, () => client.destroy());
      const arrived = new Promise<true>((answer) => {
        server.once("connection", (socket) => {
          socket.on("error", () => undefined).destroy();
          answer(true);
        });
      });
      client.on("error", () => undefined);
      const closed = new Promise<false>((answer) => client.once("close", () => answer(false)));
      void Promise.race([arrived, closed]).then((reached) => {
        client.destroy();
        end(reached);
      });
    });
  });
}

async function binds(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    const end = (reached: boolean): void => {
      clearTimeout(late);
      socket.close(() => resolve(reached));
    };
    const late = setTimeout(() => end(false), LOOPBACK_MS);
    socket.once("error", () => end(false));
    socket.once("message", () => end(true));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => socket.send("?", port, "127.0.0.1"));
  });
}
