// Live sessions of a process engine: its access log says whose a connection is, the kernel's socket list whether it still lives.
import { z } from "zod";
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import { engineUserName, parseEngineUserName } from "../../../protocol/plan.ts";
import type { SeenAddress } from "../driver.ts";
import type { AccessLine } from "./access-log.ts";
import type { SocketRow } from "./sockets.ts";

/** An inbound as sockets are told apart: by the port that they came in on. `fronted`: the engine believes forwarding headers there, so a log line may name no port. */
export interface ListeningInbound {
  readonly id: number;
  readonly tag: string;
  readonly port: number;
  readonly fronted: boolean;
}

const Row = z.object({
  userId: z.int(),
  inboundId: z.int(),
  outbound: z.string(),
  destination: z.string(),
  /** The socket's own peer, not what a header claims. */
  address: z.string(),
  port: z.int(),
  startedAt: z.int(),
  seenAt: z.int(),
});
type Row = z.infer<typeof Row>;

export const SessionSnapshot = z.object({ rows: z.array(Row), addresses: z.array(z.tuple([z.string(), z.string(), z.int()])) });
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;

/** A session with the socket that carries it. */
export interface LiveSession {
  readonly row: SessionRow;
  readonly socket: SocketRow;
}

/** Source addresses are remembered this long, in seconds. */
const ADDRESS_MEMORY = 600;
/** A row younger than this many seconds is kept though its socket was not seen: the socket list may be older than the row. */
const YOUNG = 3;

const keyOf = (inboundId: number, address: string, port: number): string => `${inboundId}|${address}|${port}`;

export class SessionTable {
  readonly #rows = new Map<string, Row>();
  /** Last use by `user.inbound` and address. */
  readonly #addresses = new Map<string, Map<string, number>>();
  /** Connections through a forwarding header, whose socket is not known yet. */
  #unplaced: Row[] = [];

  /** Takes a line of the access log; `now` in Unix seconds, for lines without a time of their own. Lines of nobody we know are ignored. */
  see(line: AccessLine, clock: number): void {
    const now = line.at ?? clock;
    const name = line.user === undefined ? undefined : parseEngineUserName(line.user);
    if (!name) return;
    const row: Row = {
      ...name,
      outbound: line.outbound,
      destination: line.destination,
      address: line.source,
      port: line.sourcePort,
      startedAt: now,
      seenAt: now,
    };
    if (line.sourcePort === 0) {
      // Whoever writes the header chooses the address: it must neither name a session nor count as a source.
      this.#unplaced.push(row);
      return;
    }
    if (line.network === "udp") {
      this.#remember(row, now);
      return;
    }
    this.#place(row, now);
  }

  /** Sessions that live, given the sockets of now. Forgets those that ended. */
  join(sockets: readonly SocketRow[], inbounds: readonly ListeningInbound[], now: number): LiveSession[] {
    const byPort = new Map(inbounds.map((inbound) => [inbound.port, inbound]));
    const bySocket = new Map<string, SocketRow>();
    for (const socket of sockets) {
      const inbound = byPort.get(socket.localPort);
      if (inbound) bySocket.set(keyOf(inbound.id, socket.address, socket.port), socket);
    }
    this.#claim(bySocket, byPort, now);
    const live: LiveSession[] = [];
    for (const [key, row] of this.#rows) {
      const socket = bySocket.get(key);
      const inbound = socket && byPort.get(socket.localPort);
      if (!socket || !inbound) {
        if (now - row.seenAt > YOUNG) this.#rows.delete(key);
        continue;
      }
      this.#remember(row, now);
      live.push({ socket, row: toSession(row, inbound.tag, socket) });
    }
    return live;
  }

  /** Whether connections wait for their socket to be found by `join`. */
  get waiting(): boolean {
    return this.#unplaced.length > 0;
  }

  /** Distinct sources of the last ten minutes. */
  addresses(userId: number | undefined, now: number): SeenAddress[] {
    const seen: SeenAddress[] = [];
    for (const [name, addresses] of this.#addresses) {
      const user = parseEngineUserName(name);
      for (const [address, lastSeenAt] of addresses) {
        if (now - lastSeenAt > ADDRESS_MEMORY) addresses.delete(address);
        else if (user && (userId === undefined || user.userId === userId)) seen.push({ ...user, address, lastSeenAt });
      }
      if (addresses.size === 0) this.#addresses.delete(name);
    }
    return seen;
  }

  snapshot(): SessionSnapshot {
    const addresses = [...this.#addresses].flatMap(([name, seen]) =>
      [...seen].map(([address, at]): [string, string, number] => [name, address, at]),
    );
    return { rows: [...this.#rows.values(), ...this.#unplaced], addresses };
  }

  restore(snapshot: SessionSnapshot): void {
    for (const row of snapshot.rows) {
      if (row.port === 0) this.#unplaced.push(row);
      else this.#rows.set(keyOf(row.inboundId, row.address, row.port), row);
    }
    for (const [name, address, at] of snapshot.addresses) this.#touch(name, address, at);
  }

  #place(row: Row, now: number): void {
    const key = keyOf(row.inboundId, row.address, row.port);
    const before = this.#rows.get(key);
    // Several streams may share one socket; the session began with the first.
    this.#rows.set(key, before?.userId === row.userId ? { ...row, startedAt: before.startedAt } : row);
    this.#remember(row, now);
  }

  /** Gives sockets that no line accounts for to the waiting connections of their inbound, in order. With several at once the pairing is a guess among them. */
  #claim(bySocket: ReadonlyMap<string, SocketRow>, byPort: ReadonlyMap<number, ListeningInbound>, now: number): void {
    if (this.#unplaced.length === 0) return;
    const free = new Map<number, SocketRow[]>();
    for (const [key, socket] of bySocket) {
      const inbound = byPort.get(socket.localPort);
      if (inbound?.fronted && !this.#rows.has(key)) free.set(inbound.id, [...(free.get(inbound.id) ?? []), socket]);
    }
    this.#unplaced = this.#unplaced.filter((row) => {
      const socket = free.get(row.inboundId)?.shift();
      if (socket) this.#place({ ...row, address: socket.address, port: socket.port }, now);
      return !socket && now - row.seenAt <= YOUNG;
    });
  }

  #remember(row: Row, now: number): void {
    this.#touch(engineUserName(row.userId, row.inboundId), row.address, now);
  }

  #touch(name: string, address: string, at: number): void {
    const seen = this.#addresses.get(name) ?? new Map<string, number>();
    seen.set(address, at);
    this.#addresses.set(name, seen);
  }
}

/** Whether a session is meant by a selection. */
export function matches(row: SessionRow, selection: SessionSelection): boolean {
  return (
    (selection.userId === undefined || row.userId === selection.userId) &&
    (selection.inbound === undefined || row.inbound === selection.inbound) &&
    (selection.outbound === undefined || row.outbound === selection.outbound)
  );
}

function toSession(row: Row, inbound: string, socket: SocketRow): SessionRow {
  const source = row.address.includes(":") ? `[${row.address}]:${row.port}` : `${row.address}:${row.port}`;
  return {
    id: keyOf(row.inboundId, row.address, row.port),
    userId: row.userId,
    inboundId: row.inboundId,
    inbound,
    outbound: row.outbound,
    network: "tcp",
    source,
    destination: row.destination,
    up: socket.received,
    down: socket.sent,
    startedAt: row.startedAt,
  };
}
