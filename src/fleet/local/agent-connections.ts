// Whether anybody is connected through an agent, by the kernel's tables: for agents whose own word nobody can ask for,
// of whatever version they are.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { isEngineOf } from "./agent-process.ts";

/** The entry in an engine's environment that names its directory, inside its agent's. */
const MARK = "SIGNALBOX_ENGINE_DIRECTORY=";
const ESTABLISHED = "01";
/** How the tables begin an IPv4 address of an IPv6 socket. */
const MAPPED = "0000000000000000FFFF0000";

/**
 * Engines that were started for an agent's directory. Only of processes that are the agent's user's or the panel's own
 * the environment is believed.
 */
export function enginesOf(home: string): number[] {
  const beginnings = [home, realpathSync(home)].map((path) => `${MARK}${join(path, "engine")}${sep}`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isEngineOf(Number(name), home))
    .filter((name) =>
      textOf(`/proc/${name}/environ`)
        .split("\0")
        .some((entry) => beginnings.some((beginning) => entry.startsWith(beginning))),
    )
    .map(Number);
}

/**
 * Whether these processes hold a connection to anybody but each other and the panel, whose own come in on `linkPort`.
 * TCP connections and outgoing UDP flows are seen; a QUIC client that is connected and transfers nothing is not.
 */
export async function isAnybodyConnected(pids: readonly number[], linkPort: number): Promise<boolean> {
  const own = new Set(pids.flatMap(socketsOf));
  const tables = await Promise.all(
    ["tcp", "tcp6", "udp", "udp6"].map((name) => readFile(`/proc/net/${name}`, "latin1").catch(() => "")),
  );
  const pairs = tables.flatMap((table) =>
    table.split("\n").flatMap((line) => {
      const [, local = "", remote = "", state, , , , , , inode = ""] = line.trim().replaceAll(MAPPED, "").split(/\s+/);
      return state === ESTABLISHED && own.has(inode) ? [{ local, remote }] : [];
    }),
  );
  const ends = new Set(pairs.map(({ local, remote }) => `${local} ${remote}`));
  return pairs.some(({ local, remote }) => portOf(local) !== linkPort && !ends.has(`${remote} ${local}`));
}

function portOf(end: string): number {
  return Number.parseInt(end.slice(end.lastIndexOf(":") + 1), 16);
}

/** Inodes of a process's sockets. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    );
  } catch {
    return []; // It ended meanwhile.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // Closed meanwhile.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Ended meanwhile, or another user's.
  }
}
