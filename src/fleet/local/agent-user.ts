// The users that local agents and their net keepers run under, and the program that makes a process one of theirs:
// `setpriv`, with the one capability that each needs and no way to more.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { userOf } from "../../lib/proc.ts";

/**
 * Numbers that neither Debian nor systemd gives to anybody. They need no entry in /etc/passwd, and a container of
 * 65,536 users has them.
 */
const USERS = { first: 60_578, last: 61_183 };
/**
 * The user of net keepers, and the group of agents. By this group the kernel tells an agent from its engines: their
 * group has the number of the agent's user.
 */
const KEEPER = USERS.last;
/**
 * Bits of capabilities. An agent listens on ports below 1024. The port map, speed limits and cutting a removed user's
 * connections are its keeper's: who may do that may do it to every other program's connections too.
 */
const CAPABILITIES = { net_bind_service: 10, net_admin: 12 } as const;
type Capability = keyof typeof CAPABILITIES;

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
    if (uid !== KEEPER && !taken.has(uid)) return uid;
  }
  throw new Error(`all users from ${USERS.first} to ${USERS.last} are taken`);
}

/**
 * Words before a command that make it run as an agent's user. A capability that the panel lacks itself the agent lacks
 * too.
 */
export function wordsFor(uid: number): [string, ...string[]] {
  return setpriv(uid, [`--rgid=${uid}`, `--egid=${KEEPER}`], "net_bind_service");
}

/** The same for the net keeper of an agent; undefined where the panel has no right to give. */
export function keeperWordsFor(agent: number): [string, ...string[]] | undefined {
  // An agent of an earlier version may have this number.
  const uid = agent === KEEPER ? KEEPER - 1 : KEEPER;
  return holds(process.pid, "net_admin") ? setpriv(uid, [`--regid=${uid}`], "net_admin") : undefined;
}

/** Whether a process has more rights than a local agent is given: an earlier version's has. */
export function hasMoreRights(pid: number): boolean {
  return !isAgentUser(userOf(pid) ?? 0) || holds(pid, "net_admin");
}

function setpriv(uid: number, groups: readonly string[], capability: Capability): [string, ...string[]] {
  const capabilities = ["-all", ...(holds(process.pid, capability) ? [`+${capability}`] : [])].join(",");
  return [
    "setpriv",
    `--reuid=${uid}`,
    ...groups,
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
  const [program, ...words] = wordsFor(KEEPER - 1);
  try {
    await promisify(execFile)(program, [...words, ...command], { cwd: "/", timeout: 20_000 });
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return "setpriv (package util-linux) is not installed";
    return error instanceof Error ? error.message.trim().replaceAll("\n", "; ") : String(error);
  }
}

function holds(pid: number, capability: Capability): boolean {
  try {
    const held = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return held !== undefined && ((BigInt(`0x${held}`) >> BigInt(CAPABILITIES[capability])) & 1n) === 1n;
  } catch {
    return false; // Gone meanwhile.
  }
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
