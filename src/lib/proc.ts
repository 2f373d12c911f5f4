// What the kernel says of processes. A name, an argument or an environment proves nothing: everybody may start a
// process with any of them. Whose a process is, only the kernel says.
import { readFileSync } from "node:fs";

/** A file under /proc; undefined where it cannot be read. It vanishes at any time, with its process. */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/**
 * When a living process started, in clock ticks since boot (field 22 of its `stat`): a pid alone is reused by the
 * kernel, a pid with its start is not. Undefined for one that is gone or a zombie.
 */
export function startTimeOf(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name may hold spaces and brackets: fields count from behind its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/**
 * The user of a process; undefined when it is gone, or when its real, effective, saved and file-system users are not
 * all the same: a program with the set-user-id bit runs with the environment and arguments of whoever started it.
 */
export function userOf(pid: number): number | undefined {
  const line = /^Uid:\t(.*)$/m.exec(readProc(`/proc/${pid}/status`) ?? "")?.[1];
  const [first, ...others] = line?.split("\t") ?? [];
  return first !== undefined && others.every((uid) => uid === first) ? Number(first) : undefined;
}
