// The process of a local agent: told apart from every other by pid and start time, found again by its command line.
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/** `startedAt`: clock ticks since boot; with the pid it names one process for good. `listen`: `host:port`, as it was told. */
export const AgentProcess = z.object({ pid: z.int().positive(), startedAt: z.string(), listen: z.string() });
export type AgentProcess = z.infer<typeof AgentProcess>;

/** The agent that serves a directory, whoever started it. Looks through all processes: for the start of a panel only. */
export function findAgent(home: string): AgentProcess | undefined {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = commandOf(name);
    const listen = words[words.indexOf("--listen") + 1];
    const startedAt = startTimeOf(Number(name));
    if (!words.includes("agent") || words[words.indexOf("--data") + 1] !== home || listen === undefined || startedAt === undefined)
      continue;
    return { pid: Number(name), startedAt, listen };
  }
  return undefined;
}

export function isAlive({ pid, startedAt }: AgentProcess): boolean {
  const start = startTimeOf(pid);
  return start !== undefined && start === startedAt;
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

/** The words of a process's command line; none for one that is gone or another user's. */
function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
