// What a kill left is swept where nobody writes into it any more; what another process is at stays.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepLeftovers } from "../../../src/backups/stored/leftovers.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-leftovers-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const NOW = Date.now();
/** A path that was written so many hours ago. */
async function aged(path: string, hours: number): Promise<void> {
  const at = new Date(NOW - hours * 3_600_000);
  await utimes(path, at, at);
}

// rule backups.stored.9
test("of a folder that others may share, what is idle for an hour", async () => {
  for (const [name, hours] of [
    ["old", 2],
    ["busy", 0],
    ["live", 2],
  ] as const) {
    const spool = join(directory, `.spool-${name}`);
    await mkdir(spool);
    await writeFile(join(spool, "pages.db"), "half");
    await aged(join(spool, "pages.db"), hours);
    await aged(spool, 2);
  }
  for (const [name, hours] of [
    ["old.tar.gz.part", 2],
    ["new.tar.gz.part", 0],
    ["mine.part", 2],
    ["kept.tar.gz", 2],
  ] as const) {
    await writeFile(join(directory, name), "half");
    await aged(join(directory, name), hours);
  }
  const isLive = (path: string) => path.endsWith("live");
  await sweepLeftovers({ directory, isLive, now: NOW });
  const left = [".spool-busy", ".spool-live", "kept.tar.gz", "mine.part", "new.tar.gz.part"];
  expect((await readdir(directory)).toSorted()).toEqual(left.toSorted());
  await sweepLeftovers({ directory, isLive: () => false, now: undefined });
  expect((await readdir(directory)).toSorted()).toEqual(["kept.tar.gz", "mine.part"]);
});

test("a folder that is not there has nothing", async () => {
  await sweepLeftovers({ directory: join(directory, "none"), isLive: () => false, now: undefined });
});
