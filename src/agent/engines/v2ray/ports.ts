// Which ports can be had. v2ray opens every port with SO_REUSEPORT, so a port held by another such program would be shared with it silently.
import { createServer } from "node:net";

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    // Anything but "in use" (no such address, no right) is left for the engine to report.
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Ports among those of the inbounds that another program holds. `ours` are open in our own engine and not looked at. */
export async function takenPorts(
  inbounds: readonly { readonly port: number; readonly listen: string }[],
  ours: ReadonlySet<number>,
): Promise<Set<number>> {
  const others = inbounds.filter(({ port }) => !ours.has(port));
  const free = await Promise.all(others.map(async ({ port, listen }) => canListen(port, listen)));
  return new Set(others.filter((_, index) => !free[index]).map(({ port }) => port));
}

/** Loopback ports that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      async (server) =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            if (address !== null && typeof address === "object") resolve(address.port);
            else reject(new Error("a TCP server has no port"));
          });
        }),
    ),
  );
  await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
