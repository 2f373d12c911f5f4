// The process of a local agent: told apart from every other by pid and start time, found again by its command line.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { startTimeOf, userOf } from "../../lib/proc.ts";

/**
 * `startedAt`: clock ticks since boot; together with the pid it identifies one process. `listen`: `host:port`, as
 * configured.
 */
export const AgentProcess = z.object({ pid: z.int().positive(), startedAt: z.string(), listen: z.string() });
export type AgentProcess = z.infer<typeof AgentProcess>;

const NODE = /^node(js)?([-_.\d].*)?$/;
const ENGINE = /^(xray|sing-box|v2ray)([-_.\d].*)?$/;

/**
 * The agent that serves a directory: the panel's user's or the directory's owner's, whichever panel started it. Looks
 * through all processes: for the start of a panel only.
 */
export function findAgent(home: string): AgentProcess | undefined {
  const place = realOf(home);
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
    if (!servesHome(Number(name), home, NODE)) continue;
    return { pid: Number(name), startedAt, listen };
  }
  return undefined;
}

export function isAlive({ pid, startedAt }: AgentProcess): boolean {
  const start = startTimeOf(pid);
  return start !== undefined && start === startedAt;
}

/** Whether a process is one that runs an engine for this directory's agent, whatever its environment says. */
export function isEngineOf(pid: number, home: string): boolean {
  return servesHome(pid, home, ENGINE);
}

/**
 * Whether a process is the directory's owner's, whose user nobody else can become, or the panel's own and runs such a
 * program: others can have root run programs too, with an environment and arguments of theirs (sudo, su).
 */
function servesHome(pid: number, home: string, program: RegExp): boolean {
  const user = userOf(pid);
  if (user === undefined) return false;
  if (user === process.getuid?.()) return program.test(basename(programOf(pid)));
  return user === statSync(home, { throwIfNoEntry: false })?.uid;
}

/** The file that a process runs. Empty for one that is gone or that this user may not look at. */
function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
  } catch {
    return "";
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
