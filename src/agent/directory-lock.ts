// One agent per data directory. Two would write one ledger and fight over one engine.
import { spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "./durable-file.ts";

const LOCK = "agent.lock";
/** What `flock` ends with when another process holds the lock. */
const HELD = 1;

/**
 * Holds the directory until the returned function is called or the process ends, however it ends: the kernel frees the
 * lock with the descriptor, which no child gets. It is on a file that other users cannot open, so that none of them can
 * hold it. Rejects with a sentence while another agent holds it. A system without `flock` has no lock.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = openLock(directory);
  try {
    // The lock belongs to the open file, which this process shares with the program.
    if ((await flock(file)) === HELD) throw new Error(`another agent runs on the data directory ${directory}`);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return () => {
    closeSync(file);
    return Promise.resolve();
  };
}

/** Whether an agent holds the directory. Makes no file. */
export async function isLocked(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, LOCK))) return false;
  const file = openLock(directory);
  try {
    return (await flock(file)) === HELD;
  } finally {
    closeSync(file);
  }
}

/** Where a disk has no room for a new file the directory itself is locked. */
function openLock(directory: string): number {
  try {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    return openSync(join(directory, LOCK), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (!["ENOSPC", "EDQUOT", "EROFS"].some((code) => hasCode(error, code))) throw error;
    return openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  }
}

/** Resolves to the exit code; to nothing where there is no such program. */
async function flock(file: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn("flock", ["-n", "-x", "3"], { stdio: ["ignore", "ignore", "ignore", file] });
    child.once("error", (error) => (hasCode(error, "ENOENT") ? resolve(undefined) : reject(error)));
    child.once("close", (code) => resolve(code ?? undefined));
  });
}
