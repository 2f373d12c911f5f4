// `npm run client`: builds @signalbox/client into .client/ and packs it as a file that `npm install` takes.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = `${ROOT}.client/`;
const { version, license } = z
  .object({ version: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")));

/** Runs a program to its end. Throws when it fails. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}`, { cause: error });
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "src/client"], ROOT);
copyFileSync(`${ROOT}docs/client.md`, `${FOLDER}README.md`);
writeFileSync(
  `${FOLDER}package.json`,
  `${JSON.stringify(
    {
      name: "@signalbox/client",
      version,
      license,
      description: "The API of a Signalbox panel for programs: typed calls, retries, pages, events, webhooks.",
      type: "module",
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
      files: ["dist"],
      sideEffects: false,
    },
    null,
    2,
  )}\n`,
);
run("npm", ["pack", "--silent"], FOLDER);
