// The real panel, killed as it enters a system call that strace chooses: the n-th write, sync or truncation of any of
// its threads.
import { execFileSync } from "node:child_process";
import { describe, test } from "vitest";
import { dialects } from "../database.ts";
import { crashTest } from "./crash-test.ts";

/** Why it cannot be tried here; in CI it must be possible. */
function missing(): string | undefined {
  try {
    execFileSync("strace", ["-f", "-qq", "-o", "/dev/null", "-e", "trace=write", "true"], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

const reason = missing();
if (reason !== undefined) console.warn(`skipped: kills at system calls (strace cannot trace here: ${reason})`);

describe.skipIf(reason !== undefined).each(dialects)("kills at system calls on %s", (dialect) => {
  test("a panel survives them", { timeout: 1_800_000 }, async () => {
    await crashTest(dialect, "syscalls", 45);
  });
});
