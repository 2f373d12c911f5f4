// The `signalbox` program as tests start it: joined once for the sources as they are, by the test file that asks first.
// With SIGNALBOX_PROGRAM=sources it is the sources themselves, as they are in production.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
/** Below the packages, which it finds from there. */
const KEPT = `${CHECKOUT}node_modules/.cache/signalbox-joined/`;
const READ = ["package-lock.json", "test/program", "machines", "src"];
const NEVER_READ = /^src\/(web|client)\//;
const HOUR_MS = 3_600_000;

const directory = process.env["SIGNALBOX_PROGRAM"] === "sources" ? undefined : await joined();

/** `node MAIN serve`, without the launcher: the process that is killed is the panel itself. */
export const MAIN = directory === undefined ? `${CHECKOUT}src/main.ts` : `${directory}/main.mjs`;

/** The module of `serve`, for a process that loads it ahead. */
export const SERVE = directory === undefined ? `${CHECKOUT}src/cli/serve.cli.ts` : `${directory}/serve.mjs`;

async function joined(): Promise<string> {
  const complete = KEPT + stamp();
  if (existsSync(complete)) return complete;
  const unfinished = `${KEPT}unfinished-${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const { joinProgram } = await import("./join.ts");
  await joinProgram(CHECKOUT, unfinished);
  try {
    renameSync(unfinished, complete);
  } catch (error) {
    // Another file's process was faster.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(complete)) throw error;
  }
  // A run that began with older sources may still start its own; another process may remove one at the same time.
  for (const name of readdirSync(KEPT)) {
    const written = statSync(KEPT + name, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - written > HOUR_MS) rmSync(KEPT + name, { recursive: true, force: true });
  }
  return complete;
}

/** The same while nothing changes of which the program is made. */
function stamp(): string {
  const digest = createHash("sha256");
  for (const place of READ) {
    const found = statSync(CHECKOUT + place).isFile() ? [""] : readdirSync(CHECKOUT + place, { recursive: true });
    for (const name of found.map(String).toSorted()) {
      const path = name === "" ? place : `${place}/${name}`;
      if (NEVER_READ.test(path)) continue;
      const { mtimeMs, size } = statSync(CHECKOUT + path);
      digest.update(`${path}\0${mtimeMs}\0${size}\0`);
    }
  }
  return digest.digest("hex").slice(0, 16);
}
