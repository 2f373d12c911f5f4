// What the tests of the port map stand on: a map of its own for each test, and small servers that say which of them
// answered.
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket as DatagramSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { openPortMap, portMapObjection } from "../../../src/agent/engines/portmap/index.ts";
import { nft } from "../../../src/agent/net-admin/nft/nft.ts";
import type { PortMap } from "../../../src/agent/net-admin/nft/port-map.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { afterQuiet } from "../../stopwatch.ts";
import { tableOf } from "../../../src/agent/net-admin/nft/table.ts";

/** Whether this machine lets us keep a port map. Without it the tests are skipped aloud, but in CI they fail. */
export async function havePortMap(): Promise<boolean> {
  const objection = await portMapObjection();
  if (objection !== undefined && process.env["CI"] === "true") throw new Error(`CI must have a port map: ${objection}`);
  if (objection !== undefined) console.warn(`SKIPPED: ${objection}`);
  return objection === undefined;
}

export const logged: string[] = [];

/** A map of a directory of its own; its table goes when the test ends, however it ends. */
export async function openMap(
  directory = `/run/signalbox-test-${randomBytes(6).toString("hex")}`,
): Promise<PortMap & { directory: string }> {
  const map = await openPortMap(directory, (_, message) => logged.push(message));
  if (!map) throw new Error("no port map");
  onTestFinished(() => map.remove());
  return Object.assign(map, { directory });
}

/** `nft` is found where the port map finds it: also beside a `PATH` without system folders. */
const SYSTEM_PATH = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };

export async function listTables(): Promise<string> {
  return (await promisify(execFile)("nft", ["list", "tables"], { env: SYSTEM_PATH })).stdout;
}

/** Whether there is the table of the port map, or with `_speed` that of the limits. */
export function hasTable(directory: string, suffix: "" | "_speed" = ""): boolean {
  const lines = execFileSync("nft", ["list", "tables"], { encoding: "utf8", env: SYSTEM_PATH }).split("\n");
  return lines.includes(`table ${tableOf(directory, suffix)}`);
}

/** Connections that the kernel holds to a speed limit, both directions counted once. */
export async function limitedConnections({ directory }: { directory: string }): Promise<number> {
  const list = async (map: string): Promise<string> => nft(`list map ${tableOf(directory, "_speed")} ${map}\n`);
  const text = (await Promise.all(["down4", "down6"].map(list))).join("");
  return [...text.matchAll(/"u\d+_\d+_down"/g)].length;
}

/** An address of this host other than loopback. */
export function ownAddress(family: "IPv4" | "IPv6"): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find((one) => one.family === family && !one.internal && !one.address.startsWith("fe80"))?.address;
}

/** A TCP server that sends its name and closes. `host` as the engine's `listen`. Resolves to its port. */
export async function startNamed(name: string, host = "::"): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(name);
  }).listen({ port: 0, host, backlog: 511 });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** The name of the server that answers there; rejects where the connection is refused. */
export async function whoAnswers(port: number, host = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host });
  socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer from ${host} port ${port}`)));
  let said = "";
  socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(socket, "close");
  return said;
}

/** A port that nobody listens on, and that the system gives to nobody while it is mapped. */
export async function unusedPort(): Promise<number> {
  const [port = 0] = await quietPorts(1);
  return port;
}

/** A UDP server that answers each datagram with its name. Resolves to its port. */
export async function startNamedUdp(name: string, host = "::"): Promise<number> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", (_: Buffer, from: RemoteInfo) => socket.send(name, from.port, from.address));
  onTestFinished(() => void socket.close());
  socket.bind(0, host);
  await once(socket, "listening");
  return socket.address().port;
}

/** A UDP client with one port of its own for as long as the test runs. */
export interface DatagramClient {
  readonly port: number;
  /** The answer to one datagram; undefined when none comes within the `ms` of a quiet machine. */
  ask(port: number, host?: string, ms?: number): Promise<string | undefined>;
}

export async function startDatagramClient(family: 4 | 6 = 4): Promise<DatagramClient> {
  const socket: DatagramSocket = createSocket(`udp${family}`);
  onTestFinished(() => void socket.close());
  socket.on("error", () => undefined);
  socket.bind(0);
  await once(socket, "listening");
  const ask = async (
    port: number,
    host = family === 4 ? "127.0.0.1" : "::1",
    ms = 400,
  ): Promise<string | undefined> => {
    const answer = Promise.withResolvers<string | undefined>();
    const giveUp = afterQuiet(ms, () => answer.resolve(undefined));
    const hear = (data: Buffer): void => answer.resolve(data.toString());
    socket.once("message", hear);
    socket.send("?", port, host);
    const said = await answer.promise;
    giveUp();
    socket.off("message", hear);
    return said;
  };
  return { port: socket.address().port, ask };
}
