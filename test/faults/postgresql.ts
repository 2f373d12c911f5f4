// A PostgreSQL of the test's own, to be harmed: started, frozen, killed, copied to a standby. Needs Debian's package
// postgresql.
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { hasPrograms } from "../programs.ts";
import { quietPorts } from "../quiet-ports.ts";

const run = promisify(execFile);
const VERSIONS = "/usr/lib/postgresql";

/** Where the newest server's programs are. Undefined where there is none; in CI there must be one. */
function programs(): string | undefined {
  const [newest] = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a)) : [];
  if (newest !== undefined) return join(VERSIONS, newest, "bin");
  if (process.env["CI"] === "true") throw new Error("the programs of PostgreSQL must be installed in CI");
  console.warn("skipped: tests that harm a PostgreSQL server (its programs are not installed)");
  return undefined;
}

const BIN = programs();
/** The server refuses to run as root. */
const ROOT = process.getuid?.() === 0;
export const canHarmPostgres =
  BIN !== undefined && (!ROOT || hasPrograms("tests that harm a PostgreSQL server", "runuser", "id"));
const postgresId = (flag: "-u" | "-g") => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));

/** Runs a program of the server's as the user who owns the cluster. */
async function asOwner(program: string, args: readonly string[]): Promise<void> {
  const path = join(BIN ?? "", program);
  const [command, all] = ROOT ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, [...args]];
  // The server inherits the outputs of pg_ctl: piped ones would never end.
  await run(command, all, { cwd: tmpdir(), timeout: 120_000 });
}

function ownedFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "signalbox-pg-"));
  chmodSync(folder, 0o755);
  if (ROOT) chownSync(folder, postgresId("-u"), postgresId("-g"));
  return folder;
}

export interface ClusterOptions {
  /** Folder in which the cluster's own is made; the default is the system's for temporary files. */
  readonly parent?: string;
  /** Keeps the log of changes in the system's folder for temporary files instead. */
  readonly walApart?: boolean;
  /** Settings of the server, as `name=value`. */
  readonly settings?: readonly string[];
}

export class Cluster {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #walFolder: string | undefined;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /** A new cluster that runs, with the role and database `postgres` and no password. */
  static async start({ parent = tmpdir(), walApart = false, settings = [] }: ClusterOptions = {}): Promise<Cluster> {
    const [port = 0] = await quietPorts(1);
    const cluster = new Cluster(ownedFolder(parent), port, settings);
    if (walApart) cluster.#walFolder = ownedFolder(tmpdir());
    const wal = cluster.#walFolder === undefined ? [] : ["-X", join(cluster.#walFolder, "wal")];
    await asOwner("initdb", [
      "-D",
      cluster.data,
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
      ...wal,
    ]);
    await cluster.start();
    return cluster;
  }

  /** A streaming standby of `primary`, running. */
  static async standbyOf(primary: Cluster, settings: readonly string[] = []): Promise<Cluster> {
    const [port = 0] = await quietPorts(1);
    const cluster = new Cluster(ownedFolder(tmpdir()), port, settings);
    const connection = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
    await asOwner("pg_basebackup", [
      "-D",
      cluster.data,
      "-d",
      connection,
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
      "--no-sync",
    ]);
    await cluster.start();
    return cluster;
  }

  get data(): string {
    return join(this.#folder, "data");
  }

  /** Address of a database on it, as seen through `port` (its own, unless somebody stands between). */
  url(database = "postgres", port = this.port): string {
    return `postgresql://postgres@127.0.0.1:${port}/${database}`;
  }

  get log(): string {
    return readFileSync(join(this.#folder, "server.log"), "utf8");
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      `unix_socket_directories=${this.#folder}`,
      "listen_addresses=127.0.0.1",
      ...this.#settings,
    ];
    const options = settings.map((setting) => `-c ${setting}`).join(" ");
    await asOwner("pg_ctl", [
      "-D",
      this.data,
      "-l",
      join(this.#folder, "server.log"),
      "-w",
      "-t",
      "60",
      "-o",
      options,
      "start",
    ]);
  }

  /** `immediate`: as a crash, without a checkpoint and a word to anybody. */
  async stop(mode: "fast" | "immediate"): Promise<void> {
    await asOwner("pg_ctl", ["-D", this.data, "-m", mode, "-w", "stop"]);
  }

  /** From the next start on, over TCP. */
  demandPasswords(): void {
    writeFileSync(join(this.data, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
  }

  async promote(): Promise<void> {
    await asOwner("pg_ctl", ["-D", this.data, "-w", "promote"]);
  }

  /** The postmaster and everything it started. */
  pids(): number[] {
    const postmaster = Number(readFileSync(join(this.data, "postmaster.pid"), "utf8").split("\n")[0]);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
    return [postmaster, ...children];
  }

  /**
   * Stops or continues every process of the server, or ends it without warning. The postmaster comes first, so that it
   * starts nobody meanwhile.
   */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // A backend may have ended between the look and the signal.
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
      }
    }
  }

  async query(statement: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Ends the server, whatever state it is in, and removes its files. */
  async dispose(): Promise<void> {
    if (existsSync(join(this.data, "postmaster.pid"))) await this.stop("immediate").catch(() => undefined);
    for (const folder of [this.#folder, this.#walFolder]) {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** Makes an empty database on a cluster; its URL. */
export async function createDatabase(cluster: Cluster, name: string, port?: number): Promise<string> {
  await cluster.query(`create database ${name}`);
  return cluster.url(name, port);
}
