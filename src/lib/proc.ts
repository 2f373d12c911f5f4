// Finds the user of a process, from what only the kernel writes. A name, an argument or an environment proves nothing:
// everybody may start a process with any of them.
import { readFileSync } from "node:fs";

/**
 * The user of a process; undefined when it is gone, or when its real, effective, saved and file-system users are not
 * all the same: a program with the set-user-id bit runs with the environment and arguments of whoever started it.
 */
export function userOf(pid: number): number | undefined {
  try {
    const line = /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    const [first, ...others] = line?.split("\t") ?? [];
    return first !== undefined && others.every((uid) => uid === first) ? Number(first) : undefined;
  } catch {
    return undefined;
  }
}
