// The built interface for tests of it: built once for the sources as they are, by whichever test file asks first.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MAIN = fileURLToPath(new URL("../../src/interface/build-main.ts", import.meta.url));
const OUTPUT = fileURLToPath(new URL("../../.web", import.meta.url));

/** How long a hook may wait for the build, on a machine that does much else: it has a low priority. */
export const BUILD_MS = 240_000;

let built: Promise<string> | undefined;

/**
 * Absolute directory of the build, for `SIGNALBOX_WEB`. Builds when it is not there; files that ask at the same time
 * wait for one build.
 */
export function builtInterface(): Promise<string> {
  built ??= promisify(execFile)(process.execPath, [MAIN, OUTPUT]).then(
    ({ stdout }) => stdout.trim().split("\n").at(-1) ?? "",
  );
  return built;
}
