// Archives through the panel's routes: made, listed, downloaded, deleted; and what the panel says of them.
import { createHash } from "node:crypto";
import { copyFile, mkdir, open, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readArchive } from "../../../src/backups/archive/read-archive.ts";
import { dialects } from "../../database.ts";
import { until } from "../../fleet/panel-side.ts";
import { WholePanel } from "../../whole-panel.ts";

/** The bytes of an answer. */
async function bytes(panel: WholePanel, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${panel.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${panel.token}`, ...headers },
  });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

/** Everything in an archive, by table. */
async function contentOf(archive: Uint8Array, passphrase = "") {
  const rows = new Map<string, object[]>();
  const manifest = await readArchive(Readable.from([archive]) as AsyncIterable<Buffer>, {
    passphrase,
    manifest: () => {},
    rows: (table, some) => void rows.set(table, [...(rows.get(table) ?? []), ...some]),
  });
  return { manifest, rows };
}

describe.each(dialects)("stored archives on %s", (dialect) => {
  let panel: WholePanel;
  let folder: string;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    folder = join(panel.directory, "backups");
  });
  afterAll(() => panel.dispose());
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    panel.call(method, `/api/v1${path}`, body, headers);
  const made = async (query = "", headers?: Record<string, string>) => {
    const answer = await call("POST", `/backups${query}`, undefined, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  // rule backups.stored.1
  test("one is made, listed with its manifest, and deleted", async () => {
    expect((await call("GET", "/backups")).body).toEqual({ items: [], dir: folder });
    const first = await made();
    const second = await made("?history=true&audit=true");
    expect(first).toEqual({
      name: expect.stringMatching(/^signalbox-\d{8}-\d{6}-\w{4}\.tar\.gz$/),
      size: (await stat(join(folder, first.name))).size,
      createdAt: first.manifest.createdAt,
      encrypted: false,
      manifest: expect.objectContaining({ format: 1, history: false, audit: false, database: dialect }),
      rehearsedAt: null,
      rehearsal: null,
    });
    const listed = (await call("GET", "/backups")).body.items;
    expect(new Set(listed.map(({ name }: { name: string }) => name))).toEqual(new Set([first.name, second.name]));
    expect(listed.toSorted((a: { createdAt: number }, b: { createdAt: number }) => b.createdAt - a.createdAt)).toEqual(
      listed,
    );
    expect((await call("GET", `/backups/${first.name}/manifest`)).body).toEqual(first.manifest);
    expect(await call("DELETE", `/backups/${first.name}`)).toMatchObject({ status: 200, body: { ok: true } });
    for (const [method, path] of [
      ["GET", `/backups/${first.name}`],
      ["GET", `/backups/${first.name}/manifest`],
      ["DELETE", `/backups/${first.name}`],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await readdir(folder)).toEqual([second.name]);
  });

  // rule backups.stored.2
  test("files that are no archives are nobody's, and links lead nowhere", async () => {
    const { name } = await made();
    await copyFile(join(folder, name), join(folder, "before-the-move.tar.gz"));
    await writeFile(join(folder, "notes.txt"), "mine");
    await writeFile(join(folder, "foreign.tar.gz"), "no archive");
    await writeFile(join(folder, ".hidden.tar.gz"), "no archive");
    await mkdir(join(folder, "folder.tar.gz"));
    await symlink(join(folder, name), join(folder, "link.tar.gz"));
    const names = (await call("GET", "/backups")).body.items.map((each: { name: string }) => each.name);
    expect(new Set(names)).toEqual(new Set([name, "before-the-move.tar.gz"]));
    for (const each of ["foreign.tar.gz", "folder.tar.gz", "link.tar.gz"]) {
      expect(await call("GET", `/backups/${each}`)).toMatchObject({ status: 404 });
      expect(await call("DELETE", `/backups/${each}`)).toMatchObject({ status: 404 });
    }
    expect(await readdir(folder)).toHaveLength(7);
  });

  // rule backups.stored.3
  test.each([
    "..%2F..%2Fsecret.key",
    "..%2fx.tar.gz",
    "a%2Fb.tar.gz",
    "a%5Cb.tar.gz",
    "a%00.tar.gz",
    "%2e%2e%2fx.tar.gz",
    ".hidden.tar.gz",
    "-rf.tar.gz",
    "panel.db",
    "secret.key",
    "a%0a.tar.gz",
    "%D9%BE.tar.gz",
    `${"a".repeat(300)}.tar.gz`,
  ])("the name %s is none", async (name) => {
    for (const [method, rest] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/manifest"],
    ] as const)
      expect(await call(method, `/backups/${name}${rest}`)).toMatchObject({ status: 400, body: { code: "format" } });
  });

  // rule backups.stored.4
  test("a passphrase of any script encrypts; without one the schedule's own does", async () => {
    const header = Buffer.from("رمز 密码", "utf8").toString("latin1");
    const file = await made("", { "x-backup-passphrase": header });
    expect(file).toMatchObject({ encrypted: true, manifest: null, name: expect.stringMatching(/\.tar\.gz\.enc$/) });
    expect(Math.abs(file.createdAt - Date.now() / 1000)).toBeLessThan(60);
    const stored = await bytes(panel, `/backups/${file.name}`);
    expect((await contentOf(stored.body, "رمز 密码")).rows.get("admins")).toHaveLength(1);
    expect((await call("GET", `/backups/${file.name}/manifest`)).body).toBe("null");
    expect((await call("PUT", "/backups/schedule", { passphrase: "its own" })).body.passphraseSet).toBe(true);
    const own = await made();
    expect(own.encrypted).toBe(true);
    await contentOf((await bytes(panel, `/backups/${own.name}`)).body, "its own");
    // What is downloaded at once has the request's, or none.
    expect((await bytes(panel, "/backup")).headers.get("content-type")).toBe("application/gzip");
    await call("PUT", "/backups/schedule", { clearPassphrase: true });
    expect((await made()).encrypted).toBe(false);
  });

  // rule backups.stored.5
  test("a download is all of it, a part, or nothing where the client has it", async () => {
    const { name, size } = await made();
    const whole = await bytes(panel, `/backups/${name}`);
    expect(whole.status).toBe(200);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    expect(whole.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect(whole.headers.get("content-type")).toBe("application/gzip");
    expect(whole.headers.get("content-length")).toBe(String(size));
    expect(whole.body).toHaveLength(size);
    const etag = whole.headers.get("etag") ?? "";
    const modified = whole.headers.get("last-modified") ?? "";
    expect(etag).toMatch(/^"[0-9a-f-]+"$/);
    const parts: [string, number, number][] = [
      ["bytes=0-0", 0, 0],
      ["bytes=10-19", 10, 19],
      ["bytes=100-", 100, size - 1],
      ["bytes=-7", size - 7, size - 1],
      [`bytes=0-${size * 2}`, 0, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
    ];
    for (const [range, first, last] of parts)
      for (const condition of [{}, { "if-range": etag }, { "if-range": modified }]) {
        const part = await bytes(panel, `/backups/${name}`, { range, ...condition });
        expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${first}-${last}/${size}`]);
        expect(part.body.equals(whole.body.subarray(first, last + 1))).toBe(true);
      }
    for (const range of [`bytes=${size}-`, "bytes=-0", `bytes=${size}-${size + 5}`]) {
      const none = await bytes(panel, `/backups/${name}`, { range });
      expect([none.status, none.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
      expect(JSON.parse(none.body.toString())).toMatchObject({ code: "bad_request" });
    }
    for (const headers of [
      { range: "bytes=5-2" },
      { range: "rows=0-1" },
      { range: "bytes=0-1,4-5" },
      { range: "bytes=0-1", "if-range": '"another"' },
      { range: "bytes=0-1", "if-range": new Date(0).toUTCString() },
    ])
      expect([await bytes(panel, `/backups/${name}`, headers)].map((each) => [each.status, each.body.length])).toEqual([
        [200, size],
      ]);
    for (const headers of [{ "if-none-match": etag }, { "if-modified-since": modified }])
      expect((await bytes(panel, `/backups/${name}`, headers)).status).toBe(304);
  });

  // rule backups.stored.6
  test("a new archive is downloaded, and nothing of it stays", async () => {
    const answer = await bytes(panel, "/backup?history=true&audit=true");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="signalbox-.*\.tar\.gz"$/);
    const { manifest, rows } = await contentOf(answer.body);
    expect(manifest).toMatchObject({ history: true, audit: true });
    expect(manifest.tables.map(({ name }) => name)).toContain("changes");
    expect(rows.get("admins")).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
    // A client that leaves while it is made or sent leaves nothing either.
    for (const ms of [5, 100, 400]) {
      const left = new AbortController();
      setTimeout(() => left.abort(), ms);
      await fetch(`${panel.url}/api/v1/backup`, {
        headers: { authorization: `Bearer ${panel.token}` },
        signal: left.signal,
      }).catch(() => undefined);
    }
    await until(async () => (await readdir(folder)).length === 0);
  });

  // rule backups.stored.7
  test("a job makes one where nobody waits", async () => {
    const accepted = await call("POST", "/backups?async=true&audit=true", undefined, {
      "x-backup-passphrase": "of the job",
    });
    expect(accepted).toMatchObject({ status: 202, body: { job: expect.any(Number) } });
    const { job } = accepted.body;
    const state = async () => (await call("GET", `/jobs/${job}`)).body.state;
    await until(async () => ["succeeded", "failed"].includes(await state()));
    expect((await call("GET", `/jobs/${job}`)).body).toMatchObject({
      kind: "backups.create",
      op: "backup",
      state: "succeeded",
      total: 1,
      done: 1,
      affected: 1,
      problems: [],
    });
    const { items } = (await call("GET", "/backups")).body;
    expect(items).toMatchObject([{ encrypted: true }]);
    await contentOf((await bytes(panel, `/backups/${items[0].name}`)).body, "of the job");
  });

  // rule backups.stored.8
  test("what was made, taken away and deleted is in the log of changes", async () => {
    const { name } = await made();
    await bytes(panel, `/backups/${name}`);
    await bytes(panel, `/backups/${name}`, { range: "bytes=5-" });
    await call("DELETE", `/backups/${name}`);
    const { items } = (await call("GET", `/changes?key=backups&limit=200`)).body;
    const of = items.filter((each: { entityId: string }) => each.entityId === name);
    expect(of.map((each: { action: string }) => each.action).toSorted()).toEqual(["create", "delete", "download"]);
  });

  test("main admins alone, with the scope", async () => {
    const token = async (scopes: string[]) =>
      (await call("POST", "/tokens", { desc: scopes.join(), scopes })).body.token;
    const reader = { authorization: `Bearer ${await token(["backup:read"])}` };
    expect((await call("GET", "/backups", undefined, reader)).status).toBe(200);
    expect((await call("POST", "/backups", undefined, reader)).status).toBe(403);
    const stranger = { authorization: `Bearer ${await token(["settings:write"])}` };
    for (const path of ["/backup", "/backups", "/backups/schedule", "/backups/x.tar.gz"])
      expect((await call("GET", path, undefined, stranger)).status).toBe(403);
  });
});

test("a download that is taken slowly holds no memory of the whole", async () => {
  const panel = await WholePanel.open("sqlite");
  try {
    const folder = join(panel.directory, "backups");
    const { name } = (await panel.call("POST", "/api/v1/backups", undefined, { "x-backup-passphrase": "long" })).body;
    // An encrypted archive is known by its first bytes; what follows may be any.
    const size = 256 * 1024 * 1024;
    const path = join(folder, name);
    const grown = Buffer.alloc(1024 * 1024, 7);
    const handle = await open(path, "r+");
    for (let at = 0; at < size; at += grown.length) await handle.write(grown, 0, grown.length, 1024 + at);
    await handle.close();
    const before = process.memoryUsage.rss();
    let most = 0;
    const digest = createHash("sha256");
    const got = await new Promise<number>((resolve, reject) => {
      const asked = request(
        `${panel.url}/api/v1/backups/${name}`,
        { headers: { authorization: `Bearer ${panel.token}` } },
        (response) => {
          let length = 0;
          response.on("data", (piece: Buffer) => {
            length += piece.length;
            digest.update(piece);
            most = Math.max(most, process.memoryUsage.rss());
          });
          response.on("end", () => resolve(length));
          response.on("error", reject);
        },
      );
      asked.on("error", reject);
      asked.end();
    });
    expect(got).toBe(1024 + size);
    expect(most - before).toBeLessThan(128 * 1024 * 1024);
  } finally {
    await panel.dispose();
  }
});
