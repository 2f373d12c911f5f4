// Programs that a test runs and a machine may lack: the test is skipped there, aloud. In CI they must be there.
import { spawnSync } from "node:child_process";

/**
 * Whether all of these answer `--version`, or `version` as openssl does. `what`: what is skipped without one of them.
 */
export function hasPrograms(what: string, ...programs: readonly string[]): boolean {
  const missing = programs.filter((program) =>
    ["--version", "version"].every((asked) => spawnSync(program, [asked]).status !== 0),
  );
  if (missing.length === 0) return true;
  const sentence = `${what}: ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed`;
  if (process.env["CI"] === "true") throw new Error(sentence);
  console.warn(`skipped: ${sentence}`);
  return false;
}
