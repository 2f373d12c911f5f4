// What engines say of documents that clients get.
import { execFileSync, spawnSync } from "node:child_process";

/** What an engine says to a configuration; undefined when it takes it. */
export function objection(command: string, args: readonly string[], configuration: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { input: configuration, encoding: "utf8" });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim().split("\n").at(-1);
}

export function installed(command: string, word: string): boolean {
  try {
    execFileSync(command, [word], { stdio: "ignore" });
    return true;
  } catch {
    if (process.env["CI"] === "true") throw new Error(`${command} must be installed in CI`);
    console.warn(`skipped: ${command} is not installed, what it would say of subscriptions is not known`);
    return false;
  }
}
