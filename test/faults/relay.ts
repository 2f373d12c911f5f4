// An address that moves: a TCP relay whose target can be changed, as a virtual address or a load balancer before
// PostgreSQL is.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay {
  readonly port: number;
  /** New connections go there from now on; those that are open are cut. */
  moveTo(port: number): void;
  close(): Promise<void>;
}

/** `altered`: what the server says, as it is passed on. */
export async function startRelay(port: number, altered: (chunk: Buffer) => Buffer = (chunk) => chunk): Promise<Relay> {
  const sockets = new Set<Socket>();
  let target = port;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => client.write(altered(chunk)));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (next) => {
      target = next;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
