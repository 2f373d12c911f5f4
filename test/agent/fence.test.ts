// The fence on a disk that refuses: it holds meanwhile, says so, and is written down when the disk takes it.
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFence } from "../../src/agent/fence.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-fence-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("a token that cannot be written holds in memory until it can", async () => {
  const path = join(directory, "fence.json");
  const problems: string[] = [];
  const fence = await openFence(path, (problem) => problems.push(problem));
  await fence.raise("p", 3);
  expect(fence.behind).toBe(false);
  // A folder where the draft would be refuses as a full disk does, for root too.
  await mkdir(`${path}.new`);
  await fence.raise("p", 5);
  await fence.mend();
  expect([fence.seen("p"), fence.behind, problems.length]).toEqual([5, true, 1]);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ panel: "p", token: 3 });
  expect(spawnSync("rmdir", [`${path}.new`]).status).toBe(0);
  await Promise.all([fence.mend(), fence.raise("p", 6), fence.mend()]);
  expect(fence.behind).toBe(false);
  expect((await openFence(path)).seen("p")).toBe(6);
});
