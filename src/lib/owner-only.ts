// Files and directories that only their owner may reach. What an older version, a copy or an unpacked archive left open
// is closed at the start.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

/** Permissions of group and others. */
const OTHERS = 0o077;
/** A directory such as /tmp, in which everybody may keep files of their own. */
const SHARED = 0o1000;
/** More than a data directory ever holds: what it is beyond that is no data directory of ours. */
const MOST = 1000;

export interface Closing {
  /** What was open, with its mode before: `panel.db 644`. */
  readonly closed: readonly string[];
  /** What could not be closed, and why. */
  readonly left: readonly string[];
}

/** Closes a directory, and what lies right in it: deeper nobody gets through it. */
export function closeDirectory(directory: string): Closing {
  const real = realpathSync(directory);
  if ((statSync(real).mode & SHARED) !== 0)
    return { closed: [], left: [".: it is a directory for all users of the machine, name one of its own"] };
  const named: [string, string][] = [[".", real]];
  const entries = opendirSync(real);
  try {
    for (let entry = entries.readSync(); entry && named.length < MOST; entry = entries.readSync()) {
      if (entry.isFile() || entry.isDirectory()) named.push([entry.name, join(real, entry.name)]);
    }
  } finally {
    entries.closeSync();
  }
  return closeAll(named);
}

/** Closes these files, those of them that exist. */
export function closeFiles(files: readonly string[]): Closing {
  return closeAll(files.map((file) => [file, file]));
}

function closeAll(named: readonly (readonly [name: string, path: string])[]): Closing {
  const closed: string[] = [];
  const left: string[] = [];
  for (const [name, path] of named) {
    try {
      const before = closeOne(path);
      if (before !== undefined) closed.push(`${name} ${before.toString(8)}`);
    } catch (error) {
      left.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { closed, left };
}

/**
 * Its mode before; undefined for what is closed, gone, or neither a file nor a directory. A link is not followed, not
 * even one that takes a file's place meanwhile.
 */
function closeOne(path: string): number | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen || !(seen.isFile() || seen.isDirectory()) || (seen.mode & OTHERS) === 0) return undefined;
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const mode = fstatSync(file).mode & 0o7777;
    fchmodSync(file, mode & ~OTHERS);
    return mode;
  } finally {
    closeSync(file);
  }
}
