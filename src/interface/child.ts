// The build as a child process: its memory is given back when it ends, and the panel answers meanwhile.
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unfinishedOf } from "./builds.ts";

const MAIN = fileURLToPath(new URL("build-main.ts", import.meta.url));
/** A build that takes longer hangs. */
const LONGEST_MS = 180_000;
/** Characters that are kept from the end of its complaints. */
const REMEMBERED = 2000;

export type BuildResult =
  | { readonly done: true; readonly directory: string }
  | { readonly done: false; readonly reason: string };

/** Builds into `output`. Aborting ends the child. Never rejects. */
export function runBuild(output: string, signal: AbortSignal): Promise<BuildResult> {
  const { promise, resolve } = Promise.withResolvers<BuildResult>();
  if (signal.aborted) return Promise.resolve({ done: false, reason: "the panel stops" });
  const child = spawn(process.execPath, [MAIN, output], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  const late = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  const end = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  let said = "";
  let complained = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complained = (complained + text).slice(-REMEMBERED)));
  child.on("error", (error) => resolve({ done: false, reason: error.message }));
  child.on("close", (code, killed) => {
    clearTimeout(late);
    signal.removeEventListener("abort", end);
    const directory = said.trim().split("\n").at(-1) ?? "";
    if (code === 0) return resolve({ done: true, directory });
    const reason = complained.trim() || `it ended with ${killed ?? `code ${code}`}`;
    const removed = rm(join(output, unfinishedOf(child.pid ?? 0)), { recursive: true, force: true });
    // What stays is removed by the next build.
    void removed.catch(() => {}).then(() => resolve({ done: false, reason }));
  });
  return promise;
}
