// The record log: what a kill or a full disk leaves behind never becomes a record.
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordLog } from "../../src/agent/record-log.ts";
import { fullDisk } from "./full-disk.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-log-"));
  path = join(directory, "x.log");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function reopened(): Promise<{ records: readonly unknown[]; cut: number; damaged: boolean }> {
  const { log, records, cut, damaged } = await RecordLog.open(path);
  await log.close();
  return { records, cut, damaged };
}

test("cut anywhere, the file holds the records that were whole", async () => {
  const { log } = await RecordLog.open(path);
  await log.append([{ a: "ü" }]);
  const first = log.size;
  await log.append([{ b: "x\ny" }]);
  await log.close();
  const whole = await readFile(path);
  for (let length = 0; length <= whole.length; length += 1) {
    await writeFile(path, whole.subarray(0, length));
    const expected = length === whole.length ? [{ a: "ü" }, { b: "x\ny" }] : length >= first ? [{ a: "ü" }] : [];
    const { records, damaged } = await reopened();
    expect(records, `cut at ${length}`).toEqual(expected);
    expect(damaged).toBe(false);
  }
});

test("a changed byte is found, and damage in the middle is told from an unfinished append", async () => {
  const { log } = await RecordLog.open(path);
  await log.append([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await log.close();
  const whole = await readFile(path, "latin1");
  await writeFile(path, whole.replace('"n":2', '"n":7'), "latin1");
  expect(await reopened()).toMatchObject({ records: [{ n: 1 }], damaged: true });
  await writeFile(path, whole.replace('"n":3', '"n":7'), "latin1");
  expect(await reopened()).toMatchObject({ records: [{ n: 1 }, { n: 2 }], damaged: false });
});

test("after an unfinished append, the next one stands right behind the last whole record", async () => {
  const opened = await RecordLog.open(path);
  await opened.log.append([{ n: 1 }]);
  await opened.log.close();
  await appendFile(path, '999 0badbeef {"n":');
  const { log, cut } = await RecordLog.open(path);
  expect(cut).toBeGreaterThan(0);
  await log.append([{ n: 2 }]);
  await log.close();
  expect(await reopened()).toEqual({ records: [{ n: 1 }, { n: 2 }], cut: 0, damaged: false });
});

test("an append that the disk refuses leaves nothing, and may be repeated", async () => {
  const disk = fullDisk(60);
  const { log } = await RecordLog.open(path, disk.openFile);
  await log.append([{ n: 1 }]);
  await expect(log.append([{ n: 2 }, { text: "x".repeat(100) }])).rejects.toThrow(/ENOSPC/);
  expect((await reopened()).records).toEqual([{ n: 1 }]);
  disk.free = 1000;
  await log.append([{ n: 2 }, { text: "x".repeat(100) }]);
  await log.close();
  expect((await reopened()).records).toHaveLength(3);
});

test("a sync that fails makes the append undone", async () => {
  const disk = fullDisk(1e6);
  const { log } = await RecordLog.open(path, disk.openFile);
  disk.syncFails = true;
  await expect(log.append([{ n: 1 }])).rejects.toThrow(/EIO/);
  expect(log.torn).toBe(true);
  disk.syncFails = false;
  await log.append([{ n: 2 }]);
  await log.close();
  expect((await reopened()).records).toEqual([{ n: 2 }]);
});

test("a rewrite replaces everything or nothing", async () => {
  const disk = fullDisk(1e6);
  const { log } = await RecordLog.open(path, disk.openFile);
  await log.append([{ n: 1 }, { n: 2 }]);
  disk.free = 10;
  await expect(log.rewrite([{ n: 9 }, { n: 10 }])).rejects.toThrow(/ENOSPC/);
  expect((await reopened()).records).toEqual([{ n: 1 }, { n: 2 }]);
  disk.free = 1e6;
  await log.rewrite([{ n: 9 }]);
  await log.append([{ n: 10 }]);
  await log.close();
  expect((await reopened()).records).toEqual([{ n: 9 }, { n: 10 }]);
});
