// Many seeds in a test: fixed ones, and others that begin elsewhere every day. In a process of their own, where nothing but Node stands between them and the processor.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const DAY_MS = 86_400_000;
/** Seeds set apart for a day, of which every part takes its own. */
const PER_DAY = 100_000;
const PER_PART = 10_000;
const RUN = fileURLToPath(new URL("run.ts", import.meta.url));

/** `part`: which of the files that run beside each other. Prints which seeds were run, and fails with those that broke a promise. */
export async function runSeeds(part: number, fixed: number, ofToday: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * PER_DAY + part * PER_PART;
  const ranges = [
    { first: part * PER_PART + 1, count: fixed },
    { first: today, count: ofToday },
  ];
  for (const { first, count } of ranges) {
    const { failed, told } = await run(`${first}..${first + count - 1}`);
    console.log(told.split("\n").at(-2));
    expect(failed ? told : "", "to see what led to it: npm run seeds -- --seeds <seed> --trace").toBe("");
  }
}

function run(seeds: string): Promise<{ failed: boolean; told: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, "--seeds", seeds], (error, stdout, stderr) =>
      resolve({ failed: error !== null, told: `${stderr}${stdout}` }),
    );
  });
}
