// Many seeds in a test: fixed ones, and others that begin elsewhere every day. In a process of their own, where nothing
// but Node stands between them and the processor.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const DAY_MS = 86_400_000;
/** Seeds set apart for a day, of which every part takes its own. */
const PER_DAY = 100_000;
const PER_PART = 10_000;
const RUN = fileURLToPath(new URL("run.ts", import.meta.url));

/**
 * `part`: which of the files that run beside each other. `seconds`: processor time that the seeds of today may take.
 * Prints which seeds were run, and fails with those that broke a promise.
 */
export async function runSeeds(part: number, fixed: number, seconds: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * PER_DAY + part * PER_PART;
  const first = part * PER_PART + 1;
  const runs = [
    ["--seeds", `${first}..${first + fixed - 1}`],
    ["--seeds", `${today}..${today + PER_PART - 1}`, "--seconds", String(seconds)],
  ];
  for (const args of runs) {
    const { failed, told } = await run(args);
    console.log(told.split("\n").at(-2));
    expect(failed ? told : "", "to see what led to it: npm run seeds -- --seeds <seed> --trace").toBe("");
  }
}

function run(args: readonly string[]): Promise<{ failed: boolean; told: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...args], (error, stdout, stderr) =>
      resolve({ failed: error !== null, told: `${stderr}${stdout}` }),
    );
  });
}
