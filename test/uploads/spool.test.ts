// What is sent lies in files that only the panel reads; what is of nobody goes, and a full disk is said.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lock } from "../../src/db/index.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/ids.ts";
import { Spool } from "../../src/uploads/index.ts";
import { UploadsRows } from "../../src/uploads/upload.entity.ts";
import { Uploads } from "../../src/uploads/uploads.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const MIB = 1024 * 1024;
const ARCHIVES = { name: "archives", limit: 64 * MIB, account: 100 * MIB };
const CALLER = { adminId: 1, base: "resale" } as const;

describe.each(dialects)("files that are spooled on %s", (dialect) => {
  let db: TestDatabase;
  let directory: string;
  let spool: Spool;
  let uploads: Uploads;
  const forgotten: number[] = [];
  beforeEach(async () => {
    db = await openTestDatabase(dialect, [UploadsRows]);
    const data = await mkdtemp(join(tmpdir(), "signalbox-spool-"));
    directory = join(data, "uploads");
    spool = new Spool(data);
    uploads = new Uploads({
      commits: db.commits,
      reads: db.reads,
      clock: new ManualClock(Date.now()),
      spool,
      onError: (error) => {
        throw error;
      },
    });
    forgotten.length = 0;
    uploads.alsoForget(async (id) => void forgotten.push(id));
  });
  afterEach(async () => {
    await db.dispose();
    await rm(join(directory, ".."), { recursive: true });
  });

  const rows = async () => (await db.reads.find(UploadsRows, 1))?.uploads ?? [];
  const begin = (length?: string) => uploads.begin(CALLER, ARCHIVES, length);
  const names = async () => (await readdir(directory)).toSorted();
  const inUse = (id: number) =>
    db.commits.submit({
      name: "use",
      locks: [lock(UploadsRows, 1)],
      decide: (draft) => uploads.started(draft, id),
    });

  // rule http.upload.1
  test("its row says length and digest once all of it is on disk; it is the owner's alone", async () => {
    const bytes = Buffer.alloc(3 * MIB + 17, "signalbox");
    const sending = await begin();
    expect(await rows()).toMatchObject([{ job: sending.id, purpose: "archives", bytes: 8 * MIB }]);
    const file = await sending.take(Readable.from([bytes.subarray(0, MIB), bytes.subarray(MIB)]));
    expect(file).toEqual({ id: sending.id, length: bytes.length, sha256: sha256Hex(bytes) });
    expect(await rows()).toMatchObject([{ job: sending.id, bytes: bytes.length, sha256: file.sha256 }]);
    const pieces: Uint8Array[] = [];
    for await (const piece of spool.read(file)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, `${sending.id}.upload`))).mode & 0o777).toBe(0o600);
    // In use it stays; what nothing uses goes with the next look.
    await inUse(sending.id);
    await sending.end();
    await uploads.sweep();
    expect(await names()).toEqual([`${sending.id}.upload`]);
    await db.commits.submit({
      name: "end",
      locks: [lock(UploadsRows, 1)],
      decide: (draft) => uploads.ended(draft, sending.id),
    });
    await uploads.sweep();
    expect([await names(), await rows(), forgotten]).toEqual([[], [], [sending.id]]);
  });

  // rule http.upload.2
  test("more than is allowed is refused as soon as it is known, and nothing of it stays", async () => {
    await expect(begin(String(64 * MIB + 1))).rejects.toMatchObject({ status: 413 });
    const sending = await begin();
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(MIB);
      })(),
    );
    await expect(sending.take(endless)).rejects.toMatchObject({ status: 413 });
    await sending.end();
    const first = await begin(String(60 * MIB));
    await expect(begin(String(41 * MIB))).rejects.toMatchObject({ status: 429 });
    // Files for other purposes are not counted with them.
    const other = await uploads.begin(CALLER, { ...ARCHIVES, name: "accounts" }, String(41 * MIB));
    await first.end();
    await other.end();
    const looked = await begin();
    const look = () => {
      throw new Error("no archive");
    };
    await expect(looked.take(Readable.from([Buffer.alloc(9)]), look)).rejects.toThrow("no archive");
    await looked.end();
    expect([await names(), await rows()]).toEqual([[], []]);
  });

  // rule http.upload.3
  test("a full disk is said, and what is there already stays", async () => {
    const kept = await begin();
    await kept.take(Readable.from([Buffer.from("kept")]));
    const full = await begin();
    await symlink("/dev/full", join(directory, `${full.id}.upload`));
    await expect(full.take(Readable.from([Buffer.alloc(MIB)]))).rejects.toMatchObject({
      status: 503,
      detail: { code: "disk_full" },
    });
    // Its bytes go at once, its row with its end: a database that shares the disk writes again only then.
    expect(await names()).toEqual([`${kept.id}.upload`]);
    await full.end();
    expect((await rows()).map(({ job }) => job)).toEqual([kept.id]);
    // What no disk has room for is refused before its first byte.
    const vast = { name: "vast", limit: 1e15, account: 1e15 };
    await expect(uploads.begin(CALLER, vast, String(1e15 - 1))).rejects.toMatchObject({ status: 503 });
    await kept.end();
  });

  // rule http.upload.4
  test("files that no row names are deleted, and no others", async () => {
    const sending = await begin();
    const stream = new PassThrough();
    const taking = sending.take(stream);
    stream.write("some of it");
    await expect.poll(() => spool.length(sending.id)).toBe(10);
    for (const name of ["9000.upload", "9001.lines", "notes.txt"]) await writeFile(join(directory, name), "left");
    await uploads.sweep();
    expect(await names()).toEqual([`${sending.id}.upload`, "notes.txt"]);
    // Another panel took it for dead: what comes then counts for nothing, and goes.
    await uploads.giveUpAll();
    await db.commits.submit({
      name: "swept elsewhere",
      locks: [lock(UploadsRows, 1)],
      decide: (draft) => draft.upsert(UploadsRows, { id: 1, uploads: [] }),
    });
    stream.end("more");
    await expect(taking).rejects.toMatchObject({ status: 408 });
    await sending.end();
    expect(await names()).toEqual(["notes.txt"]);
  });

  test("a directory that is not there has no files", async () => {
    expect(await spool.ids()).toEqual(new Set());
    await uploads.sweepFiles();
    await mkdir(directory);
    await chmod(directory, 0o700);
    expect(await spool.length(1)).toBeUndefined();
  });
});
