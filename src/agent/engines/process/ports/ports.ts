// Which ports can be had. Engines open TCP ports with SO_REUSEPORT, so a port held by another such program would be
// shared with it silently.
import { createSocket } from "node:dgram";
import { createServer, Socket } from "node:net";
import { ephemeralRange } from "../../../net-admin/facts.ts";
import { type Reason, reason } from "../../../../protocol/notices/index.ts";

/** Limit for a connection within this host, milliseconds. */
const REACH_MS = 1000;

export type Network = "tcp" | "udp";

/** What an inbound needs. */
export interface WantedPort {
  readonly port: number;
  readonly listen: string;
  readonly networks: readonly Network[];
}

/** The system's code for why nobody can listen there now; undefined when one can. */
async function listenError(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function bindError(port: number, address: string): Promise<string | undefined> {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  return new Promise((resolve) => {
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(error.code ?? "unknown");
    });
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(undefined)));
  });
}

/** Codes of those networks that are not `ours` and where listening fails. */
async function errorsOf({ port, listen, networks }: WantedPort, ours: ReadonlySet<string>): Promise<string[]> {
  const errors = await Promise.all(
    networks
      .filter((network) => !ours.has(`${network}:${port}`))
      .map(async (network) => (network === "tcp" ? listenError(port, listen) : bindError(port, listen))),
  );
  return errors.filter((code) => code !== undefined);
}

/**
 * The wanted ports that another program holds. Ports in `ours` (`tcp:443`) are open in our own engine: they are not
 * tested.
 */
export async function takenPorts<T extends WantedPort>(
  wanted: readonly T[],
  ours: ReadonlySet<string>,
): Promise<Set<T>> {
  const errors = await Promise.all(wanted.map(async (one) => errorsOf(one, ours)));
  return new Set(wanted.filter((_, index) => errors[index]?.includes("EADDRINUSE")));
}

/**
 * Whether everything could listen there now. Listening for a moment is how it is found out: nobody else may be able to
 * say it of another user's program.
 */
export async function canListen({ listen, ...wanted }: WantedPort): Promise<boolean> {
  const codes = await errorsOf({ listen, ...wanted }, new Set());
  // A machine without IPv6 serves "::" on IPv4.
  if (listen === "::" && codes.includes("EAFNOSUPPORT")) return canListen({ listen: "0.0.0.0", ...wanted });
  return codes.every((code) => code !== "EADDRINUSE" && !Object.hasOwn(REASONS, code));
}

/**
 * Whether a connection to a port of loopback arrives at who listens there. A port that can be opened may still be
 * closed: every agent closes its inner ports, also those that nobody listens on now, and one that was killed leaves
 * them closed.
 */
export async function isReached(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    const client = new Socket();
    const end = (reached: boolean): void => {
      client.destroy();
      server.close(() => resolve(reached));
    };
    client.setTimeout(REACH_MS, () => end(false));
    client.once("error", () => end(false));
    server.once("connection", (socket) => {
      socket.on("error", () => undefined).destroy();
      end(true);
    });
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => client.connect(port, "127.0.0.1"));
  });
}

const REASONS: Readonly<Record<string, (one: WantedPort) => Reason>> = {
  EADDRNOTAVAIL: ({ listen }) => reason("no_address", listen),
  EACCES: ({ port }) => reason("port_denied", port),
  EPERM: ({ port }) => reason("port_denied", port),
};

/**
 * Why the host would let nobody listen there, for those where it would not. An engine that cannot open one of its ports
 * does not start at all.
 */
export async function deniedPorts<T extends WantedPort>(wanted: readonly T[]): Promise<Map<T, Reason>> {
  const errors = await Promise.all(wanted.map(async (one) => errorsOf(one, new Set())));
  return new Map(
    wanted.flatMap((one, index): [T, Reason][] => {
      const why = errors[index]?.map((code) => REASONS[code]).find((known) => known !== undefined);
      return why ? [[one, why(one)]] : [];
    }),
  );
}

const INNER = { first: 20_000, last: 60_999 };
const TRIES = 400;

/**
 * Ports for engines to listen on behind the port map: chosen at random, free for both networks, none of `avoid`. Throws
 * when there are too few.
 */
export async function innerPorts(count: number, avoid: ReadonlySet<number>, random: () => number): Promise<number[]> {
  const [first, last] = ephemeralRange();
  const quiet = Array.from({ length: INNER.last - INNER.first + 1 }, (_, index) => INNER.first + index).filter(
    (port) => port < first || port > last,
  );
  const chosen = new Set<number>();
  for (let tries = 0; chosen.size < count; tries += 1) {
    if (tries > TRIES + 4 * count)
      throw new Error("there is no free port left for engines to listen on behind the port map");
    const port =
      quiet.length > 4 * count && tries < TRIES / 2 + 2 * count
        ? (quiet[Math.floor(random() * quiet.length)] ?? INNER.first)
        : INNER.first + Math.floor(random() * (INNER.last - INNER.first + 1));
    if (chosen.has(port) || avoid.has(port)) continue;
    const wildcard = { port, listen: "0.0.0.0", networks: ["tcp", "udp"] as const };
    if ((await errorsOf(wildcard, new Set())).length === 0) chosen.add(port);
  }
  return [...chosen];
}
