// `npm run freeze`: writes what later versions are tried with, into `test/fixtures/landings/<date>/`: the rows of a
// populated database, and the program with panel and agent. To be run at each landing; the program of the landing
// before goes.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { restoredMark } from "../../src/backups/restore/mark.ts";
import { RestoreRows } from "../../src/backups/restore/restore.entity.ts";
import { blankRow, sql, type Database } from "../../src/db/index.ts";
import { migrationsFolder } from "../../src/db/orm.ts";
import type { Row } from "../../src/db/table.ts";
import { entities } from "../../src/panel/entities.ts";
import { VERSION } from "../../src/version.ts";
import { connectTestDatabase } from "../database.ts";
import { addSomeRow } from "../migrations/fixture.ts";
import { joinProgram } from "../program/join.ts";
import { WholePanel } from "../whole-panel.ts";
import { LANDINGS, neutral, type Head } from "./landing.ts";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const MOST_ROWS_BYTES = 300 * 1024;
const MOST_PROGRAM_BYTES = 1.5 * 1024 * 1024;

/** Records of every kind of actor, as an operator makes them. */
async function makeRecords(panel: WholePanel): Promise<void> {
  const make = async (path: string, body: object): Promise<number> => {
    const { status, text, body: made } = await panel.call("POST", `/api/v1/${path}`, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return Number(made.id);
  };
  const inbound = { tag: "in", type: "vless", config: { listen: "::", listen_port: 8443 } };
  const inboundIds = [await make("inbounds", inbound)];
  await make("outbounds", { tag: "out", type: "direct", config: {} });
  const templateId = await make("templates", { name: "template", inboundIds });
  // Nothing listens there.
  await make("nodes", { name: "away", address: "127.0.0.1", port: 1, templateId });
  await make("nodes", { name: "off", address: "127.0.0.2", port: 1, templateId, enabled: false });
  await make("roles", { name: "seller", base: "resale", scopes: ["users:read", "users:write"] });
  const reseller = { username: "seller", password: "correct horse battery", role: "seller", volume: 1_000_000 };
  await make("admins", reseller);
  await make("plans", { name: "plan", days: 30, volume: 5_000_000 });
  const active = await make("users", { name: "active", volume: 1_000_000, expiry: 4_000_000_000 });
  await make("users", { name: "off", enable: false });
  await make("users", { name: "expired", expiry: 1 });
  await make("users", { name: "waits", duration: 3600 });
  await panel.call("POST", "/api/v1/users/bulk/add-volume", { ids: [active], bytes: 1 });
}

/** The record of a restore, as the database that it made has it: the one in which it was asked for is gone. */
async function markRestored({ commits, reads }: Database): Promise<void> {
  const lists = { settings: {}, warnings: [], foreignNodes: [] };
  const by = { actor: "root", via: "session" };
  const row = { ...blankRow(RestoreRows), ...lists, ...by, id: 1, source: "upload" as const, mctx: {} };
  const counts = { tables: 40, rows: 1000, superseded: "panel.db.superseded", now: Date.now() };
  await commits.execute({ name: "restored", statements: restoredMark(reads, row, counts) });
}

/** The lines of `rows.jsonl`. */
async function frozenRows(): Promise<string[]> {
  const panel = await WholePanel.open("sqlite");
  try {
    await makeRecords(panel);
    await panel.stop();
    const database = await connectTestDatabase(panel.databaseUrl, entities);
    await markRestored(database);
    const tables = [...database.tables.all()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rowsIn = (name: string) => database.reads.query(sql<Row>`select * from ${sql.table(name)}`);
    const empty = new Set<string>();
    for (const { name } of tables) if ((await rowsIn(name)).length === 0) empty.add(name);
    await addSomeRow(
      panel.databaseUrl,
      database,
      entities.filter(({ name }) => empty.has(name)),
    );
    const head: Head = {
      version: VERSION,
      migrations: readdirSync(migrationsFolder("sqlite"))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => file.slice(0, -".ts".length))
        .toSorted(),
      columns: Object.fromEntries(
        tables.map(({ name, columns }) => [name, Object.fromEntries(columns.map((each) => [each.name, each.kind]))]),
      ),
    };
    const lines = [JSON.stringify(head)];
    for (const { name, columns } of tables)
      for (const row of await rowsIn(name)) {
        const values = columns.map((column) => [column.name, neutral(row[column.name], column.kind)]);
        lines.push(JSON.stringify([name, Object.fromEntries(values)]));
      }
    await database.close();
    return lines;
  } finally {
    await panel.dispose();
  }
}

/** Panel and agent, joined and compressed. */
async function frozenProgram(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-freeze-"));
  try {
    await joinProgram(CHECKOUT, directory, { frozen: true });
    const files = Object.fromEntries(
      readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]),
    );
    files["package.json"] = JSON.stringify({ version: VERSION, type: "module" });
    const text = Buffer.from(JSON.stringify(files));
    return brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const rows = `${(await frozenRows()).join("\n")}\n`;
const program = await frozenProgram();
if (Buffer.byteLength(rows) > MOST_ROWS_BYTES || program.length > MOST_PROGRAM_BYTES)
  throw new Error(
    `too large for the repository: ${Buffer.byteLength(rows)} bytes of rows, ${program.length} of program`,
  );
const name = new Date().toISOString().slice(0, 10);
if (existsSync(LANDINGS))
  for (const older of readdirSync(LANDINGS)) rmSync(join(LANDINGS, older, "program.br"), { force: true });
mkdirSync(join(LANDINGS, name), { recursive: true });
writeFileSync(join(LANDINGS, name, "rows.jsonl"), rows);
writeFileSync(join(LANDINGS, name, "program.br"), program);
console.log(`${name}: ${Buffer.byteLength(rows)} bytes of rows, ${program.length} bytes of program`);
process.exit();
