// What the panel keeps of a local agent, and the directory that it gives to the agent's user.
//
// A directory that was given away is the agent's: the panel opens nothing in it by a name that its user could have
// planted. The panel's own files, pid and log, are next to it.
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AgentProcess } from "./agent-process.ts";
import { fingerprintOfPem } from "../link/identity.ts";

/** Name of the trust file in an agent's own directory. */
export const OWN_TRUST = "panel.pem";
/** The agent's certificate in it. */
const CERTIFICATE = "agent.crt";
const MOST_BYTES = 65_536;
/** What a directory may hold when it is given away. */
const MOST_ENTRIES = 100_000;

/** Makes the directory where it is missing; for its owner alone. */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
}

/** User id of the directory's owner; undefined while there is no directory. */
export function ownerOf(home: string): number | undefined {
  return lstatSync(home, { throwIfNoEntry: false })?.uid;
}

/**
 * Gives the directory, with all in it, to a user. The directory itself goes last: until then nobody but the panel's
 * user gets in, and a kill leaves what is begun again. Throws when a file has a second name: giving it would give a
 * file somewhere else.
 */
export function giveHome(home: string, uid: number): void {
  lchownSync(home, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
  rmSync(join(home, "agent.pid"), { force: true });
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  if (names.length > MOST_ENTRIES)
    throw new Error(`${home} holds ${names.length} files, more than an agent's directory does`);
  for (const path of names.map((name) => join(home, name))) {
    const stat = lstatSync(path);
    if (!stat.isDirectory() && stat.nlink > 1)
      throw new Error(`${path} has a second name (hard link), so it is not given to another user`);
    lchownSync(path, uid, uid);
  }
  lchownSync(home, uid, uid);
}

/**
 * Writes a file of the panel's into a directory that may be another user's: whatever lies there under these names is
 * replaced, never written through.
 */
export function writeInto(home: string, name: string, content: string, uid: number): void {
  const draft = join(home, `${name}.${randomUUID()}`);
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    writeSync(file, content);
    fchownSync(file, uid, uid);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(draft, join(home, name));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * The key by which a local agent is known, from its directory: whoever was first to listen on its port is not asked.
 * Undefined where this panel keeps no such directory, or its agent was not started yet.
 */
export function keyOf(home: string): { fingerprint: string | undefined } | undefined {
  if (ownerOf(home) === undefined) return undefined;
  const pem = readFrom(home, CERTIFICATE);
  return { fingerprint: pem === undefined ? undefined : fingerprintOfPem(pem) };
}

/** A small file that is in an agent's directory itself: no link and no pipe. */
function readFrom(home: string, name: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(join(home, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    return stat.isFile() && stat.size > 0 && stat.size < MOST_BYTES ? readFileSync(file, "utf8") : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ELOOP"))
      return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What the agent writes to its standard output and error, opened for appending. */
export function openLog(home: string): number {
  return openSync(`${home}.log`, "a", 0o600);
}

/** Atomic: a reader during the write, or after a kill, sees either the old file or the new one. */
export function writePidFile(home: string, agent: AgentProcess): void {
  const fresh = `${pidFile(home)}.new`;
  writeFileSync(fresh, JSON.stringify(agent), { mode: 0o600 });
  renameSync(fresh, pidFile(home));
}

/** Undefined when there is none, or none of ours. */
export function readPidFile(home: string): AgentProcess | undefined {
  try {
    return AgentProcess.parse(JSON.parse(readFileSync(pidFile(home), "utf8")));
  } catch {
    return undefined;
  }
}

/** The panel's own files next to the directory of an agent that was removed. */
export function clearBeside(home: string): void {
  for (const file of [pidFile(home), `${home}.log`, `${home}.log.1`]) rmSync(file, { force: true });
}

const pidFile = (home: string) => `${home}.pid`;
