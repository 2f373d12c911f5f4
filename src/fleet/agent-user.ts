// The users that local agents run under, and the program that makes a process one of theirs: `setpriv`, with the two
// capabilities that an agent needs and no way to more.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Numbers that neither Debian nor systemd gives to anybody. They need no entry in /etc/passwd, and a container of
 * 65,536 users has them.
 */
const USERS = { first: 60_578, last: 61_183 };
/** Ports below 1024; the port map, speed limits, and cutting a removed user's connections. With their bits. */
const CAPABILITIES = { net_bind_service: 10, net_admin: 12 };

/** Whether a directory of this owner was given to an agent. */
export function isAgentUser(uid: number): boolean {
  return uid >= USERS.first && uid <= USERS.last;
}

/**
 * The user of an agent: its directory's owner where it has one, else one that no other agent of this panel has. Each
 * has its own, so that none reaches another's keys.
 */
export function userFor(home: string, agents: string): number {
  const owner = uidOf(home);
  if (owner !== undefined && isAgentUser(owner)) return owner;
  const taken = new Set(readdirSync(agents).map((name) => uidOf(join(agents, name))));
  for (const known of knownUsers()) taken.add(known);
  const count = USERS.last - USERS.first + 1;
  const from = createHash("sha256").update(home).digest().readUInt32BE();
  for (let step = 0; step < count; step++) {
    const uid = USERS.first + ((from + step) % count);
    if (!taken.has(uid)) return uid;
  }
  throw new Error(`all users from ${USERS.first} to ${USERS.last} are taken`);
}

/**
 * Words before a command that make it run as this user. Whatever of the two capabilities the panel lacks itself, the
 * agent lacks too.
 */
export function wordsFor(uid: number): [string, ...string[]] {
  const capabilities = ["-all", ...heldCapabilities().map((name) => `+${name}`)].join(",");
  return [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${uid}`,
    "--clear-groups",
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    `--bounding-set=${capabilities}`,
    "--no-new-privs",
    "--",
  ];
}

/** Why a command cannot be run as an agent's user here; undefined when it can. Only trying tells. */
export async function userObjection(command: readonly string[]): Promise<string | undefined> {
  const [program, ...words] = wordsFor(USERS.last);
  try {
    await promisify(execFile)(program, [...words, ...command], { cwd: "/", timeout: 20_000 });
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return "setpriv (package util-linux) is not installed";
    return error instanceof Error ? error.message.trim().replaceAll("\n", "; ") : String(error);
  }
}

function heldCapabilities(): string[] {
  const held = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "0"}`);
  return Object.entries(CAPABILITIES).flatMap(([name, bit]) => ((held >> BigInt(bit)) & 1n ? [name] : []));
}

function knownUsers(): number[] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => Number(line.split(":")[2]));
  } catch {
    return []; // A machine without that file has no users but root.
  }
}

function uidOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}
