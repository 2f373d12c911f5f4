// What one line of an engine's access log says; reads the lines of v2ray and Xray.
import { plainAddress } from "../../../../lib/written-address.ts";

/** One connection as the engine announced it. */
export interface AccessLine {
  /** Unix seconds by the engine's clock; undefined for a line without a time stamp. */
  readonly at: number | undefined;
  readonly source: string;
  /** 0 where the engine believed a forwarding header instead of the socket. */
  readonly sourcePort: number;
  /** Network of the connection to the target, whatever carries the client's data to the engine. */
  readonly network: "tcp" | "udp";
  readonly destination: string;
  /** Our name of the inbound, where the engine writes it. */
  readonly inboundTag: string | undefined;
  /** Empty while the engine has not said it; a later line of the same connection may. */
  readonly outbound: string;
  /** Absent for protocols that do not log it (socks, http). */
  readonly user: string | undefined;
}

// Anchored: what a client chooses (host names, paths) stands later in a line, or in lines of another form.
const LINE =
  /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)? )?(?:from )?(?:(?:tcp|udp):)?(\[[0-9a-fA-F:.]+\]|[0-9.]+):(\d+) accepted\s+(?:(tcp|udp):)?(\S+)(?: \[([^\]]*)\])?(?:.*? email: (\S+))?/;
/** Xray's brackets: the inbound, how the outbound was chosen (by a rule, as the default, by force), the outbound. */
const WAY = /^(in\.[1-9]\d*\.[ab]) (?:->|>>|==>) (.*)$/;

/** Undefined for every line that announces no accepted connection. */
export function parseAccessLine(line: string): AccessLine | undefined {
  const match = LINE.exec(line);
  if (!match) return undefined;
  const [, source = "", port = "0", network, destination = "", brackets = "", user] = match;
  const way = WAY.exec(brackets);
  return {
    at: timeOf(line),
    source: plainAddress(source),
    sourcePort: Number(port),
    network: network === "udp" ? "udp" : "tcp",
    destination,
    inboundTag: way?.[1],
    outbound: way?.[2] ?? brackets,
    user,
  };
}

/** The engine writes local time without a zone; it inherited the agent's. */
function timeOf(line: string): number | undefined {
  const match = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)/.exec(line);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
}
