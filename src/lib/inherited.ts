// What a process inherited from whoever started it, and must not hand on to its children: open descriptors, and folders
// on the PATH. Called before anything else.
import { closeSync, readdirSync, readFileSync } from "node:fs";
import { searchPath } from "./search-path.ts";

const CLOSES_ON_EXEC = 0o2000000;

let refused: readonly string[] = [];

/** Folders of the PATH that this process does not use, and why. */
export function refusedFolders(): readonly string[] {
  return refused;
}

/** Closes what was left open by the starter, and makes the PATH one of trusted folders. */
export function giveUpInherited(): void {
  closeInherited();
  const trusted = searchPath(process.env["PATH"] ?? "");
  process.env["PATH"] = trusted.path;
  refused = trusted.refused;
}

/**
 * Node opens every descriptor of its own so that no child gets it (close-on-exec). Of inherited ones it marks the first
 * sixteen so, and hands on the rest.
 */
export function closeInherited(): void {
  for (const name of readEntries("/proc/self/fd")) {
    const fd = Number(name);
    if (fd <= 2) continue;
    const flags = /^flags:\s*([0-7]+)/m.exec(textOf(`/proc/self/fdinfo/${name}`))?.[1];
    if (flags === undefined || (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) !== 0) continue;
    closeSync(fd);
  }
}

/** Empty on a system without /proc. */
function readEntries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty for one that is closed by now. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
