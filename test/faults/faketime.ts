// A clock that the test sets while the panel runs, by libfaketime. The monotonic clock is left alone, as a real one is.
// Needs Debian's package faketime.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIBRARIES = existsSync("/usr/lib")
  ? readdirSync("/usr/lib").map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
  : [];
const LIBRARY = LIBRARIES.find((file) => existsSync(file));
if (LIBRARY === undefined) {
  if (process.env["CI"] === "true") throw new Error("faketime must be installed in CI");
  console.warn("skipped: tests of a clock that is set (faketime is not installed)");
}
export const canSetClocks = LIBRARY !== undefined;

export interface SetClock {
  /** For the environment of whoever should go by this clock. */
  readonly variables: Readonly<Record<string, string>>;
  /** Sets it to so many seconds from the true time. */
  set(seconds: number): void;
  remove(): void;
}

export function clockToSet(): SetClock {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-clock-"));
  const file = join(folder, "offset");
  const set = (seconds: number) => {
    // Whole or not there: it is read at any moment.
    writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    variables: {
      LD_PRELOAD: LIBRARY ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DONT_RESET: "1",
    },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
