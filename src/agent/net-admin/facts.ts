// Which ports of this host are whose, by the kernel's tables of sockets. No agent can write there: a socket has the
// user of the process that opened it.
import { boundSockets, type BoundSocket } from "../engines/process/lifecycle/identity.ts";

export type Network = "tcp" | "udp";
export const NETWORKS = ["tcp", "udp"] as const;

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
  // Of an IPv6 address every spelling would have to be known: all sockets on the port count.
  if (!octets || octets.every((octet) => octet === 0)) return [];
  const hex = octets
    .toReversed()
    .map((octet) => octet.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  return [hex, `0000000000000000FFFF0000${hex}`];
}
