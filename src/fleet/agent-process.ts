// The process of a local agent: told apart from every other by pid and start time, found again by its command line.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { z } from "zod";

/**
 * `startedAt`: clock ticks since boot; together with the pid it identifies one process. `listen`: `host:port`, as
 * configured.
 */
export const AgentProcess = z.object({ pid: z.int().positive(), startedAt: z.string(), listen: z.string() });
export type AgentProcess = z.infer<typeof AgentProcess>;

/**
 * The agent that serves a directory: the panel's user's or the directory's owner's, whichever panel started it. Looks
 * through all processes: for the start of a panel only.
 */
export function findAgent(home: string): AgentProcess | undefined {
  const place = realOf(home);
  const users = [process.getuid?.(), statSync(home, { throwIfNoEntry: false })?.uid];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = commandOf(name);
    const listen = words[words.indexOf("--listen") + 1];
    const startedAt = startTimeOf(Number(name));
    if (
      !words.includes("agent") ||
      realOf(words[words.indexOf("--data") + 1] ?? "") !== place ||
      listen === undefined ||
      startedAt === undefined
    )
      continue;
    // Anybody may name this directory on a command line of their own.
    if (!users.includes(userOf(Number(name)))) continue;
    return { pid: Number(name), startedAt, listen };
  }
  return undefined;
}

export function isAlive({ pid, startedAt }: AgentProcess): boolean {
  const start = startTimeOf(pid);
  return start !== undefined && start === startedAt;
}

/** The user that a process runs as. Undefined when it is gone. */
export function userOf(pid: number): number | undefined {
  try {
    const uid = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return uid === undefined ? undefined : Number(uid);
  } catch {
    return undefined;
  }
}

/** Start time of a process in clock ticks since boot. Undefined when it is gone (or a zombie). */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, which is what was wanted.
  }
}

/** Agents are told the real path of their directory; earlier versions told the path as the panel had it. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The words of a process's command line; none for one that is gone or another user's. */
function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
