// Archives that somebody altered, as a load takes them: refused with a sentence, whatever was altered, and nothing
// stays.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar/header";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ArchiveError } from "../../../src/backups/archive/archive-error.ts";
import type { Manifest } from "../../../src/backups/archive/manifest.ts";
import { loadArchive } from "../../../src/backups/load/load-archive.ts";
import type { Receiver } from "../../../src/backups/load/receiver.ts";
import type { Database } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase } from "../../database.ts";
import { newestLanding } from "../../landings/landing.ts";
import { archiveOf, receiver, rowsOfLanding, sourceOf, type ArchiveRows } from "./archives.ts";

const BLOCK = 512;

/** A member of a tar: its head, and its content with what fills the last block. */
interface Member {
  readonly head: Buffer;
  readonly body: Buffer;
}

/** The members of an archive; the blank blocks at the end are none. */
function membersOf(archive: Uint8Array): Member[] {
  const plain = gunzipSync(archive);
  const members: Member[] = [];
  for (let at = 0; plain.readUInt8(at) !== 0;) {
    const head = plain.subarray(at, at + BLOCK);
    const size = new Header(head).size ?? 0;
    const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    members.push({ head, body: plain.subarray(at + BLOCK, end) });
    at = end;
  }
  return members;
}

function packed(members: readonly Member[]): Buffer {
  return gzipSync(Buffer.concat([...members.flatMap(({ head, body }) => [head, body]), Buffer.alloc(2 * BLOCK)]));
}

interface HeadChange {
  readonly path?: string;
  readonly size?: number;
  readonly type?: "SymbolicLink" | "Link" | "Directory" | "CharacterDevice";
  readonly linkpath?: string;
}

/** The member under another head. */
function headed({ head, body }: Member, change: HeadChange): Member {
  const { path = "", size = 0 } = new Header(head);
  const block = Buffer.alloc(BLOCK);
  new Header({ path, size, mode: 0o600, type: "File", ...change }).encode(block);
  return { head: block, body };
}

let directory: string;
let database: Database;
let drop: () => Promise<void>;
let taker: Receiver;
let rows: ArchiveRows;
let members: readonly Member[];
let archive: Buffer;
beforeAll(async () => {
  const created = await createMigratedDatabase("sqlite");
  drop = created.drop;
  database = await connectTestDatabase(created.url, entities);
  taker = await receiver(database);
  rows = rowsOfLanding(newestLanding(), database);
  archive = await archiveOf(rows);
  members = membersOf(archive);
});
afterAll(async () => {
  await database.close();
  await drop();
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-hostile-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function expectRefused(bytes: Uint8Array, passphrase = ""): Promise<void> {
  const loading = loadArchive(sourceOf(bytes), passphrase, { sqlite: join(directory, "next.db") }, taker);
  await expect(loading).rejects.toThrow(ArchiveError);
  await expect(loading).rejects.toMatchObject({ code: "format" });
  expect(readdirSync(directory)).toEqual([]);
}

const at = (index: number): Member => members.at(index) ?? { head: Buffer.alloc(0), body: Buffer.alloc(0) };
const others = (index: number): Member[] => members.filter((_, place) => place !== index);

// rule backups.load.4
describe("an archive is refused", () => {
  it("as it is not, where nothing was altered", async () => {
    const loaded = await loadArchive(sourceOf(packed(members)), "", { sqlite: join(directory, "next.db") }, taker);
    expect(loaded.tables).toBe(members.length - 1);
  });

  it.each([
    ["swapped members", () => [at(0), at(2), at(1), ...members.slice(3)]],
    ["a member twice", () => [...members, at(-1)]],
    ["a member that is missing", () => others(5)],
    ["a member under another name", () => [...members.slice(0, -1), headed(at(-1), { path: "wonders.ndjson" })]],
    ["a member of another folder", () => [...members.slice(0, -1), headed(at(-1), { path: "../webhooks.ndjson" })]],
    ["a member behind all others", () => [...members, headed(at(1), { path: "more.ndjson" })]],
    [
      "a link",
      () => [at(0), headed(at(1), { type: "SymbolicLink", linkpath: "/etc/passwd", size: 0 }), ...members.slice(2)],
    ],
    [
      "a hard link",
      () => [at(0), headed(at(1), { type: "Link", linkpath: "users.ndjson", size: 0 }), ...members.slice(2)],
    ],
    ["a directory", () => [at(0), headed(at(1), { type: "Directory", size: 0 }), ...members.slice(2)]],
    ["a device", () => [at(0), headed(at(1), { type: "CharacterDevice", size: 0 }), ...members.slice(2)]],
    ["a size that is too large", () => [at(0), headed(at(1), { size: 2 ** 33 }), ...members.slice(2)]],
    ["a manifest that is not the first", () => [at(1), at(0), ...members.slice(2)]],
    ["two manifests", () => [at(0), ...members]],
  ])("for %s", async (_, alter) => {
    await expectRefused(packed(alter()));
  });

  it.each([
    [
      "rows of each table",
      (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: each.rows + 1 })) }),
    ],
    [
      "a huge number of rows",
      (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: 2 ** 52 })) }),
    ],
    ["no rows", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: 0 })) })],
    ["rows below zero", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, rows: -1 })) })],
    ["digests", (m: Manifest) => ({ ...m, tables: m.tables.map((each) => ({ ...each, sha256: "0".repeat(64) })) })],
    ["its time", (m: Manifest) => ({ ...m, createdAt: m.createdAt + 0.5 })],
    ["its format", (m: Manifest) => ({ ...m, format: 2 }) as unknown as Manifest],
    ["a table that is named twice", (m: Manifest) => ({ ...m, tables: [...m.tables, ...m.tables.slice(0, 1)] })],
    [
      "a name that leads elsewhere",
      (m: Manifest) => ({ ...m, tables: [{ ...m.tables[0], name: "../etc" }] }) as Manifest,
    ],
  ])("where the manifest lies about %s", async (_, lie) => {
    await expectRefused(await archiveOf(rows, lie));
  });

  it("wherever it ends, and where it goes on", async () => {
    for (const part of [0, 10, 0.1, 0.5, 0.9, archive.length - 1])
      await expectRefused(archive.subarray(0, part < 1 ? Math.floor(part * archive.length) : part));
    await expectRefused(Buffer.concat([archive, gzipSync("more")]));
  });

  it("where it unpacks to far more than rows do", async () => {
    const bomb = Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(8 * 2 ** 20, 32), { level: 9 }));
    const head = headed(at(1), { size: 40 * 8 * 2 ** 20 });
    await expectRefused(Buffer.concat([gzipSync(Buffer.concat([at(0).head, at(0).body, head.head])), ...bomb]));
  });

  it("where chunks of its encryption were moved", async () => {
    const text = "x".repeat(400_000).replaceAll("x", () => Math.random().toString(36).slice(2, 3));
    const large = { ...rows, plans: (rows["plans"] ?? []).map((row) => ({ ...row, description: text })) };
    const sealed = await archiveOf(large, undefined, "correct horse");
    const chunk = 64 * 1024 + 16;
    const [head, one, two] = [
      sealed.subarray(0, 40),
      sealed.subarray(40, 40 + chunk),
      sealed.subarray(40 + chunk, 40 + 2 * chunk),
    ];
    const rest = sealed.subarray(40 + 2 * chunk);
    expect(rest.length).toBeGreaterThan(chunk);
    await expectRefused(
      Buffer.concat([head, one, rest.subarray(0, chunk), two, rest.subarray(chunk)]),
      "correct horse",
    );
    await expectRefused(Buffer.concat([head, one, rest]), "correct horse");
  });
});
