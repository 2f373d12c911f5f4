// The fence on a disk that refuses: it holds meanwhile, says so, and is written down when the disk takes it.
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from "node:fs/promises";
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
  await fence.raise("p", 1, 3);
  expect(fence.behind).toBe(false);
  // A folder where the draft would be refuses as a full disk does, for root too.
  await mkdir(`${path}.new`);
  await fence.raise("p", 1, 5);
  await fence.mend();
  expect([fence.seen("p", 1), fence.behind, problems.length]).toEqual([5, true, 1]);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ panel: "p", nodeId: 1, token: 3 });
  await rmdir(`${path}.new`);
  await Promise.all([fence.mend(), fence.raise("p", 1, 6), fence.mend()]);
  expect(fence.behind).toBe(false);
  expect((await openFence(path)).seen("p", 1)).toBe(6);
});

test("a token holds for one node of one panel; what an older agent wrote holds for whichever asks", async () => {
  const path = join(directory, "fence.json");
  await writeFile(path, `${JSON.stringify({ panel: "p", token: 9 })}\n`);
  const fence = await openFence(path);
  expect([fence.seen("p", 1), fence.seen("p", 2), fence.seen("q", 1)]).toEqual([9, 9, 0]);
  await fence.raise("p", 2, 10);
  expect([fence.seen("p", 2), fence.seen("p", 1)]).toEqual([10, 0]);
  // A node that takes the agent over may show a smaller one.
  await fence.raise("p", 1, 4);
  expect((await openFence(path)).seen("p", 1)).toBe(4);
});
