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

  // rule backups.rehearse.1
  it("fails with a sentence where the archive could not be restored", async () => {
    const { nodes: _, ...withoutNodes } = rows;
    const lost = Object.fromEntries(
      Object.entries(rows).map(([name, each]) => [
        name,
        each.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [key, isSecret(value) ? { $secret: null } : value]),
          ),
        ),
      ]),
    );
    stored(directory, "table", await archiveOf(withoutNodes));
    stored(directory, "key", await archiveOf(lost));
    stored(directory, "owner", await archiveOf({ ...rows, admins: [] }));
    stored(
      directory,
      "newer",
      await archiveOf(rows, (manifest) => ({ ...manifest, schema: "Migration29990101000000_a" })),
    );
    stored(directory, "cut", (await archiveOf(rows)).subarray(0, -500));
    const all = [
      ["table", /^The archive lacks tables that it must have: nodes\.$/],
      ["key", /^\d+ of \d+ secrets could not be opened/],
      ["owner", /^The archive has no main admin who can sign in\.$/],
      ["newer", /^This version has no migration Migration29990101000000_a\.$/],
      ["cut", /ends early/],
    ] as const;
    // What is wrong with them is the same on both databases: one of them shows it on the other, too.
    for (const [name, why] of dialect === "sqlite" ? all : all.slice(0, 1)) {
      const tried = await rehearsals.rehearse(name, "");
      expect(tried.ok, name).toBe(false);
      expect(tried.warnings[0], name).toMatch(why);
      expect(outcomes.at(-1), name).toEqual([name, expect.any(Number), "failed"]);
    }
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

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$secret" in value;
}
