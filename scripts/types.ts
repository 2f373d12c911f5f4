// `npm run types`: checks the types of the panel and of its pages. What was found is kept beside the packages, so that
// after a change only the files that it may concern are checked again. Two checkers: each more does much of the work of
// the others once more.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const compiler = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace("package.json", "bin/tsc");
for (const [project, name] of [
  [".", "panel"],
  ["src/web", "pages"],
] as const) {
  const kept = `node_modules/.cache/types-${name}.tsbuildinfo`;
  const options = ["-p", project, "--checkers", "2", "--incremental", "--tsBuildInfoFile", kept];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
