// Whether a session from the log is still alive: compares one row of the session table with the present evidence.
import type { SessionRow } from "../../../../protocol/messages.ts";
import { engineUserName } from "../../../../protocol/plan.ts";
import type { Flow } from "../../../net-admin/nft/port-map.ts";
import { plainAddress } from "../../../../lib/written-address.ts";
import { inboundOfTag } from "../dialect.ts";
import type { ListeningInbound } from "./engines-in-view.ts";
import { type Evidence, hasUdp, type OwnedStream } from "./evidence.ts";
import { keyOf, type Row, sourceOf, toSession } from "./session-row.ts";
import { SILENT_MS, type SocketRow } from "./sockets.ts";

/** A session with its underlying connections, for a caller that closes it. */
export interface LiveSession {
  readonly row: SessionRow;
  /** Rises with the time at which sessions began. */
  readonly order: number;
  /** Its place in the table. */
  readonly key: string;
  /** Where its client is; behind a front that the inbound trusts not the peer of the socket. */
  readonly address: string;
  readonly socket: SocketRow | undefined;
  /** Datagram flows that carry it; several only where it is not known on which port they came in. */
  readonly flows: readonly Flow[];
  readonly streams: readonly OwnedStream[];
  /** A connection over UDP on which nothing is open: not shown, but its user can open something on it. */
  readonly idle: boolean;
}

/** Whether the client's side of a session's connection has been silent for long. Datagrams do not tell. */
export function isSilent({ socket }: LiveSession): boolean {
  return socket !== undefined && socket.silentMs > SILENT_MS;
}

/** `order` rises with the time at which sessions began. */
export type Placed = Row & { readonly order: number };

/** Evidence by `keyOf`. */
export interface Index {
  readonly byId: ReadonlyMap<number, ListeningInbound>;
  readonly sockets: ReadonlyMap<string, SocketRow>;
  readonly flows: ReadonlyMap<string, readonly Flow[]> | undefined;
  readonly streams: ReadonlyMap<string, readonly OwnedStream[]> | undefined;
  readonly online: Evidence["online"];
}

/** Sorts what was found by the inbounds it belongs to. */
export function indexOf(evidence: Evidence, inbounds: readonly ListeningInbound[]): Index {
  const overTcp = byPort(inbounds, "tcp");
  const overUdp = byPort(inbounds, "udp");
  const sockets = new Map<string, SocketRow>();
  for (const socket of evidence.sockets) {
    const inbound = overTcp.get(socket.localPort);
    if (inbound) sockets.set(keyOf(inbound.id, socket.address, socket.port), socket);
  }
  const keyOfFlow = (flow: Flow): string | undefined => {
    const inbound = overUdp.get(flow.localPort);
    return inbound && keyOf(inbound.id, plainAddress(flow.address), flow.port);
  };
  const keyOfStream = ({ stream }: OwnedStream): string | undefined => {
    const id = inboundOfTag(stream.inboundTag);
    return id === undefined ? undefined : keyOf(id, plainAddress(stream.source), stream.sourcePort);
  };
  return {
    byId: new Map(inbounds.map((inbound) => [inbound.id, inbound])),
    sockets,
    flows: evidence.flows && grouped(evidence.flows, keyOfFlow),
    streams: evidence.streams && grouped(evidence.streams, keyOfStream),
    online: evidence.online,
  };
}

/** Inbounds on TCP and on UDP may share a port number. */
function byPort(inbounds: readonly ListeningInbound[], network: "tcp" | "udp"): Map<number, ListeningInbound> {
  return new Map(
    inbounds
      .filter(({ networks }) => networks.includes(network))
      .flatMap((inbound) => inbound.localPorts.map((port): [number, ListeningInbound] => [port, inbound])),
  );
}

function grouped<T>(list: readonly T[], keyOfItem: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOfItem(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * What lives of a row: one session for a socket or a flow, one for each stream of a connection over UDP where the
 * engine lists those.
 */
export function sessionsOf(key: string, row: Placed, inbound: ListeningInbound, index: Index): LiveSession[] {
  const streams = index.streams?.get(keyOf(row.inboundId, row.claimed, row.port)) ?? [];
  const socket = index.sockets.get(key);
  const common = { order: row.order, key, address: sourceOf(row) };
  if (socket) {
    const session = toSession(row, inbound.tag, { up: socket.received, down: socket.sent });
    return [{ ...common, row: session, socket, flows: [], streams, idle: false }];
  }
  if (!hasUdp(inbound)) return [];
  const seen = index.flows?.get(key) ?? [];
  // Where the kernel's flows are not known, the drop of one is asked for on every port that it may have come in on.
  const flows = index.flows
    ? seen
    : inbound.localPorts.map((localPort) => ({ address: row.address, port: row.port, localPort }));
  if (streams.length > 0)
    return streams.map((owned) => ({
      ...common,
      row: streamSession(row, inbound.tag, owned),
      socket: undefined,
      flows,
      streams: [owned],
      idle: false,
    }));
  const open = index.streams === undefined && isOnline(row, index);
  if (!open && seen.length === 0) return [];
  return [
    {
      ...common,
      row: toSession(row, inbound.tag, { up: 0, down: 0 }),
      socket: undefined,
      flows,
      streams: [],
      idle: !open,
    },
  ];
}

/**
 * Whether a row over UDP is in use, where the engine lists no streams: by the engine's list of users, and by the
 * kernel's flows as far as those are known.
 */
function isOnline(row: Row, { online, flows }: Index): boolean {
  const flowing = flows?.has(keyOf(row.inboundId, row.address, row.port));
  // Xray leaves loopback addresses out of its list.
  const listed = row.address === "127.0.0.1" || row.address === "::1" ? undefined : online && isListed(row, online);
  return flowing === undefined ? listed === true : flowing && listed !== false;
}

function isListed(row: Row, online: NonNullable<Evidence["online"]>): boolean {
  const addresses = online.get(engineUserName(row.userId, row.inboundId));
  return [...(addresses?.keys() ?? [])].some((address) => plainAddress(address) === row.address);
}

function streamSession(row: Row, inbound: string, { stream }: OwnedStream): SessionRow {
  return {
    ...toSession(row, inbound, stream),
    id: stream.id,
    outbound: stream.outbound ?? row.outbound,
    network: stream.network,
    destination: stream.destination,
    startedAt: stream.startedAt,
  };
}
