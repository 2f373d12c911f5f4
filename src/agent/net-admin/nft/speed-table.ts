// The table of speed limits, as nft reads it. Pure: text from what is and what should be.
//
// One limit for each user and direction, which all their connections share: packets beyond it are dropped, and TCP
// slows down. The kernel's bucket holds what flows in a second (and the burst) at most, so somebody who was idle for
// that long has as much at once.
import { plainAddress } from "../../../lib/written-address.ts";
import { isIP } from "node:net";

/**
 * Whole segments, which may be 64 KiB long inside the machine, must fit several times, or slow users would get nothing
 * at all.
 */
const MIN_BURST = 256 * 1024;
const BURST_MS = 125;
/** The kernel counts in nanoseconds and 64 bits. */
const MAX_RATE = 8_000_000_000;

/**
 * A TCP connection of a user to the engine, as the engine's socket sees it: the port it listens on (the inner one), and
 * the client's address.
 */
export interface LimitedSession {
  readonly userId: number;
  readonly localPort: number;
  readonly address: string;
  readonly port: number;
}

/** The kernel's speed limits of one driver. */
export interface SpeedTable {
  /**
   * Makes these the limits (bytes per second and direction by user) of these connections. A table that somebody flushed
   * is made again.
   */
  hold(limits: ReadonlyMap<number, number>, sessions: readonly LimitedSession[]): Promise<void>;
  takeAway(): Promise<void>;
}

export interface SpeedState {
  /** Limits in the table: bytes per second by user. */
  readonly limits: ReadonlyMap<number, number>;
  /** Connections by key (`<family> <address> . <port> . <local port>`), with the limit's name less its direction. */
  readonly flows: ReadonlyMap<string, string>;
}

export const EMPTY: SpeedState = { limits: new Map(), flows: new Map() };

/** What the table should say: connections of users with a limit, and the limits of those who have or had one. */
export function speedState(
  limits: ReadonlyMap<number, number>,
  sessions: readonly LimitedSession[],
  before: SpeedState,
): SpeedState {
  const used = new Map([...before.limits].filter(([userId, rate]) => limits.get(userId) === rate));
  const flows = new Map<string, string>();
  for (const session of sessions) {
    const rate = limits.get(session.userId) ?? 0;
    const address = plainAddress(session.address);
    const family = isIP(address);
    if (rate <= 0 || family === 0) continue;
    used.set(session.userId, rate);
    flows.set(`${family} ${address} . ${session.port} . ${session.localPort}`, nameOf(session.userId, rate));
  }
  return { limits: used, flows };
}

function nameOf(userId: number, rate: number): string {
  return `u${userId}_${rate}`;
}

/** The table with no limit in it, in the place of whatever was there. */
export function speedDeclaration(table: string): string {
  const keyed = (family: 4 | 6): string => `{ type ipv${family}_addr . inet_service . inet_service : limit; }`;
  return [
    `add table ${table}`,
    `delete table ${table}`,
    `add table ${table}`,
    ...["down4", "up4"].map((map) => `add map ${table} ${map} ${keyed(4)}`),
    ...["down6", "up6"].map((map) => `add map ${table} ${map} ${keyed(6)}`),
    // The engine's side of the port map: after it on the way in, before it on the way out.
    `add chain ${table} leaving { type filter hook output priority 5; policy accept; }`,
    `add chain ${table} arriving { type filter hook input priority 5; policy accept; }`,
    `add rule ${table} leaving limit name ip daddr . tcp dport . tcp sport map @down4 drop`,
    `add rule ${table} leaving limit name ip6 daddr . tcp dport . tcp sport map @down6 drop`,
    `add rule ${table} arriving limit name ip saddr . tcp sport . tcp dport map @up4 drop`,
    `add rule ${table} arriving limit name ip6 saddr . tcp sport . tcp dport map @up6 drop`,
    "",
  ].join("\n");
}

/** The words that lead from one state to the next; empty for equal ones. */
export function speedChange(table: string, before: SpeedState, after: SpeedState): string {
  const words: string[] = [];
  const gone = [...before.flows].filter(([key, name]) => after.flows.get(key) !== name).map(([key]) => key);
  const come = [...after.flows].filter(([key, name]) => before.flows.get(key) !== name);
  for (const family of ["4", "6"])
    for (const direction of ["down", "up"]) {
      const map = `${table} ${direction}${family}`;
      const out = gone.filter((key) => key.startsWith(family)).map((key) => key.slice(2));
      if (out.length > 0) words.push(`delete element ${map} { ${out.join(", ")} }`);
    }
  // A limit cannot be changed: another rate is another limit. It must be there before connections name it, and be named
  // no more before it goes.
  for (const [userId, rate] of before.limits)
    if (after.limits.get(userId) !== rate) words.push(...limitWords(table, "delete", userId, rate));
  for (const [userId, rate] of after.limits)
    if (before.limits.get(userId) !== rate) words.push(...limitWords(table, "add", userId, rate));
  for (const family of ["4", "6"])
    for (const direction of ["down", "up"]) {
      const elements = come
        .filter(([key]) => key.startsWith(family))
        .map(([key, name]) => `${key.slice(2)} : "${name}_${direction}"`);
      if (elements.length > 0) words.push(`add element ${table} ${direction}${family} { ${elements.join(", ")} }`);
    }
  return words.length === 0 ? "" : `${words.join("\n")}\n`;
}

function limitWords(table: string, verb: "add" | "delete", userId: number, rate: number): string[] {
  const bounded = Math.min(rate, MAX_RATE);
  const burst = Math.max(MIN_BURST, Math.round((bounded * BURST_MS) / 1000));
  const body = verb === "add" ? ` { rate over ${bounded} bytes/second burst ${burst} bytes; }` : "";
  return ["down", "up"].map((direction) => `${verb} limit ${table} ${nameOf(userId, rate)}_${direction}${body}`);
}
