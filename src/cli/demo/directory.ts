// The demo's data directory: one demo at a time, made again, and nothing left running of one that was killed.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { endProcess, identify, isAlive, type ProcessIdentity } from "../../agent/engines/process/lifecycle/identity.ts";
import { takeDirectoryLock } from "../../db/index.ts";

const PidFile = z.object({ pid: z.int().positive(), startedAt: z.string() });
const GRACE_MS = 4000;

/**
 * Makes the directory this demo's own and ends what a killed demo left there. Throws a sentence when another demo or
 * another panel uses it.
 */
export async function claimDirectory(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const other = recorded(pidFile(directory, "demo"));
  if (other && other.pid !== process.pid)
    throw new Error(`a demo runs already on ${directory} (process ${other.pid}): end it first`);
  recordProcess(directory, "demo", process.pid);
  await endProcesses(directory);
  // A panel that somebody else started on this directory must not lose its files under its feet.
  takeDirectoryLock(join(directory, "panel.lock"))();
}

/** Forgets everything that earlier demos kept. Only for a directory that was claimed. */
export function emptyDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  recordProcess(directory, "demo", process.pid);
}

/** Remembers a process of the demo, so that a later demo can end it if this one is killed. */
export function recordProcess(directory: string, name: string, pid: number): void {
  const startedAt = identify(pid)?.startTime ?? "";
  writeFileSync(pidFile(directory, name), JSON.stringify({ pid, startedAt }), { mode: 0o600 });
}

/**
 * Ends the panel, the simulated fleet and the local agents of this directory, whichever process started them. Resolves
 * once they are gone.
 */
export async function endProcesses(directory: string): Promise<void> {
  const ours = ["panel", "simulate"].map((name) => pidFile(directory, name));
  // The panel ends its agents itself; those that outlived it come after.
  for (const group of [ours, globSync(join(directory, "agents", "*.pid"))]) {
    await Promise.all(
      group.map(async (file) => {
        const identity = recorded(file);
        if (identity) await endProcess(identity, GRACE_MS);
      }),
    );
  }
}

function pidFile(directory: string, name: string): string {
  return join(directory, `${name}.pid`);
}

/** The process that a file names, if it still runs. */
function recorded(file: string): ProcessIdentity | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const parsed = PidFile.safeParse(parsedJson(text));
  if (!parsed.success) return undefined;
  const identity = { pid: parsed.data.pid, startTime: parsed.data.startedAt };
  return isAlive(identity) ? identity : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off by a kill in the middle of writing: it names nobody.
    return undefined;
  }
}
