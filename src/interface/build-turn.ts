// One build at a time in an output directory: panels that start together wait for the one that began.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 100;
/** A turn that lasts longer is stuck; what it would spare is work, never correctness. */
const PATIENCE_MS = 120_000;

/** Takes the turn once nobody else holds it. Resolves to the way to give it back. */
export async function takeTurn(output: string): Promise<() => Promise<void>> {
  const file = join(output, "building");
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const holder = Number(await readFile(file, "utf8").catch(() => "0"));
    // Empty just before its holder has written its id.
    if (Date.now() > end || (holder > 0 && !isAlive(holder))) await rm(file, { force: true });
    else await pause(LOOK_MS);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
