// An archive is made of the running database by a thread of its own, whole or not at all.
import { createReadStream } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { readArchive } from "../../../src/backups/archive/read-archive.ts";
import { dialects } from "../../database.ts";
import { openMaker } from "./made.ts";

let made: Awaited<ReturnType<typeof openMaker>> | undefined;
afterEach(async () => {
  await made?.close();
  made = undefined;
});

const unaborted = new AbortController().signal;
const plain = { history: true, audit: true, passphrase: "" };

async function rowsOf(path: string, passphrase = "") {
  const rows = new Map<string, number>();
  const manifest = await readArchive(createReadStream(path) as AsyncIterable<Buffer>, {
    passphrase,
    manifest: () => {},
    rows: (table, some) => void rows.set(table, (rows.get(table) ?? 0) + some.length),
  });
  return { manifest, rows };
}

describe.each(dialects)("an archive of %s", (dialect) => {
  // rule backups.archive.1
  it("has every row, and is its owner's alone", async () => {
    made = await openMaker(dialect);
    const file = await made.maker.makeBackup(plain, unaborted);
    const path = made.folder.file(file.name);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(made.directory)).mode & 0o777).toBe(0o700);
    const { manifest, rows } = await rowsOf(path);
    expect(file).toMatchObject({ encrypted: false, size: (await stat(path)).size, createdAt: manifest.createdAt });
    expect(file.manifest).toEqual(manifest);
    const names = manifest.tables.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["admins", "changes", "id_blocks", "settings", "traffic_hours", "users"]),
    );
    expect(names).toEqual(names.toSorted());
    for (const never of ["commit_log", "idempotency_records", "processes", "sessions", "shards", "uploads"])
      expect(names).not.toContain(never);
    for (const { name, rows: claimed } of manifest.tables) expect([name, rows.get(name) ?? 0]).toEqual([name, claimed]);
    expect(rows.get("users")).toBe(1);
    expect(await readdir(made.directory)).toEqual([file.name]);
  });

  // rule backups.archive.2
  it("leaves out what was not asked for", async () => {
    made = await openMaker(dialect);
    const file = await made.maker.makeBackup({ history: false, audit: false, passphrase: "" }, unaborted);
    const names = file.manifest?.tables.map(({ name }) => name) ?? [];
    expect(file.manifest).toMatchObject({ history: false, audit: false, database: dialect });
    expect(names).toContain("users");
    expect(names.filter((name) => name === "changes" || name.startsWith("traffic_"))).toEqual([]);
  });

  it("opens with its passphrase alone", async () => {
    made = await openMaker(dialect);
    const file = await made.maker.makeBackup({ ...plain, passphrase: "پشتیبان" }, unaborted);
    expect(file).toMatchObject({ encrypted: true, manifest: null });
    expect(file.name).toMatch(/\.tar\.gz\.enc$/);
    const path = made.folder.file(file.name);
    expect((await rowsOf(path, "پشتیبان")).rows.get("users")).toBe(1);
    await expect(rowsOf(path, "another")).rejects.toMatchObject({ code: "passphrase" });
    await expect(rowsOf(path)).rejects.toMatchObject({ code: "encrypted" });
  });

  // rule backups.archive.3
  it.each([0, 20, 60, 150, 300])("leaves nothing where it is given up after %i ms", async (ms) => {
    made = await openMaker(dialect);
    const life = new AbortController();
    const making = made.maker.makeBackup({ ...plain, passphrase: "slow to derive" }, life.signal);
    const caught = making.catch((error: unknown) => error);
    await pause(ms);
    life.abort(new Error("given up"));
    const end = await caught;
    const left = await readdir(made.directory).catch(() => []);
    // One that ended before is there as a whole.
    if (end instanceof Error) expect([end.message, left]).toEqual(["given up", []]);
    else expect(left).toHaveLength(1);
  });

  it("leaves nothing where it fails", async () => {
    made = await openMaker(dialect);
    await mkdir(made.directory, { recursive: true });
    const name = "pre-restore-1.tar.gz";
    // Nothing can be renamed over it.
    await mkdir(made.folder.file(name));
    await expect(made.maker.makeBackup({ ...plain, name }, unaborted)).rejects.toThrow(/EISDIR/);
    expect(await readdir(made.directory)).toEqual([name]);
  });
});

it("gives a download its own file, which goes", async () => {
  made = await openMaker("sqlite");
  const spooled = await made.maker.spool(plain, unaborted);
  expect((await rowsOf(spooled.path)).rows.get("users")).toBe(1);
  expect(await made.folder.list()).toEqual([]);
  await spooled.drop();
  expect(await readdir(made.directory)).toEqual([]);
});

it("refuses to begin where the disk has no room for a copy", async () => {
  made = await openMaker("sqlite");
  const { database } = made;
  const huge = { query: async () => [{ size: Number.MAX_SAFE_INTEGER / 4 }] };
  const tight = await openMaker("sqlite", {
    database: {
      ...database,
      reads: Object.assign(Object.create(database.reads), huge),
      schema: { applied: [], newer: undefined },
    },
  });
  try {
    await expect(tight.maker.makeBackup(plain, unaborted)).rejects.toMatchObject({
      status: 503,
      detail: { code: "disk_full" },
    });
    expect(await readdir(tight.directory)).toEqual([]);
  } finally {
    await tight.close();
  }
});
