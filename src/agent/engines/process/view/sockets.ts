// The kernel's view of proxy connections through iproute2's `ss`: which live, how many bytes, and how to cut one.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
import { plainAddress } from "../../../../lib/written-address.ts";
import { netAdmin } from "../../../net-admin/index.ts";

const run = promisify(execFile);
const MAX_OUTPUT = 256 * 1024 * 1024;

/** An established TCP connection of one of our listeners. Bytes are on the wire, seen from the node. */
export interface SocketRow {
  readonly localPort: number;
  /** Peer as `ss` names it, for use in its filters. */
  readonly peer: string;
  readonly address: string;
  readonly port: number;
  readonly sent: number;
  readonly received: number;
  /**
   * Milliseconds since the peer last sent or acknowledged anything, a keepalive probe too: what is only written into
   * the kernel is no sign of life.
   */
  readonly silentMs: number;
}

/** A connection that has been silent for so long holds no place of an `ipLimit`. */
export const SILENT_MS = 20_000;

function parseRow(line: string): SocketRow | undefined {
  const [, , local, peer] = line.trim().split(/\s+/);
  const split = peer === undefined ? -1 : peer.lastIndexOf(":");
  if (local === undefined || peer === undefined || split < 0) return undefined;
  return {
    localPort: Number(local.slice(local.lastIndexOf(":") + 1)),
    peer,
    address: plainAddress(peer.slice(0, split)),
    port: Number(peer.slice(split + 1)),
    sent: Number(/\bbytes_sent:(\d+)/.exec(line)?.[1] ?? 0),
    received: Number(/\bbytes_received:(\d+)/.exec(line)?.[1] ?? 0),
    // `ss` leaves a zero out.
    silentMs: Math.min(
      ...["lastrcv", "lastack"].map((name) => Number(new RegExp(`\\b${name}:(\\d+)`).exec(line)?.[1] ?? 0)),
    ),
  };
}

/** Established connections whose local port is one of `ports`. */
export async function listSockets(ports: readonly number[]): Promise<SocketRow[]> {
  if (ports.length === 0) return [];
  const filter = `( ${ports.map((port) => `sport = :${port}`).join(" or ")} )`;
  const { stdout } = await run("ss", ["-tinHO", "state", "established", filter], { maxBuffer: MAX_OUTPUT });
  return stdout.split("\n").flatMap((line) => parseRow(line) ?? []);
}

/** Cuts these connections at once. Needs CAP_NET_ADMIN, or a net keeper. */
export async function killSockets(sockets: readonly SocketRow[]): Promise<void> {
  if (sockets.length > 0) await netAdmin().cutSockets(sockets);
}

let cuts: Promise<boolean> | undefined;

/** Whether connections can be cut by their sockets on this machine. Tried once. */
export async function canCutSockets(): Promise<boolean> {
  cuts ??= probeSockets().then(({ close }) => close);
  return cuts;
}

/**
 * What `ss` can do here: whether it is there, and whether a real connection can be cut with it (rights and kernel both
 * have a say).
 */
export async function probeSockets(): Promise<{ list: boolean; close: boolean }> {
  const server = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  try {
    const accepted = once(server, "connection");
    await once(client, "connect");
    await accepted;
    const sockets = await listSockets([port]);
    if (sockets.length === 0) return { list: false, close: false };
    await killSockets(sockets);
    return { list: true, close: (await listSockets([port])).length === 0 };
  } catch {
    return { list: false, close: false };
  } finally {
    client.destroy();
    server.close();
  }
}
