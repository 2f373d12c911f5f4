// Archives loaded into new databases: what comes back, what does not, and what is refused.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ArchiveError } from "../../../src/backups/archive/archive-error.ts";
import { loadArchive, type LoadTarget } from "../../../src/backups/load/load-archive.ts";
import { LoadRefused } from "../../../src/backups/load/load-refused.ts";
import { previewArchive } from "../../../src/backups/load/preview-archive.ts";
import type { Receiver } from "../../../src/backups/load/receiver.ts";
import { sql, type Database, type Row } from "../../../src/db/index.ts";
import { openSecret } from "../../../src/lib/seal.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase, dialects } from "../../database.ts";
import { landings, newestLanding } from "../../landings/landing.ts";
import { archiveOf, folder, KEY, receiver, rowsOfLanding, sourceOf, type ArchiveRows } from "./archives.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-load-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe.each(dialects)("on %s", (dialect) => {
  /** The database of the panel that takes archives. */
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;
  let landing: ArchiveRows;
  let taker: Receiver;
  beforeEach(async () => {
    ({ url, drop } = await createMigratedDatabase(dialect));
    database = await connectTestDatabase(url, entities);
    landing = rowsOfLanding(newestLanding(), database);
    taker = await receiver(database);
  });
  afterEach(async () => {
    await database.close();
    await drop();
  });

  const file = () => join(directory, "next.db");
  const target = (): LoadTarget =>
    dialect === "sqlite" ? { sqlite: file() } : { postgresql: { url, schema: "loaded" } };

  /** Opens what was loaded, as a start does. */
  async function loadedDatabase(): Promise<Database> {
    if (dialect === "sqlite") return connectTestDatabase(`sqlite:${file()}`, entities);
    const there = new URL(url);
    there.searchParams.set("options", "-c search_path=loaded");
    return connectTestDatabase(there.href, entities);
  }

  async function rowsIn(table: string): Promise<Row[]> {
    const loaded = await loadedDatabase();
    try {
      return await loaded.reads.query(sql`select * from ${sql.table(table)}`);
    } finally {
      await loaded.close();
    }
  }

  /** Nothing of what was begun is there. */
  async function expectNothing(): Promise<void> {
    if (dialect === "sqlite") return expect(readdirSync(directory)).toEqual([]);
    const found = await database.reads.query(sql`select 1 as one from pg_namespace where nspname = 'loaded'`);
    expect(found).toEqual([]);
  }

  // rule backups.load.1
  it.each(landings())("the landing of $name comes back", async (each) => {
    const rows = rowsOfLanding(each, database);
    const schema = each.migrations.at(-1) ?? "";
    const archive = await archiveOf(rows, (manifest) => ({ ...manifest, schema }));
    const preview = await previewArchive(sourceOf(archive), "", folder(directory, "scratch"), taker);
    expect(preview).toMatchObject({ compatible: true, users: rows["users"]?.length, nodes: rows["nodes"]?.length });
    expect(readdirSync(join(directory, "scratch"))).toEqual([]);
    rmSync(join(directory, "scratch"), { recursive: true });
    const loaded = await loadArchive(sourceOf(archive), "", target(), taker);
    expect(loaded).toMatchObject({
      tables: Object.keys(rows).length,
      rows: Object.values(rows).flat().length,
      admins: rows["admins"]?.length,
      users: preview.users,
      nodes: preview.nodes,
      warnings: preview.warnings,
    });
    if (dialect === "sqlite") expect(readdirSync(directory)).toEqual(["next.db"]);
    const found = await loadedDatabase();
    try {
      expect(found.schema.applied).toEqual([]);
      // It says which panels may run on it, as after a start's migrations.
      expect(await found.reads.query(sql`select name from schema_migrations where oldest is null`)).toEqual([]);
      for (const [table, those] of Object.entries(rows)) {
        const [count] = await found.reads.query<{ n: number }>(sql`select count(*) as n from ${sql.table(table)}`);
        if (!["effects", "id_blocks"].includes(table)) expect(count?.n, table).toBe(those.length);
      }
    } finally {
      await found.close();
    }
    expect(taker.schema >= schema).toBe(true);
  });

  // rule backups.load.3
  it("secrets are sealed for their place under this panel's key", async () => {
    await loadArchive(sourceOf(await archiveOf(landing)), "", target(), taker);
    const [identity] = await rowsIn("link_identities");
    const place = { table: "link_identities", column: "private_key", id: Number(identity?.["id"]) };
    expect(openSecret(KEY, String(identity?.["private_key"]), place)).toBe("secret of link_identities");
  });

  // rules backups.load.5, backups.load.7
  it("what was of a process does not come back, and ids go on behind those of both databases", async () => {
    const [effect = {}] = landing["effects"] ?? [];
    const rows: ArchiveRows = {
      ...landing,
      effects: [
        { ...effect, id: "node:1:a", state: "running", owner: "dead", next_at: 5 },
        { ...effect, id: "node:1:b", state: "ended", owner: "dead" },
        { ...effect, id: "node:1:c", state: "pending", owner: "", next_at: 9_000_000_000_000 },
      ],
      sessions: [{ id: 1 }],
      id_blocks: [
        { name: "users", next: 10 },
        { name: "nodes", next: 5000 },
      ],
    };
    const ids = new Map([
      ["users", 700],
      ["nodes", 3],
      ["jobs", 9],
    ]);
    const loaded = await loadArchive(sourceOf(await archiveOf(rows)), "", target(), { ...taker, ids });
    expect(loaded.warnings).toEqual(["What the archive has of sessions does not come back."]);
    expect(await rowsIn("sessions")).toEqual([]);
    const effects = (await rowsIn("effects")).map(({ id, state, owner, next_at: at }) => [
      id,
      state,
      owner,
      Number(at),
    ]);
    expect(effects.toSorted(byText)).toEqual([
      ["node:1:a", "pending", "", 1_800_000_100_000],
      ["node:1:c", "pending", "", 9_000_000_000_000],
    ]);
    const blocks = (await rowsIn("id_blocks")).map(({ name, next }) => [name, Number(next)]);
    expect(blocks.toSorted(byText)).toEqual([
      ["jobs", 9],
      ["nodes", 5000],
      ["users", 700],
    ]);
    expect((await rowsIn("event_log")).map(({ epoch }) => epoch)).toEqual(["another epoch"]);
    expect(
      (await rowsIn("delivery_queues")).every(({ owner, lease_until: until }) => owner === "" && Number(until) === 0),
    ).toBe(true);
  });

  // rule backups.load.6
  it("web settings stay, with the certificate that they name", async () => {
    const time = { created_at: 1, updated_at: 1 };
    const [certificate = {}] = landing["certificates"] ?? [];
    const mine = { ...certificate, id: 7, certificate: "MINE", private_key: { $secret: "my key" } };
    const rows: ArchiveRows = {
      ...landing,
      certificates: [{ ...certificate, id: 7, certificate: "THEIRS" }],
      settings: [
        { id: "web_domain", value: "theirs.example", ...time },
        { id: "web_basepath", value: "/theirs", ...time },
        { id: "timezone", value: "Asia/Tehran", ...time },
      ],
    };
    const settings = {
      keys: ["web_domain", "web_basepath", "web_cert_id"],
      rows: [
        { id: "web_domain", value: "mine.example", ...time },
        { id: "web_cert_id", value: "7", ...time },
      ],
    };
    const kept = { settings, certificate: mine };
    await loadArchive(sourceOf(await archiveOf(rows)), "", target(), { ...taker, kept });
    const found = Object.fromEntries((await rowsIn("settings")).map(({ id, value }) => [id, value]));
    const id = Number(found["web_cert_id"]);
    expect(found).toEqual({ timezone: "Asia/Tehran", web_domain: "mine.example", web_cert_id: String(id) });
    expect(id).toBeGreaterThan(7);
    const certificates = await rowsIn("certificates");
    expect(certificates.map((each) => String(each["certificate"])).toSorted()).toEqual(["MINE", "THEIRS"]);
    const own = certificates.find((each) => each["certificate"] === "MINE");
    expect(openSecret(KEY, String(own?.["private_key"]), { table: "certificates", column: "private_key", id })).toBe(
      "my key",
    );
  });

  // rule backups.load.4
  it.each([
    ["a lost table", (rows: ArchiveRows) => without(rows, "nodes"), /lacks tables that it must have: nodes/],
    ["a table that is none", (rows: ArchiveRows) => ({ ...rows, wonders: [] }), /does not have: wonders/],
    ["the list of migrations", (rows: ArchiveRows) => ({ ...rows, schema_migrations: [] }), /schema_migrations/],
    ["a row that does not fit", (rows: ArchiveRows) => ({ ...rows, plans: [{ id: 1 }] }), /of 1 in plans is missing/],
    [
      "the same row twice",
      (rows: ArchiveRows) => ({ ...rows, plans: [...(rows["plans"] ?? []), ...(rows["plans"] ?? [])] }),
      /plans: .*(?:UNIQUE|unique)/,
    ],
    [
      "a secret where none is kept",
      (rows: ArchiveRows) => changed(rows, "admins", { username: { $secret: "x" } }),
      /username of .* holds a secret where none is kept/,
    ],
    [
      "a text that is sealed already",
      (rows: ArchiveRows) => changed(rows, "link_identities", { private_key: "s1.abc" }),
      /private_key in link_identities is sealed under another key/,
    ],
  ])("%s is refused, and nothing stays", async (_, change, message) => {
    const archive = await archiveOf(change(landing));
    const loading = loadArchive(sourceOf(archive), "", target(), taker);
    await expect(loading).rejects.toEqual(
      expect.objectContaining({ name: "LoadRefused", code: "format", message: expect.stringMatching(message) }),
    );
    await expectNothing();
  });

  // rule backups.load.4
  it("an archive without anybody who can sign in is refused, and a newer one", async () => {
    for (const change of [{ owner: false }, { password_hash: "" }]) {
      const archive = await archiveOf({ ...changed(landing, "admins", change), oidc_links: [] });
      await expect(loadArchive(sourceOf(archive), "", target(), taker)).rejects.toEqual(
        expect.objectContaining({ name: "LoadRefused", code: "no_admins" }),
      );
      await expectNothing();
    }
    const newer = await archiveOf(landing, (manifest) => ({ ...manifest, schema: "Migration29990101000001_b" }));
    await expect(loadArchive(sourceOf(newer), "", target(), taker)).rejects.toEqual(
      expect.objectContaining({ name: "LoadRefused", code: "format" }),
    );
    await expectNothing();
  });

  // rule backups.load.4
  it("an archive that is cut off or altered leaves nothing", async () => {
    const archive = await archiveOf(landing);
    for (const bytes of [archive.subarray(0, -2000), Buffer.concat([archive, Buffer.from("more")])]) {
      await expect(loadArchive(sourceOf(bytes), "", target(), taker)).rejects.toThrow(ArchiveError);
      await expectNothing();
    }
    const encrypted = await archiveOf(landing, undefined, "correct horse");
    await expect(loadArchive(sourceOf(encrypted), "", target(), taker)).rejects.toMatchObject({ code: "encrypted" });
    await expect(loadArchive(sourceOf(encrypted), "wrong", target(), taker)).rejects.toMatchObject({
      code: "passphrase",
    });
    await expectNothing();
    expect((await loadArchive(sourceOf(encrypted), "correct horse", target(), taker)).warnings).toEqual([]);
  });

  if (dialect === "postgresql") {
    // rule backups.load.2
    it("is rolled back where that is asked for, and runs what is asked for before it commits", async () => {
      const archive = await archiveOf(landing);
      const trial: LoadTarget = { postgresql: { url, schema: "loaded", end: "rollback" } };
      expect((await loadArchive(sourceOf(archive), "", trial, taker)).admins).toBe(landing["admins"]?.length);
      await expectNothing();
      const end = ["create table loaded.sign (one int)"];
      await loadArchive(sourceOf(archive), "", { postgresql: { url, schema: "loaded", end } }, taker);
      expect(await rowsIn("sign")).toEqual([]);
    });
  }
});

// rule backups.preview.2
describe("a preview", () => {
  let database: Database;
  let drop: () => Promise<void>;
  let landing: ArchiveRows;
  let taker: Receiver;
  beforeEach(async () => {
    const created = await createMigratedDatabase("sqlite");
    drop = created.drop;
    database = await connectTestDatabase(created.url, entities);
    landing = rowsOfLanding(newestLanding(), database);
    taker = await receiver(database);
  });
  afterEach(async () => {
    await database.close();
    await drop();
  });
  const preview = async (archive: Uint8Array, passphrase = "") =>
    previewArchive(sourceOf(archive), passphrase, directory, taker);

  it("of an archive that is newer by two migrations says so, and counts", async () => {
    const rows = { ...landing, wonders: [{ id: 1 }] };
    const archive = await archiveOf(rows, (manifest) => ({ ...manifest, schema: "Migration29990101000001_b" }));
    const said = await preview(archive);
    expect(said).toMatchObject({ compatible: false, users: landing["users"]?.length });
    expect(said.warnings).toEqual([
      "The archive is of a version that this panel does not know (0.1.0, schema Migration29990101000001_b): update the panel first.",
      "This version has no tables for wonders.",
    ]);
    const altered = await archiveOf(rows, (manifest) => ({
      ...manifest,
      schema: "Migration29990101000001_b",
      tables: manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 })),
    }));
    await expect(preview(altered)).rejects.toThrow(ArchiveError);
  });

  it("warns of what would be lost", async () => {
    const rows = changed(without(landing, "plans"), "link_identities", { private_key: { $secret: null } });
    const said = await preview(await archiveOf({ ...changed(rows, "admins", { owner: false }), oidc_links: [] }));
    expect(said.compatible).toBe(false);
    expect(said.warnings).toEqual([
      "The archive lacks tables that it must have: plans.",
      "The archive has no main admin who can sign in.",
      expect.stringMatching(/^1 of \d+ secrets could not be opened/),
    ]);
  });

  it("refuses rows that are not those of their tables", async () => {
    await expect(preview(await archiveOf({ ...landing, users: [{ id: 1 }] }))).rejects.toThrow(LoadRefused);
    await expect(preview(await archiveOf(landing, undefined, "secret"))).rejects.toMatchObject({ code: "encrypted" });
    await expect(preview(await archiveOf(landing, undefined, "secret"), "no")).rejects.toMatchObject({
      code: "passphrase",
    });
    expect(existsSync(join(directory, "preview.db"))).toBe(false);
  });
});

function without(rows: ArchiveRows, table: string): ArchiveRows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => name !== table));
}

function changed(rows: ArchiveRows, table: string, change: Readonly<Record<string, unknown>>): ArchiveRows {
  return { ...rows, [table]: (rows[table] ?? []).map((row) => ({ ...row, ...change })) };
}

function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}
