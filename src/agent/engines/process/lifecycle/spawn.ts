// Starts an engine so that it outlives the agent: detached, its log in a file (a pipe to a dead agent would kill it),
// its configuration through stdin.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { engineEnvironment } from "../program.ts";
import { inEngineGroup } from "./engine-group.ts";
import { identify, isAlive, type ProcessIdentity } from "./identity.ts";

/** The environment entry by which engines of a directory are found again when the state file was lost. */
export function markOf(directory: string): string {
  return `${MARK}=${resolve(directory)}`;
}

const MARK = "SIGNALBOX_ENGINE_DIRECTORY";

export interface Launch {
  readonly binary: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly stdin: string;
  /** Appended to with O_APPEND, so that the agent may truncate it while the engine runs. */
  readonly logPath: string;
  readonly directory: string;
}

/** Starts the process and resolves once it exists. It is not a promise that the engine works. */
export async function launch(options: Launch): Promise<ProcessIdentity> {
  const log = openLog(options.logPath);
  try {
    const child = withPrivateFiles(() =>
      inEngineGroup(() =>
        spawn(options.binary, [...options.args], {
          detached: true,
          stdio: ["pipe", log, log],
          cwd: options.directory,
          env: { ...engineEnvironment(), ...options.environment, [MARK]: resolve(options.directory) },
        }),
      ),
    );
    await new Promise<void>((exists, reject) => {
      child.once("spawn", exists);
      child.once("error", (error) =>
        reject(new Error(`${options.binary} could not be started: ${error.message}`, { cause: error })),
      );
    });
    // An engine that refuses its configuration may be gone before it has read all of it; its exit tells more than
    // EPIPE.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.stdin);
    child.unref();
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    if (!identity) throw new Error(`${options.binary} ended as soon as it was started`);
    return identity;
  } finally {
    closeSync(log);
  }
}

/** What is started in `start` makes files and sockets for its owner alone: it inherits the mask of this moment. */
function withPrivateFiles<T>(start: () => T): T {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/** Calls `onExit` once when the process is gone, its own child or an adopted one alike. The answer stops watching. */
export function watchExit(identity: ProcessIdentity, onExit: () => void): () => void {
  const timer = setInterval(() => {
    if (isAlive(identity)) return;
    clearInterval(timer);
    onExit();
  }, 200);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * An engine starts even if the disk has become read-only: then it has no log, and the agent cannot say who is
 * connected.
 */
function openLog(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    if (
      !(
        error instanceof Error &&
        "code" in error &&
        (error.code === "EROFS" || error.code === "EPERM" || error.code === "ENOSPC")
      )
    )
      throw error;
    return openSync("/dev/null", "a");
  }
}
