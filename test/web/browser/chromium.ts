// The browser of the tests: the machine's own Chromium, as the shell without windows where that is there, which asks a
// third less of the processor. Without one, CI fails and other machines skip with the reason.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PLACES = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const executablePath = PLACES.find((place) => place !== "" && existsSync(place));
if (executablePath === undefined && process.env["CI"] === "true") throw new Error("chromium must be installed in CI");
if (executablePath === undefined) console.warn("skipped: tests in a browser (no chromium; CHROMIUM may name one)");

/** Whether this run can open a browser: `describe.skipIf(!hasBrowser)(…)`. */
export const hasBrowser = executablePath !== undefined;

/** One process for a test file; each visit has a context of its own. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error("there is no chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ...more] });
}
