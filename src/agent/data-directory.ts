// The data directory before anything is kept in it: there, ours, writable.
import { constants, accessSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { hasCode } from "./durable-file.ts";

/**
 * How the agent names its directory: `.` where it was started in it, for the directories above may be closed to its
 * user.
 */
export function reachableName(path: string, workingDirectory: string): string {
  return resolve(workingDirectory, path) === workingDirectory ? "." : path;
}

/**
 * Makes the directory (mode 0700) where it is missing. Rejects with a sentence when it cannot be made or used by this
 * user.
 */
export async function prepareDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`the data directory ${path} cannot be made: ${reasonOf(error)}`, { cause: error });
  }
  const problem = directoryProblem(path);
  if (problem !== undefined) throw new Error(problem);
}

/** Why this user cannot keep an agent's data in a directory that is there; undefined when nothing is in the way. */
export function directoryProblem(path: string): string | undefined {
  const problem = writeProblem(path);
  if (problem !== undefined)
    return `the data directory ${path} cannot be used by user ${process.getuid?.() ?? "?"}: ${problem}`;
  const { uid } = statSync(path);
  const user = process.getuid?.() ?? uid;
  // Files that another user's agent can write are no safe place for keys. Root may use what its service user owns.
  if (uid === user || user === 0) return undefined;
  return `the data directory ${path} belongs to user ${uid}, and this is user ${user}: run as that user, or give it to this one (chown)`;
}

/** What is in the way of writing into a folder; undefined when nothing is. */
export function writeProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "something that is no directory is in the way";
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (hasCode(error, "EACCES") || hasCode(error, "EPERM")) return "no right to write there";
  if (hasCode(error, "EROFS")) return "it is on a read-only file system";
  if (hasCode(error, "ENOSPC")) return "its disk is full";
  if (hasCode(error, "ENOTDIR") || hasCode(error, "EEXIST")) return "something that is no directory is in the way";
  if (hasCode(error, "ENOENT")) return "it does not exist";
  return error instanceof Error ? error.message : String(error);
}
