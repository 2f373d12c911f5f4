// Staged records as files: read from wherever a job stands, given back when they are forgotten.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JobPartRows, JobRows } from "../../src/jobs/job.entity.ts";
import { LineFiles, LineRows } from "../../src/jobs/staged-lines.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

let db: TestDatabase;
let directory: string;
const files = () => new LineFiles(join(directory, "uploads"), new LineRows(db));
beforeEach(async () => {
  db = await openTestDatabase("sqlite", [JobRows, JobPartRows]);
  directory = await mkdtemp(join(tmpdir(), "signalbox-lines-"));
});
afterEach(async () => {
  await db.dispose();
  await rm(directory, { recursive: true });
});

const part = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [from + at, `name-${from + at} ‌سلام`]);

// rule jobs.import.2
test("the part behind a record is found from anywhere, also by a process that is new", async () => {
  const lines = files();
  for (const [from, to] of [
    [1, 500],
    [501, 502],
    [503, 900],
  ] as const)
    await lines.add(7, part(from, to), to);
  await lines.written(7);
  for (const cursor of [0, 200, 499]) expect(await lines.after(7, cursor)).toEqual(part(1, 500));
  expect(await lines.after(7, 500)).toEqual(part(501, 502));
  expect(await lines.after(7, 899)).toEqual(part(503, 900));
  expect(await lines.after(7, 900)).toBeUndefined();
  // A step that failed is read again.
  expect(await lines.after(7, 3)).toEqual(part(1, 500));
  expect(await files().after(7, 502)).toEqual(part(503, 900));
  const { mode } = await stat(join(directory, "uploads", "7.lines"));
  expect(mode & 0o777).toBe(0o600);
});

test("what is forgotten is away, and so is what a dead process left; rows of an older version are read", async () => {
  const lines = files();
  for (const job of [1, 2, 3]) await lines.add(job, part(1, 2), 2);
  await lines.forget(1);
  expect((await readdir(join(directory, "uploads"))).toSorted()).toEqual(["2.lines", "3.lines"]);
  const next = files();
  await next.keepOnly(new Set([3]));
  expect(await readdir(join(directory, "uploads"))).toEqual(["3.lines"]);
  await new LineRows(db).add(9, part(1, 3), 3);
  expect(await next.after(9, 1)).toEqual(part(1, 3));
  expect(await next.after(9, 3)).toBeUndefined();
  await next.forget(9);
  expect(await next.after(9, 0)).toBeUndefined();
  await lines.forget(2);
  await lines.forget(3);
});
