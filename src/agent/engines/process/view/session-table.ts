// Live sessions of process engines: their access log says whose a connection is, the kernel and the engines' own lists
// whether it still lives.
import { engineUserName, parseEngineUserName } from "../../../../protocol/plan.ts";
import type { SeenAddress } from "../../contract/driver.ts";
import type { AccessLine } from "./access-log.ts";
import { plainAddress } from "../../../../lib/written-address.ts";
import { AddressMemory } from "./address-memory.ts";
import type { ListeningInbound } from "./engines-in-view.ts";
import type { Evidence } from "./evidence.ts";
import { type Index, indexOf, type LiveSession, type Placed, sessionsOf } from "./liveness.ts";
import { keyOf, type Row, type SessionSnapshot, sourceOf } from "./session-row.ts";
import { SILENT_MS, type SocketRow } from "./sockets.ts";

/** A row that is older than a look by at most this many seconds is kept, even if the look does not show it. */
const YOUNG = 3;
/** So many seconds a connection whose line names no port waits for the lines of others. */
const PATIENCE = 2;

export class SessionTable {
  readonly #rows = new Map<string, Placed>();
  readonly #addresses = new AddressMemory();
  /**
   * Connections whose line may name an address that a client made up: their socket is found by `join`. By what the line
   * says, where that names a port.
   */
  readonly #unplaced = new Map<string, Row>();
  /** Where those went that were found, by the same key. */
  readonly #claims = new Map<string, string>();
  /** Places that were given to a connection whose line named no port. */
  readonly #guessed = new Set<string>();
  #order = 0;

  /**
   * Takes a line of the access log for a user; `clock` in Unix seconds, for lines without a time of their own.
   * `fronted`: the engine may have believed a header; `trusting`: such a line has no port, and the header is that of a
   * front. Resolves to the key of the session, if its peer is certain already.
   */
  see(
    line: AccessLine,
    name: { userId: number; inboundId: number },
    fronted: boolean,
    clock: number,
    trusting = false,
  ): string | undefined {
    const now = line.at ?? clock;
    const row: Row = {
      ...name,
      outbound: line.outbound,
      network: line.network,
      destination: line.destination,
      address: line.source,
      port: line.sourcePort,
      claimed: line.source,
      ...(trusting && line.sourcePort === 0 && { trusted: true }),
      startedAt: now,
      seenAt: now,
    };
    // Fronts carry many clients over one connection of theirs: whether or not it is found, this client was there.
    if (row.trusted) this.#remember(row, now);
    if ((!fronted || trusting) && line.sourcePort !== 0) return this.#place(row, now);
    // The client chooses the address in the header, so it must neither name a session nor count as a source.
    const said = line.sourcePort === 0 ? `#${(this.#order += 1)}` : keyOf(name.inboundId, line.source, line.sourcePort);
    const placed = this.#rows.get(this.#claims.get(said) ?? "");
    if (placed?.userId === name.userId) return this.#place({ ...row, address: placed.address }, now);
    const before = this.#unplaced.get(said);
    this.#unplaced.set(
      said,
      before?.userId === row.userId ? { ...row, outbound: row.outbound || before.outbound } : row,
    );
    return undefined;
  }

  /** Sessions that live, given the evidence of now. Forgets those that ended. */
  join(evidence: Evidence, inbounds: readonly ListeningInbound[], now: number): LiveSession[] {
    const index = indexOf(evidence, inbounds);
    this.#claim(index, evidence.at, now);
    this.#adopt(index, now);
    this.#rememberOnline(index);
    const live: LiveSession[] = [];
    for (const [key, row] of this.#rows) {
      const inbound = index.byId.get(row.inboundId);
      const found = inbound ? sessionsOf(key, row, inbound, index) : [];
      // An address is seen when something last came from it: a dead connection stays open for minutes.
      const open = found.filter(({ idle }) => !idle);
      const silent = Math.min(...open.map(({ socket }) => socket?.silentMs ?? 0));
      if (open.length > 0) this.#remember(row, now - (silent > SILENT_MS ? Math.floor(silent / 1000) : 0));
      if (found.length === 0 && evidence.at - row.seenAt > YOUNG) this.#forget(key);
      live.push(...found);
    }
    return live;
  }

  /** The users of these sockets, as far as the table knows them without a full `join`. */
  owners(
    sockets: readonly SocketRow[],
    inbounds: readonly ListeningInbound[],
  ): { userId: number; socket: SocketRow }[] {
    const { sockets: byKey } = indexOf(
      { at: 0, sockets, flows: undefined, streams: undefined, online: undefined },
      inbounds,
    );
    return [...byKey].flatMap(([key, socket]) => {
      const row = this.#rows.get(key);
      return row ? [{ userId: row.userId, socket }] : [];
    });
  }

  /** Whether connections wait for their socket to be found by `join`. */
  get waiting(): boolean {
    return this.#unplaced.size > 0;
  }

  /** Whether any of these engine users may have something open. */
  hasAny(names: ReadonlySet<string>): boolean {
    for (const rows of [this.#rows, this.#unplaced])
      for (const row of rows.values()) if (names.has(engineUserName(row.userId, row.inboundId))) return true;
    return false;
  }

  /** These were cut: only a new line brings them back. */
  forget(sessions: readonly LiveSession[]): void {
    for (const { key } of sessions) this.#forget(key);
  }

  /** Distinct sources of the last ten minutes. */
  addresses(userId: number | undefined, now: number): SeenAddress[] {
    return this.#addresses.list(userId, now);
  }

  snapshot(): SessionSnapshot {
    const rows = [...this.#rows.values()].map(({ order: _, ...row }) => row);
    return { rows, unplaced: [...this.#unplaced.values()], addresses: this.#addresses.snapshot() };
  }

  restore(snapshot: SessionSnapshot): void {
    for (const row of snapshot.rows) {
      const key = keyOf(row.inboundId, row.address, row.port);
      this.#rows.set(key, { ...row, order: (this.#order += 1) });
      if (row.claimed !== row.address) this.#claims.set(keyOf(row.inboundId, row.claimed, row.port), key);
    }
    for (const row of snapshot.unplaced)
      this.#unplaced.set(row.port === 0 ? `#${(this.#order += 1)}` : keyOf(row.inboundId, row.claimed, row.port), row);
    for (const [name, address, at] of snapshot.addresses) this.#addresses.touch(name, address, at);
  }

  #place(row: Row, now: number): string {
    const key = keyOf(row.inboundId, row.address, row.port);
    const before = this.#rows.get(key);
    // Several streams may share one socket; the session began with the first.
    const same = before?.userId === row.userId;
    const outbound = row.outbound || (same ? before.outbound : "");
    this.#rows.set(
      key,
      same
        ? { ...row, outbound, startedAt: before.startedAt, order: before.order }
        : { ...row, order: (this.#order += 1) },
    );
    this.#remember(row, now);
    return key;
  }

  #forget(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#rows.delete(key);
    this.#guessed.delete(key);
    const said = keyOf(row.inboundId, row.claimed, row.port);
    if (this.#claims.get(said) === key) this.#claims.delete(said);
  }

  /**
   * Gives waiting connections the sockets of their inbound that no line accounts for: where the line names a port, only
   * such with that port; otherwise in order, and with several at once the pairing is a guess among them. A socket that
   * has an owner is never given to somebody else: a header could name it.
   */
  #claim({ byId, sockets }: Index, at: number, now: number): void {
    if (this.#unplaced.size === 0) return;
    const byInbound = new Map<number, SocketRow[]>();
    for (const [key, socket] of sockets) {
      const id = Number(key.slice(0, key.indexOf("|")));
      const list = byInbound.get(id);
      if (list) list.push(socket);
      else byInbound.set(id, [socket]);
    }
    // A port is no header's word: who names one goes first, and takes even what was given to another by a guess.
    for (const [said, row] of [...this.#unplaced].toSorted(
      ([, a], [, b]) => Number(a.port === 0) - Number(b.port === 0),
    )) {
      const candidates = byId.has(row.inboundId) ? (byInbound.get(row.inboundId) ?? []) : [];
      const socket = row.port === 0 ? this.#guess(row, candidates, at) : this.#candidate(row, candidates);
      if (socket) {
        const key = keyOf(row.inboundId, socket.address, socket.port);
        if (row.port !== 0) this.#displace(key, row, at);
        this.#place({ ...row, address: socket.address, port: socket.port }, now);
        if (row.port === 0) this.#guessed.add(key);
        else this.#claims.set(said, key);
      }
      if (socket || at - row.seenAt > YOUNG) this.#unplaced.delete(said);
    }
  }

  /**
   * Engines lose log lines when many connections open at the same time, and do not log some UDP connections. A
   * connection without a log line belongs to the user that the engine lists at that address and inbound, if there is
   * exactly one.
   */
  #adopt({ byId, sockets, flows, online }: Index, now: number): void {
    if (!online) return;
    const orphans = [...sockets.keys(), ...(flows?.keys() ?? [])].filter((key) => !this.#rows.has(key));
    if (orphans.length === 0) return;
    const owners = soleOwners(online);
    for (const key of orphans) {
      const end = key.lastIndexOf("|");
      const user = owners.get(key.slice(0, end));
      if (!user || (byId.get(user.inboundId)?.fronted ?? true)) continue;
      const address = key.slice(key.indexOf("|") + 1, end);
      const network = sockets.has(key) ? "tcp" : "udp";
      const common = { outbound: "", destination: "", address, claimed: address, startedAt: now, seenAt: now };
      this.#place({ ...user, ...common, network, port: Number(key.slice(end + 1)) }, now);
    }
  }

  #candidate(row: Row, sockets: readonly SocketRow[]): SocketRow | undefined {
    const keyOfSocket = (socket: SocketRow): string => keyOf(row.inboundId, socket.address, socket.port);
    const fitting = sockets.filter((socket) => socket.port === row.port);
    const free = fitting.filter(
      (socket) => !this.#rows.has(keyOfSocket(socket)) || this.#guessed.has(keyOfSocket(socket)),
    );
    return (
      free.find((socket) => socket.address === row.claimed) ??
      free[0] ??
      fitting.find((socket) => this.#rows.get(keyOfSocket(socket))?.userId === row.userId)
    );
  }

  /**
   * One of the sockets without an owner. While there are more of those than connections that wait, their own lines may
   * still come.
   */
  #guess(row: Row, sockets: readonly SocketRow[], at: number): SocketRow | undefined {
    const free = sockets.filter((socket) => !this.#rows.has(keyOf(row.inboundId, socket.address, socket.port)));
    const waiting = [...this.#unplaced.values()].filter(
      (other) => other.port === 0 && other.inboundId === row.inboundId,
    );
    return free.length > waiting.length && at - row.seenAt < PATIENCE ? undefined : free[0];
  }

  /** A session that was assigned here by a guess waits again. */
  #displace(key: string, by: Row, at: number): void {
    const row = this.#rows.get(key);
    if (!row || !this.#guessed.has(key)) return;
    this.#forget(key);
    if (row.userId === by.userId) return;
    const { order: _, ...again } = row;
    this.#unplaced.set(`#${(this.#order += 1)}`, { ...again, address: again.claimed, port: 0, seenAt: at });
  }

  #remember(row: Row, now: number): void {
    this.#addresses.touch(engineUserName(row.userId, row.inboundId), sourceOf(row), now);
  }

  /**
   * Over UDP some protocols log nothing; there the engine's own list tells. It may believe headers, but those come over
   * TCP alone.
   */
  #rememberOnline({ byId, online }: Index): void {
    for (const [name, addresses] of online ?? []) {
      const inbound = byId.get(Number(name.slice(name.indexOf(".") + 1)));
      if (inbound && !inbound.networks.includes("tcp"))
        for (const [address, at] of addresses) this.#addresses.touch(name, plainAddress(address), at);
    }
  }
}

/** Users by inbound and address (the start of `keyOf`), where the engine's list has one alone there. */
function soleOwners(online: NonNullable<Index["online"]>): Map<string, { userId: number; inboundId: number }> {
  const owners = new Map<string, { userId: number; inboundId: number } | undefined>();
  for (const [name, addresses] of online) {
    const user = parseEngineUserName(name);
    if (!user) continue;
    for (const address of addresses.keys()) {
      const place = `${user.inboundId}|${plainAddress(address)}`;
      owners.set(place, owners.has(place) ? undefined : user);
    }
  }
  return new Map([...owners].flatMap(([place, user]) => (user ? [[place, user] as const] : [])));
}
