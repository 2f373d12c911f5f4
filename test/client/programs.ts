// The programs that the documents' examples are written for. A machine without one skips its examples and says so; in
// CI it must be there.
import { spawnSync } from "node:child_process";

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

const missing = ["bash", "curl", "python3"].filter((program) => !has(program));
if (missing.length > 0 && process.env["CI"] === "true") throw new Error(`CI needs ${missing.join(" and ")}`);
if (missing.length > 0) console.warn(`skipped: examples for ${missing.join(" and ")}, not installed`);

export const hasPython = !missing.includes("python3");
/** The pages' commands read answers with Python. */
export const hasShell = missing.length === 0;
