// Reads the access log lines of v2ray and Xray, and follows the file they stand in.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";

/** One connection as the engine announced it. */
export interface AccessLine {
  /** Unix seconds by the engine's clock; undefined for a line without a time stamp. */
  readonly at: number | undefined;
  readonly source: string;
  /** 0 where the engine believed a forwarding header instead of the socket. */
  readonly sourcePort: number;
  readonly network: "tcp" | "udp";
  readonly destination: string;
  /** What stands in the brackets: v2ray writes the outbound's tag. */
  readonly outbound: string;
  /** Absent for protocols that do not log it (socks, http). */
  readonly user: string | undefined;
}

const LINE =
  /(?:from )?(?:(?:tcp|udp):)?(\[[0-9a-fA-F:.]+\]|[0-9.]+):(\d+) accepted\s+(?:(tcp|udp):)?(\S+)(?: \[([^\]]*)\])?(?:.*? email: (\S+))?/;

/** Undefined for every line that announces no accepted connection. */
export function parseAccessLine(line: string): AccessLine | undefined {
  const match = LINE.exec(line);
  if (!match) return undefined;
  const [, source = "", port = "0", network, destination = "", outbound = "", user] = match;
  return {
    at: timeOf(line),
    source: plainAddress(source),
    sourcePort: Number(port),
    network: network === "udp" ? "udp" : "tcp",
    destination,
    outbound,
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

/** An address without brackets and zone, IPv4 in its own form where it came mapped into IPv6. */
export function plainAddress(text: string): string {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return bare.toLowerCase().startsWith("::ffff:") && bare.includes(".") ? bare.slice(7) : bare.toLowerCase();
}

const CHUNK = 256 * 1024;
const MAX_LINE = 64 * 1024;

/** Follows a log file that a process appends to, and empties it when it has grown. */
export class LogFollower {
  readonly #path: string;
  readonly #onLine: (line: string) => void;
  #offset: number;
  #rest = "";

  constructor(path: string, offset: number, onLine: (line: string) => void) {
    this.#path = path;
    this.#offset = offset;
    this.#onLine = onLine;
  }

  /** Bytes of the file that were handed out, less an unfinished line. */
  get offset(): number {
    return this.#offset - Buffer.byteLength(this.#rest, "latin1");
  }

  /** Hands out every line that was written since. A file shorter than the offset was emptied and is read from its start. */
  read(): void {
    const file = openSync(this.#path, "a+", 0o600);
    try {
      if (fstatSync(file).size < this.#offset) {
        this.#offset = 0;
        this.#rest = "";
      }
      const chunk = Buffer.alloc(CHUNK);
      for (let count = readSync(file, chunk, 0, CHUNK, this.#offset); count > 0; count = readSync(file, chunk, 0, CHUNK, this.#offset)) {
        this.#offset += count;
        const lines = (this.#rest + chunk.toString("latin1", 0, count)).split("\n");
        this.#rest = (lines.pop() ?? "").slice(-MAX_LINE);
        for (const line of lines) this.#onLine(line);
      }
    } finally {
      closeSync(file);
    }
  }

  /** Empties the file when it is longer than `limit` and read to its end. `before` is called first, so that what the lines said can be kept. */
  truncateAbove(limit: number, before: () => void): boolean {
    if (this.#offset <= limit) return false;
    const file = openSync(this.#path, "r+");
    try {
      before();
      ftruncateSync(file, 0);
      this.#offset = 0;
      this.#rest = "";
      return true;
    } finally {
      closeSync(file);
    }
  }
}
