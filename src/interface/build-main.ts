// `npm run web [OUTPUT]`, and the child of a panel whose interface is older than its sources: builds it, compresses it,
// gives it its name.
//
// A panel never sees half a build: everything is made in a directory of this process and renamed. The build may end at
// any instant.
import { existsSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { buildsIn, UNFINISHED, unfinishedOf } from "./builds.ts";
import { compressAll } from "./compress.ts";
import { CHECKOUT, OUTPUT } from "./paths.ts";
import { stampOf } from "./stamp.ts";
import { isAlive, takeTurn } from "./build-turn.ts";

/** Builds that stay: pages which are open since before an update may still load from the last ones. */
const KEPT = 3;

const [given] = process.argv.slice(2);
const output = given === undefined ? OUTPUT : resolve(given);
const quality = given === undefined ? 11 : 10;
const unfinished = join(output, unfinishedOf(process.pid));

let building = false;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (building) rmSync(join(output, "building"), { force: true });
    // Files that are being written at this instant may come after it: a panel removes them when this process is gone,
    // the next build in any case.
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    process.exit(128 + constants.signals[signal]);
  });
}

// Whatever the panel or a test runs as.
process.env["NODE_ENV"] = "production";
// The build has a low priority: callers that wait for the panel's answers come first.
setPriority(10);
await mkdir(output, { recursive: true });
const giveBack = await takeTurn(output);
building = true;
try {
  const stamp = await stampOf(CHECKOUT);
  const place = join(output, stamp);
  if (!existsSync(place)) await build(place);
  await tidy(place);
  process.stdout.write(`${place}\n`);
} finally {
  await rm(unfinished, { recursive: true, force: true });
  await giveBack();
}

async function build(place: string): Promise<void> {
  const vite = await import("vite");
  const configFile = join(CHECKOUT, "src", "web", "vite.config.ts");
  // The native loader writes nothing into the checkout, which may be read-only.
  await vite.build({
    configFile,
    configLoader: "native",
    logLevel: "warn",
    build: { outDir: unfinished, emptyOutDir: true },
  });
  await compressAll(unfinished, quality);
  await rename(unfinished, place);
}

/** Removes builds past those that are kept, and what killed builds left. */
async function tidy(place: string): Promise<void> {
  const others = (await buildsIn(output)).filter((path) => path !== place);
  const left = (await readdir(output)).filter((name) => {
    const pid = Number(UNFINISHED.exec(name)?.[1] ?? process.pid);
    return pid !== process.pid && !isAlive(pid);
  });
  for (const path of [...others.slice(KEPT - 1), ...left.map((name) => join(output, name))])
    await rm(path, { recursive: true, force: true });
}
