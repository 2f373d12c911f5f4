// Runs its arguments under Node 24, whatever Node started it: this process's own binary when new enough, else the one
// npm installed. Plain JavaScript on purpose: it has to run under Node 20.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder that holds a `node` of version 24 or later. */
function node24Folder() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return dirname(process.execPath);
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin");
  } catch {
    console.error(
      `Signalbox needs Node 24. The package ${name} that would bring it is not installed; install Node 24 and try again.`,
    );
    process.exit(1);
  }
}

const folder = node24Folder();
// What was compiled once is kept beside the packages: later starts take little more than half as long, and 50 MB less.
// Where that folder cannot be written nothing is kept. What lies in it is run, so it is never a folder that others may
// write.
const compiled = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules/.cache/signalbox");
const child = spawn(join(folder, "node"), process.argv.slice(2), {
  stdio: "inherit",
  // A kill of this process cannot be passed on: the panel watches for it by this id.
  env: {
    NODE_COMPILE_CACHE: compiled,
    ...process.env,
    PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    SIGNALBOX_LAUNCHER: String(process.pid),
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`Node 24 could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
