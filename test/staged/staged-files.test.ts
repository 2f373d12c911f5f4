// Programs that are staged: whole on every panel, whatever dies when, and nothing of what nobody named.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql, type Query } from "../../src/db/index.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/ids.ts";
import { StagedFileRows, StagedFiles, StagedPartRows } from "../../src/staged/testing.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const MIB = 1024 * 1024;
const HOUR = 3_600_000;
const XRAY = { kind: "engine", name: "xray", arch: "amd64" } as const;

async function* pieces(bytes: Uint8Array, length = 300_001): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
/** No two parts of it are equal. */
function content(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4096) bytes.writeUInt32LE(at ^ (seed << 20), at);
  return bytes;
}

describe.each(dialects)("staged files on %s", (dialect) => {
  let db: TestDatabase;
  let folder: string;
  let clock: ManualClock;
  beforeEach(async () => {
    db = await openTestDatabase(dialect, [StagedFileRows, StagedPartRows]);
    folder = await mkdtemp(join(tmpdir(), "signalbox-staged-"));
    clock = new ManualClock(Date.now());
  });
  afterEach(async () => {
    await db.dispose();
    await rm(folder, { recursive: true });
  });

  const at = (panel: string) => join(folder, panel);
  const panel = (name: string, shared = true) => new StagedFiles({ ...db, clock, directory: at(name), shared });
  const names = async (name: string): Promise<string[]> => {
    const found: string[] = await readdir(at(name)).catch(() => []);
    return found.toSorted();
  };
  const parts = async (): Promise<number> => {
    const [row] = await db.reads.query(sql<{ n: number | string }>`select count(*) as n from staged_parts`);
    return Number(row?.n);
  };
  async function add(staged: StagedFiles, version: string, bytes: Uint8Array, signature?: string) {
    const key = { ...XRAY, version };
    const taken = await staged.take("engine", pieces(bytes));
    const decide = (draft: Parameters<StagedFiles["add"]>[0]) => staged.add(draft, key, taken, signature);
    return db.commits.submit({ name: "add", locks: staged.locks([key]), decide });
  }
  const remove = (staged: StagedFiles, version: string) => {
    const key = { ...XRAY, version };
    return db.commits.submit({
      name: "remove",
      locks: staged.locks([key]),
      decide: (draft) => staged.remove(draft, key),
    });
  };

  // rule nodes.staged.1
  test("every panel has what one of them took, fetched once, and its newest unless a version is named", async () => {
    const [one, two] = [panel("one"), panel("two")];
    const [old, young] = [content(2 * MIB + 77, 1), content(3 * MIB, 2)];
    await add(one, "1.9.0", old, "signed");
    await add(one, "1.10.0", young);
    expect((await two.list("engine", "xray")).map(({ version }) => version)).toEqual(["1.10.0", "1.9.0"]);
    expect(await parts()).toBe(3 + 3);
    const opened = await Promise.all(Array.from({ length: 4 }, () => two.open("engine", "xray", "amd64")));
    expect(new Set(opened.map((each) => each?.path))).toEqual(new Set([join(at("two"), sha256Hex(young))]));
    expect((await readFile(opened[0]?.path ?? "")).equals(young)).toBe(true);
    expect(await names("two")).toEqual([sha256Hex(young)]);
    const named = await two.open("engine", "xray", "amd64", "1.9.0");
    expect(named?.file).toMatchObject({ size: old.length, sha256: sha256Hex(old), signature: "signed" });
    expect((await readFile(named?.path ?? "")).equals(old)).toBe(true);
    for (const asked of [two.open("engine", "xray", "arm64"), two.open("agent", "xray", "amd64")])
      expect(await asked).toBeUndefined();
    expect((await stat(at("two"))).mode & 0o777).toBe(0o700);
    expect((await stat(named?.path ?? "")).mode & 0o777).toBe(0o600);
  });

  // rule nodes.staged.2
  test("content that was altered is fetched again, or refused where nobody has it", async () => {
    const [one, two] = [panel("one"), panel("two", false)];
    const bytes = content(MIB + 5, 3);
    await add(one, "1.0.0", bytes);
    const { path = "" } = (await one.open("engine", "xray", "amd64")) ?? {};
    await appendFile(path, "x");
    expect((await one.open("engine", "xray", "amd64"))?.path).toBe(path);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    // The same length, another content, as a new process finds it.
    await writeFile(path, content(MIB + 5, 4));
    expect((await panel("one").open("engine", "xray", "amd64"))?.path).toBe(path);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    // A panel that is alone has its own directory only.
    await expect(two.open("engine", "xray", "amd64")).rejects.toThrow("add the file again");
    const spoil = (change: Query) =>
      db.commits.execute({ name: "spoil", statements: [db.reads.statement("spoil", change)] });
    const other = await add(panel("two"), "0.9.0", content(MIB + 5, 5));
    // A part that is another's: none of it stays at the panel that lacks it.
    await spoil(sql`update staged_parts set data = (select data from staged_parts where id = ${`${other.sha256}.0`})
      where sha256 = ${sha256Hex(bytes)} and id like '%.0'`);
    await expect(panel("three").open("engine", "xray", "amd64")).rejects.toThrow("not what was added");
    expect(await names("three")).toEqual([]);
    // Adding it again makes it good.
    await add(one, "1.0.0", bytes);
    expect((await panel("three").open("engine", "xray", "amd64"))?.file.version).toBe("1.0.0");
    // Parts that are not there are written by the next sweep of a panel that has them.
    await spoil(sql`delete from staged_parts where id like '%.1'`);
    await expect(panel("four").open("engine", "xray", "amd64")).rejects.toThrow("not in the database");
    expect(await names("four")).toEqual([]);
    await panel("four").sweep();
    await one.sweep();
    const { path: fetched = "" } = (await panel("four").open("engine", "xray", "amd64")) ?? {};
    expect((await readFile(fetched)).equals(bytes)).toBe(true);
  });

  // rules nodes.staged.3, nodes.staged.4
  test("what waited too long for its name gets none; a sweep leaves what is being written", async () => {
    const one = panel("one");
    const bytes = content(MIB, 8);
    const taken = await one.take("engine", pieces(bytes));
    clock.advance(HOUR);
    const key = { ...XRAY, version: "2.0.0" };
    const late = db.commits.submit({
      name: "add",
      locks: one.locks([key]),
      decide: (draft) => one.add(draft, key, { ...taken, at: draft.now - HOUR }),
    });
    await expect(late).rejects.toMatchObject({ status: 409 });
    const hoursAgo = new Date(clock.now() - 3 * HOUR);
    await utimes(join(at("one"), taken.sha256), hoursAgo, hoursAgo);
    const slow = async function* () {
      yield bytes.subarray(0, 9);
      // Left content goes, but not beneath whoever may be writing the same.
      await one.sweep();
      expect(await names("one")).toContain(taken.sha256);
      yield bytes.subarray(9);
    };
    await one.take("engine", slow());
    expect(await names("one")).toEqual([taken.sha256]);
  });

  // rule nodes.staged.3
  test("a version has one content; what is removed goes within hours, what is too large at once", async () => {
    const one = panel("one");
    const bytes = content(MIB, 5);
    const first = await add(one, "1.0.0", bytes);
    expect(await add(one, "1.0.0", bytes)).toEqual(first);
    await expect(add(one, "1.0.0", content(MIB, 6))).rejects.toMatchObject({ status: 409 });
    await expect(add(one, "../1", bytes)).rejects.toMatchObject({ status: 400 });
    const endless = async function* () {
      for (;;) yield Buffer.alloc(16 * MIB);
    };
    await expect(one.take("agent", endless())).rejects.toMatchObject({ status: 413 });
    await expect(one.refuseMany(8192 * MIB)).rejects.toMatchObject({ status: 409 });
    await one.refuseMany(MIB);
    await add(one, "1.0.1", bytes);
    expect(await remove(one, "1.0.0")).toBe(true);
    expect(await remove(one, "1.0.0")).toBe(false);
    clock.advance(2 * HOUR);
    await one.sweep();
    // The other version has the same content; that of the refused one had no name.
    expect([await names("one"), await parts()]).toEqual([[sha256Hex(bytes)], 1]);
    await remove(one, "1.0.1");
    await one.sweep();
    expect([await names("one"), await parts()]).toEqual([[], 0]);
  });

  // rule nodes.staged.4
  test.each(["file", "rows"])(
    "a process that is killed while it writes the %s leaves nothing for long",
    async (where) => {
      const one = panel("one");
      const kept = content(MIB + 1, 7);
      await add(one, "1.0.0", kept);
      const node = process.execPath;
      const child = spawn(node, [fileURLToPath(new URL("stager.ts", import.meta.url)), db.url, at("one"), where], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [said] = await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(String(said)).toContain("half");
      const left = await names("one");
      expect(left.length).toBe(2);
      expect(left.some((name) => name.startsWith("new-"))).toBe(where === "file");
      await one.sweep();
      // It may still be written.
      expect(await names("one")).toEqual(left);
      const hoursAgo = new Date(clock.now() - 2 * HOUR);
      for (const name of left) await utimes(join(at("one"), name), hoursAgo, hoursAgo);
      clock.advance(2 * HOUR);
      await one.sweep();
      expect([await names("one"), await parts()]).toEqual([[sha256Hex(kept)], 2]);
      const { path = "" } = (await panel("one").open("engine", "xray", "amd64")) ?? {};
      expect((await readFile(path)).equals(kept)).toBe(true);
    },
  );
});
