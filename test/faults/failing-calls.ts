// System calls of a running process that fail for a while, by strace. Needs Debian's package strace and the right to
// trace.
import { spawnSync } from "node:child_process";
import { Program } from "../e2e/processes.ts";

/** Whether this machine lets a process be traced; in CI it must. */
export const canFailCalls = (() => {
  const tried = spawnSync("strace", ["-o", "/dev/null", "-e", "inject=getppid:error=EPERM", "true"]);
  if (tried.status === 0) return true;
  if (process.env["CI"] === "true") throw new Error(`strace must work in CI: ${String(tried.error ?? tried.stderr)}`);
  console.warn("skipped: tests with failing system calls (strace is not installed or not permitted)");
  return false;
})();

export interface FailingCalls {
  /** The calls work again. */
  stop(): Promise<void>;
}

/** From now on the named calls of a process fail with `error`, on these files alone. */
export async function failCalls(
  pid: number,
  calls: readonly string[],
  error: string,
  files: readonly string[],
): Promise<FailingCalls> {
  const names = calls.join(",");
  const paths = files.flatMap((file) => ["-P", file]);
  const program = new Program({
    command: "strace",
    args: [
      "-f",
      "-o",
      "/dev/null",
      "-e",
      `trace=${names}`,
      ...paths,
      "-e",
      `inject=${names}:error=${error}`,
      "-p",
      String(pid),
    ],
  });
  await program.says(/attached/);
  return {
    stop: async () => {
      if (program.running) await program.end("SIGINT");
    },
  };
}
