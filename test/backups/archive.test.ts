// Archives: what is written comes back, whatever its size, and what was altered anywhere does not.
import { createHash, randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar/header";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ArchiveError } from "../../src/backups/archive/archive-error.ts";
import { encrypt } from "../../src/backups/archive/encryption.ts";
import type { Manifest } from "../../src/backups/archive/manifest.ts";
import { readArchive, readManifest, type ArchivedRow } from "../../src/backups/archive/read-archive.ts";
import { joinArchive, spoolTable } from "../../src/backups/archive/write-archive.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-archive-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

type Rows = Readonly<Record<string, readonly ArchivedRow[]>>;

const SOME: Rows = {
  admins: [{ id: 1, username: "root" }],
  empty: [],
  users: Array.from({ length: 3000 }, (_, at) => ({ id: at, name: `ü${at}`, config: { a: [at, null, true] } })),
};

async function* piecesOf(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function written(rows: Rows, change: (manifest: Manifest) => Manifest = (same) => same): Promise<Buffer> {
  const spool = mkdtempSync(join(directory, "spool-"));
  const tables = [];
  for (const [name, each] of Object.entries(rows)) {
    const lines = (async function* () {
      for (const row of each) yield { text: `${JSON.stringify(row)}\n`, rows: 1 };
    })();
    tables.push(await spoolTable(spool, name, lines));
  }
  const manifest: Manifest = {
    format: 1,
    version: "0.1.0",
    schema: "Migration20261128123500_oldest_panel",
    createdAt: 1_800_000_000,
    database: "sqlite",
    history: true,
    audit: false,
    tables: tables.map(({ name, rows: count, sha256 }) => ({ name, rows: count, sha256 })),
  };
  return collect(joinArchive(spool, change(manifest), tables));
}

async function readAll(archive: AsyncIterable<Uint8Array>, passphrase?: string) {
  const rows: Record<string, ArchivedRow[]> = {};
  const manifest = await readArchive(archive, {
    passphrase,
    manifest: (said) => {
      for (const { name } of said.tables) rows[name] = [];
    },
    rows: (table, more) => void rows[table]?.push(...more),
  });
  return { manifest, rows };
}

const refused = (code: ArchiveError["code"], message: RegExp) =>
  expect.objectContaining({ name: "ArchiveError", code, message: expect.stringMatching(message) });

describe("an archive", () => {
  it("comes back as it was written, in pieces of any size", async () => {
    const archive = await written(SOME);
    for (const size of [511, 65_536, archive.length])
      expect((await readAll(piecesOf(archive, size))).rows).toEqual(SOME);
    const few = { admins: SOME["admins"] ?? [] };
    expect((await readAll(piecesOf(await written(few), 1))).rows).toEqual(few);
    expect((await readManifest(piecesOf(archive))).tables.map(({ rows }) => rows)).toEqual([1, 0, 3000]);
  });

  it("is a gzipped tar for everybody else, with the manifest first", async () => {
    const path = join(directory, "archive.tar.gz");
    writeFileSync(path, await written(SOME));
    const listed = execFileSync("tar", ["tzf", path], { encoding: "utf8" }).trim().split("\n");
    expect(listed).toEqual(["manifest.json", "admins.ndjson", "empty.ndjson", "users.ndjson"]);
    const users = execFileSync("tar", ["xzOf", path, "users.ndjson"], { maxBuffer: 1e9 });
    const { tables } = JSON.parse(execFileSync("tar", ["xzOf", path, "manifest.json"], { encoding: "utf8" }));
    expect(tables[2].sha256).toBe(createHash("sha256").update(users).digest("hex"));
  });

  it("ends wherever it is cut", async () => {
    const archive = await written({ users: SOME["users"] ?? [] });
    for (let length = 0; length < archive.length; length += Math.ceil(archive.length / 20))
      await expect(readAll(piecesOf(archive.subarray(0, length)))).rejects.toEqual(refused("format", /./));
  });

  it("is refused with any byte of a table or its head changed", async () => {
    const plain = gunzipSync(await written({ users: (SOME["users"] ?? []).slice(0, 20) }));
    for (let at = plain.indexOf("users.ndjson\0"); at < plain.length; at += 7) {
      const altered = Buffer.from(plain);
      altered[at] = (altered[at] ?? 0) ^ 0x15;
      await expect(readAll(piecesOf(gzipSync(altered), 65_536)), `byte ${at}`).rejects.toThrow(ArchiveError);
    }
  });

  it.each([
    ["a table that is missing", (m: Manifest) => ({ ...m, tables: [...m.tables, { ...m.tables[0], name: "more" }] })],
    ["a table too many", (m: Manifest) => ({ ...m, tables: m.tables.slice(0, -1) })],
    ["tables in another order", (m: Manifest) => ({ ...m, tables: m.tables.toReversed() })],
    ["fewer rows", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: each.rows + 1 })) })],
    ["more rows", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: 0 })) })],
    ["other rows", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, sha256: "0".repeat(64) })) })],
  ])("is refused where its manifest lies: %s", async (_, lie) => {
    const archive = await written(SOME, lie as (manifest: Manifest) => Manifest);
    await expect(readAll(piecesOf(archive))).rejects.toEqual(refused("format", /./));
  });

  it("of a newer format says so", async () => {
    const archive = await written(SOME, (manifest) => ({ ...manifest, format: 2 }) as unknown as Manifest);
    await expect(readManifest(piecesOf(archive))).rejects.toEqual(refused("format", /format 2, which is newer/));
  });

  it.each([
    ["a link", { path: "manifest.json", type: "SymbolicLink", linkpath: "/etc/passwd", size: 0 }],
    ["a directory", { path: "manifest.json", type: "Directory", size: 0 }],
    ["a path that leads elsewhere", { path: "../manifest.json", type: "File", size: 2 }],
    ["a header that extends the next", { path: "manifest.json", type: "ExtendedHeader", size: 2 }],
    ["a manifest of a gigabyte", { path: "manifest.json", type: "File", size: 1_000_000_000 }],
  ] as const)("begins with nothing but its manifest: %s", async (_, data) => {
    const block = Buffer.alloc(512);
    new Header({ mode: 0o600, ...data }).encode(block);
    const archive = gzipSync(Buffer.concat([block, Buffer.alloc(4096)]));
    await expect(readManifest(piecesOf(archive))).rejects.toEqual(refused("format", /./));
  });

  it("that unpacks to far more than rows do is refused before it is read", async () => {
    const head = Buffer.alloc(512);
    new Header({ path: "manifest.json", type: "File", size: 900_000, mode: 0o600 }).encode(head);
    const bomb = Buffer.concat([gzipSync(head), ...Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(8e6, 32)))]);
    await expect(readManifest(piecesOf(bomb))).rejects.toEqual(refused("format", /no JSON|far more/));
  });

  it("is no text, no other gzip and no empty file", async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("hello"), gzipSync("hello"), randomBytes(5000)])
      await expect(readAll(piecesOf(bytes))).rejects.toEqual(refused("format", /./));
  });
});

describe("an archive under a passphrase", () => {
  const sealed = async (archive: Uint8Array) => collect(encrypt(piecesOf(archive), "correct horse", randomBytes));

  it("opens with it alone", async () => {
    const archive = await sealed(await written(SOME));
    expect((await readAll(piecesOf(archive), "correct horse")).rows).toEqual(SOME);
    await expect(readAll(piecesOf(archive))).rejects.toEqual(refused("encrypted", /./));
    await expect(readAll(piecesOf(archive), "battery staple")).rejects.toEqual(refused("passphrase", /./));
  });

  it("is refused where chunks are moved, repeated, left out, or cut off at their borders", async () => {
    const rows = { users: Array.from({ length: 200 }, (_, id) => ({ id, text: randomBytes(1024).toString("hex") })) };
    const archive = await sealed(await written(rows));
    const chunk = 64 * 1024 + 16;
    const [head, chunks] = [archive.subarray(0, 40), archive.subarray(40)];
    const at = (index: number) => chunks.subarray(index * chunk, (index + 1) * chunk);
    expect(chunks.length).toBeGreaterThan(3 * chunk);
    const rest = chunks.subarray(2 * chunk);
    for (const altered of [
      [at(1), at(0), rest],
      [at(0), at(0), at(1), rest],
      [at(0), rest],
      [at(0), at(1)],
      [chunks, at(0)],
    ])
      await expect(readAll(piecesOf(Buffer.concat([head, ...altered])), "correct horse")).rejects.toThrow(ArchiveError);
  });

  it("of any length around a chunk's comes back", async () => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072]) {
      const bytes = randomBytes(length);
      const { decrypt } = await import("../../src/backups/archive/encryption.ts");
      const back = await collect(decrypt(piecesOf(await sealed(bytes)), "correct horse"));
      expect(back.equals(bytes)).toBe(true);
    }
  });
});
