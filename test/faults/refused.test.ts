// What a panel cannot be started on is refused with one sentence that names it and says what to do; nothing is written,
// and no stack is shown.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasPrograms } from "../programs.ts";
import { quietPorts } from "../quiet-ports.ts";
import { StoreUnavailable } from "../../src/db/index.ts";
import type { Store } from "../../src/db/store.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, createEmptyDatabase, dialects } from "../database.ts";
import { Program, SIGNALBOX } from "../e2e/processes.ts";
import { startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster } from "./postgresql.ts";
import { startRelay } from "./relay.ts";

const PG_URL = process.env["PG_URL"] ?? "";

/** `signalbox serve` to its end: it must end by itself, with 1 and one line. Resolves to that line. */
async function refused(variables: Readonly<Record<string, string>>, as: readonly string[] = []): Promise<string> {
  const [port = 0] = await quietPorts(1);
  const env = {
    SIGNALBOX_LISTEN: `127.0.0.1:${port}`,
    SIGNALBOX_DATABASE_URL: "",
    SIGNALBOX_SECRET_KEY: "",
    ...variables,
  };
  const command = [...as, process.execPath, ...SIGNALBOX, "serve"];
  const program = new Program({ command: command[0] ?? "", args: command.slice(1), env });
  const watchdog = setTimeout(() => void program.end("SIGKILL"), 250_000);
  const { code } = await program.exited;
  clearTimeout(watchdog);
  const lines = program.output.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect(program.output).not.toMatch(/\n\s+at /);
  expect({ code, lines: lines.length }, program.output).toEqual({ code: 1, lines: 1 });
  return lines[0] ?? "";
}

describe("on SQLite", () => {
  /** A data directory that a panel has used, to be copied and harmed. */
  let used: string;
  let directory: string;
  let file: string;
  beforeAll(async () => {
    const panel = await startFaultyPanel();
    used = mkdtempSync(join(tmpdir(), "signalbox-used-"));
    await panel.stop();
    for (const name of ["panel.db", "secret.key"]) copyFileSync(join(panel.directory, name), join(used, name));
    await panel.dispose();
  });
  afterAll(() => rmSync(used, { recursive: true, force: true }));
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "signalbox-refused-"));
    for (const name of readdirSync(used)) copyFileSync(join(used, name), join(directory, name));
    file = join(directory, "panel.db");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const start = (more: Readonly<Record<string, string>> = {}, as?: readonly string[]) =>
    refused({ SIGNALBOX_DATA_DIR: directory, ...more }, as);

  // rules certificates.secret.2, process.start.2
  it("another key", async () => {
    writeFileSync(join(directory, "secret.key"), `${randomBytes(32).toString("hex")}\n`);
    expect(await start()).toMatch(
      /the key file \S+secret\.key is not the key that this database was sealed with: put that one back/,
    );
    expect(await start({ SIGNALBOX_SECRET_KEY: randomBytes(32).toString("hex") })).toMatch(
      /SIGNALBOX_SECRET_KEY is not the key/,
    );
  });

  it("a key that is missing; none is made in its place", async () => {
    rmSync(join(directory, "secret.key"));
    expect(await start()).toMatch(/the key file \S+secret\.key is missing.*put it back, or set SIGNALBOX_SECRET_KEY/);
    expect(existsSync(join(directory, "secret.key"))).toBe(false);
  });

  it("a key file that holds no key", async () => {
    writeFileSync(join(directory, "secret.key"), "not a key\n");
    expect(await start()).toMatch(
      /the key file \S+secret\.key must be 32 bytes, written as 64 hex digits or as base64/,
    );
  });

  // rule process.start.2
  it("a newer schema", async () => {
    const database = new Database(file);
    database.prepare("insert into schema_migrations (name) values (?)").run("Migration29990101000000_later");
    database.close();
    expect(await start()).toMatch(
      /written by a newer version of Signalbox .*Migration29990101000000_later.*start that version, or restore/,
    );
  });

  // rule process.start.2
  it("a file whose beginning was overwritten", async () => {
    overwrite(file, 0, 100);
    expect(await start()).toMatch(/panel\.db is damaged .*: restore a copy/);
  });

  it("a file with damaged pages", async () => {
    const pages = statSync(file).size / 4096;
    for (let page = 3; page < pages; page += 5) overwrite(file, page * 4096, 512);
    expect(await start()).toMatch(/panel\.db is damaged .*: restore a copy/);
  });

  it("damage that only a read meets: refused there, with what to do", async () => {
    const { store, close } = await openedBeforeDamage(file);
    try {
      await expect(store.read({ text: "select count(*) from journal", values: [] })).rejects.toThrow(
        /is damaged: .*restore a copy/,
      );
      await expect(store.read({ text: "select count(*) from journal", values: [] })).rejects.toBeInstanceOf(
        StoreUnavailable,
      );
    } finally {
      await close();
    }
  });

  it("a file that was cut short", async () => {
    truncateSync(file, 4096 * 20);
    expect(await start()).toMatch(/panel\.db is damaged .*: restore a copy/);
  });

  // rule process.start.2
  it("another program's database", async () => {
    rmSync(file);
    new Database(file).exec("create table recipes (id integer)").close();
    expect(await start()).toMatch(/panel\.db is another program's database \(it has the table recipes\)/);
  });

  it("a data directory that is a file, or lies below one", async () => {
    expect(await refused({ SIGNALBOX_DATA_DIR: file })).toMatch(
      /panel\.db is not a directory: name one in SIGNALBOX_DATA_DIR/,
    );
    expect(await refused({ SIGNALBOX_DATA_DIR: join(file, "below") })).toMatch(
      /is not a directory: name one in SIGNALBOX_DATA_DIR/,
    );
  });

  it("a database that is a directory", async () => {
    mkdirSync(join(directory, "folder.db"));
    expect(await start({ SIGNALBOX_DATABASE_URL: `sqlite:${directory}/folder.db` })).toMatch(
      /folder\.db is not a file/,
    );
  });

  const isRoot = process.getuid?.() === 0 && hasPrograms("a data directory of somebody else's", "setpriv");
  it.skipIf(!isRoot)("a data directory of somebody else's", async () => {
    const stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    expect(await start({}, stranger)).toMatch(/(this user may not use|cannot be opened).*(readable and )?writable/);
    expect(await refused({ SIGNALBOX_DATA_DIR: join(directory, "new") }, stranger)).toMatch(
      /this user may not use \S+: make it readable and writable/,
    );
  });

  it("an address that is in use, or not this machine's", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await start({ SIGNALBOX_LISTEN: `127.0.0.1:${port}` })).toMatch(
      new RegExp(`127\\.0\\.0\\.1:${port} is in use by another process: end it, or choose another`),
    );
    server.close();
    expect(await start({ SIGNALBOX_LISTEN: "192.0.2.1:8080" })).toMatch(
      /192\.0\.2\.1:8080 is not an address of this machine/,
    );
  });
});

describe.skipIf(!dialects.includes("postgresql"))("on PostgreSQL", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "signalbox-refused-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const start = (url: string) => refused({ SIGNALBOX_DATA_DIR: directory, SIGNALBOX_DATABASE_URL: url });
  const changed = (change: (url: URL) => void) => {
    const url = new URL(PG_URL);
    change(url);
    return url.href;
  };

  it("a database that does not exist; none is made in its place", async () => {
    const url = changed((each) => (each.pathname = "/signalbox_nowhere"));
    expect(await start(url)).toMatch(
      /has no database signalbox_nowhere: make it \(createdb signalbox_nowhere\), or correct SIGNALBOX_DATABASE_URL/,
    );
  });

  it("nobody who answers", async () => {
    const [port = 0] = await quietPorts(1);
    expect(await start(`postgresql://postgres:secret@127.0.0.1:${port}/panel`)).toMatch(
      new RegExp(
        `^signalbox: PostgreSQL at 127\\.0\\.0\\.1:${port} cannot be reached \\(.*ECONNREFUSED.*\\): start it, or correct`,
      ),
    );
    expect(await start("postgresql://postgres@nowhere.invalid/panel")).toMatch(
      /PostgreSQL at nowhere\.invalid:5432 cannot be reached/,
    );
  });

  it("a role that does not exist", async () => {
    expect(await start(changed((url) => (url.username = "nobody_here")))).toMatch(/refuses nobody_here/);
  });

  it.skipIf(!canHarmPostgres)("a wrong password, or none", async () => {
    const cluster = await Cluster.start();
    try {
      await cluster.query("alter role postgres password 'right'");
      cluster.demandPasswords();
      await cluster.stop("fast");
      await cluster.start();
      for (const password of ["wrong", ""]) {
        const url = Object.assign(new URL(cluster.url()), { password }).href;
        expect(await start(url)).toMatch(/refuses the password of postgres: correct it in SIGNALBOX_DATABASE_URL/);
      }
    } finally {
      await cluster.dispose();
    }
  });

  it("a server that is too old, by what it says of itself", async () => {
    const relay = await startRelay(Number(new URL(PG_URL).port || 5432), ofVersion(12));
    try {
      const url = changed((each) => {
        each.hostname = "127.0.0.1";
        each.port = String(relay.port);
      });
      expect(await start(url)).toMatch(/is version 12\S*.*: Signalbox needs 14 or newer/);
    } finally {
      await relay.close();
    }
  });

  it("a role that may not make tables; a newer schema; a database that is read-only", async () => {
    const { url, drop } = await createEmptyDatabase("postgresql");
    const role = `signalbox_test_${randomBytes(6).toString("hex")}`;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`create role ${role} login`);
      expect(await start(Object.assign(new URL(url), { username: role }).href)).toMatch(
        new RegExp(`the role ${role} may not make tables`),
      );
      await client.query(
        "create table schema_migrations (id serial primary key, name text, executed_at timestamptz default now())",
      );
      await client.query("insert into schema_migrations (name) values ('Migration29990101000000_later')");
      expect(await start(url)).toMatch(/written by a newer version of Signalbox/);
      await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
      expect(await start(url)).toMatch(/is read-only \(a standby\?\): name the primary/);
    } finally {
      await client.query(`drop owned by ${role}`);
      await client.query(`drop role ${role}`);
      await client.end();
      await drop();
    }
  });
});

/** A store on a file that is damaged once it is open, as a larger file than is checked at a start may be. */
async function openedBeforeDamage(file: string): Promise<{ store: Store; close: () => Promise<void> }> {
  const database = await connectTestDatabase(`sqlite:${file}`, entities);
  const pages = statSync(file).size / 4096;
  for (let page = 3; page < pages; page++) overwrite(file, page * 4096, 4096);
  return { store: database.store, close: () => database.close() };
}

function overwrite(file: string, position: number, length: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, randomBytes(length), 0, length, position);
  closeSync(handle);
}

/**
 * A server of the real version with another number in what it says; the length stays, as the protocol's frames need it.
 */
function ofVersion(major: number) {
  return (chunk: Buffer): Buffer =>
    Buffer.from(
      chunk
        .toString("latin1")
        .replace(/\b1\d\.(\d+) \(Debian/g, `${major}.$1 (Debian`)
        .replace(/\b1[3-9]00(\d\d)\b/g, `${major}00$1`),
      "latin1",
    );
}
