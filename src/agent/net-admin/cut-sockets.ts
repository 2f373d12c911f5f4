// Cuts TCP connections through iproute2's `ss -K`. Needs CAP_NET_ADMIN.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CutSocket } from "./contract.ts";

const run = promisify(execFile);
const MAX_OUTPUT = 256 * 1024 * 1024;
const EACH_TIME = 100;

export async function cutSockets(sockets: readonly CutSocket[]): Promise<void> {
  await inParts(sockets, async (part) => {
    await run("ss", ["-K", "-tnHO", "state", "established", anyOf(part.map(filterOf))], { maxBuffer: MAX_OUTPUT });
  });
}

/** Cuts those that a process of this user has open; others, and those of nobody, stay. */
export async function cutSocketsOf(uid: number, sockets: readonly CutSocket[]): Promise<void> {
  await inParts(sockets, async (part) => {
    const words = ["-tneHO", "state", "established", anyOf(part.map(filterOf))];
    const { stdout } = await run("ss", words, { maxBuffer: MAX_OUTPUT });
    const own = stdout.split("\n").flatMap((line) => {
      const [, , local, peer] = line.trim().split(/\s+/);
      return peer !== undefined && new RegExp(`\\suid:${uid}\\s`).test(line)
        ? [`( src ${local} and dst ${peer} )`]
        : [];
    });
    if (own.length > 0) await run("ss", ["-K", "-tnHO", "state", "established", anyOf(own)], { maxBuffer: MAX_OUTPUT });
  });
}

function filterOf({ localPort, peer }: CutSocket): string {
  return `( sport = :${localPort} and dst ${peer} )`;
}

function anyOf(filters: readonly string[]): string {
  return `( ${filters.join(" or ")} )`;
}

async function inParts(
  sockets: readonly CutSocket[],
  cut: (part: readonly CutSocket[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < sockets.length; from += EACH_TIME) await cut(sockets.slice(from, from + EACH_TIME));
}
