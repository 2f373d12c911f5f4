// Which ports of this host are whose, by the kernel's tables of sockets. No agent can write there: a socket has the
// user of the process that opened it.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { readProc } from "../../lib/proc.ts";

export type Network = "tcp" | "udp";
export const NETWORKS = ["tcp", "udp"] as const;

/** A socket that takes connections, or datagrams from anybody, as the kernel's tables have it. */
export interface BoundSocket {
  /** In the kernel's own notation; zeros alone for all addresses. */
  readonly address: string;
  readonly port: number;
  /** User id of the process that opened the socket. */
  readonly uid: number;
  readonly inode: string;
}

/** Sockets of the network that a process is in, whosever they are. */
export function boundSockets(pid: number | "self", network: "tcp" | "udp"): BoundSocket[] {
  // State 0A is LISTEN; an unconnected UDP socket is in 07.
  const bound = network === "tcp" ? "0A" : "07";
  return [network, `${network}6`].flatMap((table) => {
    const path = `/proc/${pid}/net/${table}`;
    const lines = network === "tcp" ? listeners(path) : (readProc(path) ?? "").split("\n");
    return lines.flatMap((line) => {
      const [, local, , state, , , , uid, , inode] = line.trim().split(/\s+/);
      if (state !== bound || local === undefined || inode === undefined) return [];
      const colon = local.lastIndexOf(":");
      return [
        {
          address: local.slice(0, colon),
          port: Number.parseInt(local.slice(colon + 1), 16),
          uid: Number(uid),
          inode,
        },
      ];
    });
  });
}

/** The kernel fills a page before it answers a read. */
const FULL_READ = 3900;

/**
 * The lines of a TCP table that are about listeners. The kernel writes those first: reading on, to be told the end too,
 * takes as long as its table of connections.
 */
function listeners(path: string): string[] {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const chunk = Buffer.alloc(16_384);
    let text = "";
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
      text += chunk.toString("latin1", 0, count);
      const lines = text.split("\n").slice(1, -1);
      if (count < FULL_READ || lines.at(-1)?.trim().split(/\s+/)[3] !== "0A") break;
    }
    return text.split("\n").slice(1);
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The ports that the kernel gives to outgoing connections: an inner port among them might be taken at any moment. */
export function ephemeralRange(): readonly [number, number] {
  try {
    const [first = 32_768, last = 60_999] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "latin1")
      .trim()
      .split(/\s+/)
      .map(Number);
    return [first, last];
  } catch {
    return [32_768, 60_999];
  }
}

export type HeldPorts = Readonly<Record<Network, readonly BoundSocket[]>>;

export function heldPorts(): HeldPorts {
  return { tcp: boundSockets("self", "tcp"), udp: boundSockets("self", "udp") };
}

/** Whether a process of this user takes connections or datagrams on the port. */
export function holds(held: readonly BoundSocket[], port: number, uid: number): boolean {
  return held.some((socket) => socket.port === port && socket.uid === uid);
}

/**
 * Whether a process of another user has the port, on this address or on all; on any address where `address` is for all.
 */
export function isOthers(held: readonly BoundSocket[], port: number, uid: number, address = ""): boolean {
  const written = kernelForms(address);
  return held.some(
    (socket) =>
      socket.port === port &&
      socket.uid !== uid &&
      (written.length === 0 || /^0+$/.test(socket.address) || written.includes(socket.address)),
  );
}

/** An IPv4 address as the kernel's tables write it, alone and mapped into IPv6; nothing for one that means all. */
function kernelForms(address: string): string[] {
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)?.slice(1).map(Number);
  // An IPv6 address would need every spelling here, so all sockets on the port count.
  if (!octets || octets.every((octet) => octet === 0)) return [];
  const hex = octets
    .toReversed()
    .map((octet) => octet.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  return [hex, `0000000000000000FFFF0000${hex}`];
}
