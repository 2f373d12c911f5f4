// Which process is meant: a pid alone is reused by the kernel, a pid with its start time is not.
import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { boundSockets } from "../../../net-admin/facts.ts";
import { readProc, startTimeOf, userOf } from "../../../../lib/proc.ts";
import { inEngineGroup } from "./engine-group.ts";

/** `startTime`: clock ticks since boot, kept as text. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The identity of a living process; undefined for one that is gone or a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Whether this very process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

function signal(identity: ProcessIdentity, name: "SIGTERM" | "SIGKILL"): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Ends the process: SIGTERM, and SIGKILL after `graceMs`. Resolves once it is gone. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signal(identity, "SIGTERM");
  for (let waited = 0; isAlive(identity); waited += 20) {
    if (waited >= graceMs) signal(identity, "SIGKILL");
    if (waited >= graceMs + 5000) throw new Error(`process ${identity.pid} survived SIGKILL`);
    await delay(20);
  }
}

/** Whether a process is this agent's user's. What another user's says of itself is not believed. */
export function isOwn({ pid }: ProcessIdentity): boolean {
  return userOf(pid) === process.getuid?.();
}

/**
 * This user's processes whose environment holds exactly `entry` (`NAME=value`): engines that were started for a
 * directory, whatever its state file knows.
 */
export function processesMarked(entry: string): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = inEngineGroup(() => readProc(`/proc/${name}/environ`));
    const identity = environment?.split("\0").includes(entry) ? identify(Number(name)) : undefined;
    if (identity && isOwn(identity)) found.push(identity);
  }
  return found;
}

/** Ports on which the process takes connections and datagrams, any address. */
export function listeningPorts(pid: number): { readonly tcp: ReadonlySet<number>; readonly udp: ReadonlySet<number> } {
  const open = { tcp: new Set<number>(), udp: new Set<number>() };
  const inodes = new Set<string>();
  try {
    inEngineGroup(() => {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const match = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`));
        if (match?.[1] !== undefined) inodes.add(match[1]);
      }
    });
  } catch {
    return open;
  }
  for (const network of ["tcp", "udp"] as const)
    for (const { inode, port } of boundSockets(pid, network)) if (inodes.has(inode)) open[network].add(port);
  return open;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
