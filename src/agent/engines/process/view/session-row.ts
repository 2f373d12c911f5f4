// One session as it is remembered between looks, kept over restarts of the agent, and shown.
import { z } from "zod";
import type { SessionRow, SessionSelection } from "../../../../protocol/messages.ts";

/** What a log line said of a client's connection to the engine. */
export const Row = z.object({
  userId: z.int(),
  inboundId: z.int(),
  outbound: z.string(),
  network: z.enum(["tcp", "udp"]),
  destination: z.string(),
  /** The peer of the connection itself, not what a header claims. */
  address: z.string(),
  port: z.int(),
  /** The address that the engine believes; the engine's own list names the connection by it. */
  claimed: z.string(),
  /** A front that the inbound trusts said so: it is the client's address. */
  trusted: z.boolean().exactOptional(),
  startedAt: z.int(),
  seenAt: z.int(),
});
export type Row = z.infer<typeof Row>;

export const SessionSnapshot = z.object({
  rows: z.array(Row),
  /** Connections through a forwarding header, whose socket is not known yet. */
  unplaced: z.array(Row),
  addresses: z.array(z.tuple([z.string(), z.string(), z.int()])),
});
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;

/** What the lines of the access log before `offset` came to. */
export const LogCheckpoint = z.object({
  offset: z.int(),
  rejected: z.record(z.string(), z.int()),
  sessions: SessionSnapshot,
});
export type LogCheckpoint = z.infer<typeof LogCheckpoint>;

/** How connections are told apart. */
export function keyOf(inboundId: number, address: string, port: number): string {
  return `${inboundId}|${address}|${port}`;
}

/** Where a client is, as far as its own word does not decide it. */
export function sourceOf({ address, claimed, trusted }: Row): string {
  return trusted === true ? claimed : address;
}

/** Whether a session is meant by a selection. */
export function matches(row: SessionRow, selection: SessionSelection): boolean {
  return (
    (selection.userId === undefined || row.userId === selection.userId) &&
    (selection.inbound === undefined || row.inbound === selection.inbound) &&
    (selection.outbound === undefined || row.outbound === selection.outbound)
  );
}

/** A row as it is shown; `bytes` seen from the node: up = from the client. */
export function toSession(
  row: Row,
  inbound: string,
  bytes: { readonly up: number; readonly down: number },
): SessionRow {
  return {
    id: keyOf(row.inboundId, row.address, row.port),
    userId: row.userId,
    inboundId: row.inboundId,
    inbound,
    outbound: row.outbound,
    network: row.network,
    source: row.address.includes(":") ? `[${row.address}]:${row.port}` : `${row.address}:${row.port}`,
    destination: row.destination,
    up: bytes.up,
    down: bytes.down,
    startedAt: row.startedAt,
  };
}
