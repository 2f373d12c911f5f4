// Rehearsals: what makes one fail, and that nothing of one stays or begins.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Rehearsals } from "../../../src/backups/load/rehearsals.ts";
import { sql, type Database } from "../../../src/db/index.ts";
import { entities } from "../../../src/panel/entities.ts";
import { connectTestDatabase, createMigratedDatabase, dialects } from "../../database.ts";
import { newestLanding } from "../../landings/landing.ts";
import { archiveOf, receiver, rowsOfLanding, stored, type ArchiveRows } from "./archives.ts";

describe.each(dialects)("on %s", (dialect) => {
  let directory: string;
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;
  let rows: ArchiveRows;
  let rehearsals: Rehearsals;
  const outcomes: [string, number, string][] = [];
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "signalbox-rehearsal-"));
    ({ url, drop } = await createMigratedDatabase(dialect));
    database = await connectTestDatabase(url, entities);
    rows = rowsOfLanding(newestLanding(), database);
    outcomes.length = 0;
    const file = (name: string) => join(directory, name);
    let now = 1_800_000_000_000;
    rehearsals = new Rehearsals({
      folder: { file, find: async (name) => ({ size: statSync(file(name)).size }) },
      databaseUrl: url,
      scratch: directory,
      receiver: () => receiver(database),
      record: async (...outcome) => void outcomes.push(outcome),
      clock: { now: () => (now += 1500), after: () => () => {} },
      random: randomBytes,
    });
  });
  afterEach(async () => {
    rehearsals.stop();
    await database.close();
    await drop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Nothing of a scratch database is there. */
  async function expectNothing(): Promise<void> {
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
    if (dialect === "sqlite") return;
    const found = await database.reads.query(sql`select nspname from pg_namespace where nspname like 'signalbox%'`);
    expect(found).toEqual([]);
  }

  // rules backups.rehearse.1, backups.rehearse.2
  it("an archive is tried out, and nothing stays", async () => {
    stored(directory, "a", await archiveOf(rows));
    // Two at once: one after the other.
    const both = await Promise.all([rehearsals.rehearse("a", ""), rehearsals.rehearse("a", "")]);
    for (const each of both)
      expect(each).toMatchObject({ ok: true, seconds: 1.5, tables: Object.keys(rows).length, warnings: [] });
    expect(outcomes).toEqual([
      ["a", 1_800_000_003, "ok"],
      ["a", 1_800_000_006, "ok"],
    ]);
    await expectNothing();
    const [count] = await database.reads.query<{ n: number }>(sql`select count(*) as n from users`);
    expect(count?.n).toBe(0);
  });

  /** Archives that could not be restored, and what is said of each. */
  const unfit: [string, (rows: ArchiveRows) => Promise<Buffer>, RegExp][] = [
    [
      "without a table",
      ({ nodes: _, ...others }) => archiveOf(others),
      /^The archive lacks tables that it must have: nodes\.$/,
    ],
    ["of another key", (all) => archiveOf(withoutSecrets(all)), /^\d+ of \d+ secrets could not be opened/],
    [
      "that nobody could sign in with",
      (all) => archiveOf({ ...all, admins: [] }),
      /^The archive has no main admin who can sign in\.$/,
    ],
    [
      "of a newer version",
      (all) => archiveOf(all, (manifest) => ({ ...manifest, schema: "Migration29990101000000_a" })),
      /^This version has no migration Migration29990101000000_a\.$/,
    ],
    ["that is cut off", async (all) => (await archiveOf(all)).subarray(0, -500), /ends early/],
  ];

  // What is wrong with them is the same on both databases: one of them shows it on the other, too.
  // rule backups.rehearse.1
  it.each(dialect === "sqlite" ? unfit : unfit.slice(0, 1))("an archive %s fails", async (_, made, why) => {
    stored(directory, "a", await made(rows));
    const tried = await rehearsals.rehearse("a", "");
    expect(tried.ok).toBe(false);
    expect(tried.warnings[0]).toMatch(why);
    expect(outcomes).toEqual([["a", expect.any(Number), "failed"]]);
    await expectNothing();
  });

  // rule backups.rehearse.2
  it("what was stopped or killed leaves nothing", async () => {
    stored(directory, "a", await archiveOf(rows));
    const running = rehearsals.rehearse("a", "");
    rehearsals.stop();
    await expect(running).rejects.toThrow("the panel is shutting down");
    expect(outcomes).toEqual([]);
    await expectNothing();
    const [left, old] = [".scratch-left", ".scratch-old"].map((name) => join(directory, name));
    for (const path of [left ?? "", old ?? ""]) mkdirSync(path);
    utimesSync(old ?? "", 1_700_000_000, 1_700_000_000);
    utimesSync(left ?? "", 1_800_000_000, 1_800_000_000);
    await rehearsals.sweep(false);
    expect([existsSync(left ?? ""), existsSync(old ?? "")]).toEqual([true, false]);
    await rehearsals.sweep(true);
    expect(existsSync(left ?? "")).toBe(false);
  });
});

/** What an archive has of a database whose secrets were sealed under another key. */
function withoutSecrets(rows: ArchiveRows): ArchiveRows {
  const lost = (value: unknown) => (isSecret(value) ? { $secret: null } : value);
  return Object.fromEntries(
    Object.entries(rows).map(([name, each]) => [
      name,
      each.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, lost(value)]))),
    ]),
  );
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$secret" in value;
}
