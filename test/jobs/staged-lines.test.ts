// Records that wait in a file or in rows: read from wherever a job stands, by whoever goes on with it.
import { mkdir, mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileReader } from "../../src/accounts/transfer/file-reader.ts";
import { FramedLines } from "../../src/jobs/framed-lines.ts";
import { JobPartRows, JobRows } from "../../src/jobs/job.entity.ts";
import { LineFiles, LineRows, type StagedLines, type StagedRecord } from "../../src/jobs/staged-lines.ts";
import { Spool, type Spooled } from "../../src/uploads/index.ts";
import { UploadsRows } from "../../src/uploads/upload.entity.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

let db: TestDatabase;
let directory: string;
let spool: Spool;
const rows = () => new LineRows(db, spool);
const files = () => new LineFiles(db.reads, spool, new FramedLines(spool), rows());
beforeEach(async () => {
  db = await openTestDatabase("sqlite", [JobRows, JobPartRows, UploadsRows]);
  const data = await mkdtemp(join(tmpdir(), "signalbox-lines-"));
  directory = join(data, "uploads");
  spool = new Spool(data);
});
afterEach(async () => {
  await db.dispose();
  await rm(join(directory, ".."), { recursive: true });
});

/** On disk, and in its row as an upload that a job uses. */
async function spooled(id: number, text: string): Promise<Spooled> {
  const growing = await spool.begin(id);
  await growing.write(Buffer.from(text));
  const file = await growing.finish();
  const upload = { job: id, account: 1, main: true, bytes: file.length, until: 0, sha256: file.sha256 };
  await db.commits.submit({
    name: "arrived",
    locks: [],
    decide: (draft) => draft.upsert(UploadsRows, { id: 1, uploads: [upload] }),
  });
  return file;
}

const LINES = 3000;
const name = (at: number) => `name-${at} ‌سلام${"x".repeat(at % 300)}`;
/** Quoted line ends, so that lines of the file and records differ; the head is none. */
const FORMATS = {
  ndjson: Array.from({ length: LINES }, (_, at) => `${name(at)}\n`).join(""),
  csv: `name,remark\n${Array.from({ length: LINES }, (_, at) => `${name(at)},"a\nb"\n`).join("")}`,
} as const;

describe.each(["ndjson", "csv"] as const)("a file of %s", (format) => {
  const reader = () => new FileReader(format);
  const all = [...reader().push(FORMATS[format])];

  async function walk(lines: StagedLines, job: number, from = 0): Promise<StagedRecord[]> {
    const read: StagedRecord[] = [];
    for (let cursor = from; ;) {
      const part = await lines.after(job, cursor, reader);
      if (!part) return read;
      read.push(...part.filter(([line]) => line > cursor));
      cursor = part.at(-1)?.[0] ?? 0;
    }
  }

  // rule jobs.import.2
  test.each(["files", "rows"])("is read whole from any place as %s, also by a process that is new", async (as) => {
    const make: () => StagedLines = as === "files" ? files : rows;
    const lines = make();
    await lines.take(await spooled(7, FORMATS[format]), reader);
    expect(all).toHaveLength(LINES);
    expect(await walk(lines, 7)).toEqual(all);
    for (const at of [0, 1, 499, 500, 1700, LINES - 1]) {
      const cursor = all[at]?.[0] ?? 0;
      const rest = all.slice(at + 1);
      expect(await walk(make(), 7, cursor)).toEqual(rest);
      // The same reader, which stands elsewhere: a step that failed is read again.
      expect((await lines.after(7, cursor, reader))?.find(([line]) => line > cursor)).toEqual(rest[0]);
    }
    // Rows serve every panel: the file of the one that took it has gone.
    expect(await spool.length(7)).toBe(as === "files" ? Buffer.byteLength(FORMATS[format]) : undefined);
    await lines.forget(7);
    if (as === "rows") expect(await make().after(7, 0, reader)).toBeUndefined();
  });

  // rule http.upload.5
  test("a file that was altered gives no line, neither to this process nor to a new one", async () => {
    const text = FORMATS[format];
    const damages: ((path: string) => Promise<void>)[] = [
      async (path) => truncate(path, Buffer.byteLength(text) - 1),
      async (path) => {
        const file = await open(path, "r+");
        await file.write("X", Buffer.byteLength(text) - 100);
        await file.close();
      },
      (path) => rm(path),
    ];
    for (const damage of damages) {
      const file = await spooled(7, text);
      const lines = files();
      await damage(join(directory, "7.upload"));
      const refused = { status: 409, message: expect.stringContaining("not what was sent") };
      // Each time again: a failure is no end.
      for (const each of [lines, lines, files()]) await expect(each.after(7, 0, reader)).rejects.toMatchObject(refused);
      await expect(rows().take(file, reader)).rejects.toMatchObject(refused);
      await rows().forget(7);
    }
  });

  // rule http.upload.5
  test("what is damaged while it is read ends in a failure and not as if it were its end", async () => {
    const file = await spooled(7, FORMATS[format]);
    const lines = files();
    const cursor = (await lines.after(7, 0, reader))?.at(-1)?.[0] ?? 0;
    await truncate(join(directory, "7.upload"), file.length / 2);
    const rest = async () => {
      for (let at = cursor; ;) at = (await lines.after(7, at, reader))?.at(-1)?.[0] ?? Infinity;
    };
    await expect(rest()).rejects.toMatchObject({ status: 409 });
    await expect(rest()).rejects.toMatchObject({ status: 409 });
  });
});

// rule jobs.import.2
test("what an older version staged, as a file of parts or as rows, is read to its end", async () => {
  const none = () => new FileReader("ndjson");
  const part = (from: number, to: number): StagedRecord[] =>
    Array.from({ length: to - from + 1 }, (_, at) => [from + at, name(at)]);
  const framed = (content: readonly StagedRecord[], last: number) => {
    const bytes = Buffer.from(JSON.stringify(content));
    return Buffer.concat([Buffer.from(`${last} ${bytes.length}`.padEnd(48)), bytes]);
  };
  await mkdir(directory);
  await writeFile(join(directory, "8.lines"), Buffer.concat([framed(part(1, 500), 500), framed(part(501, 502), 502)]));
  const lines = files();
  for (const cursor of [0, 499, 3]) expect(await lines.after(8, cursor, none)).toEqual(part(1, 500));
  expect(await lines.after(8, 500, none)).toEqual(part(501, 502));
  expect(await lines.after(8, 502, none)).toBeUndefined();
  await rows().add(9, part(1, 3));
  expect(await lines.after(9, 1, none)).toEqual(part(1, 3));
  await lines.forget(9);
  expect(await lines.after(9, 0, none)).toBeUndefined();
});
