// PgBouncer in transaction mode before a PostgreSQL, with few connections to it. Needs Debian's package pgbouncer.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { quietPorts } from "../quiet-ports.ts";
import { Program } from "../e2e/processes.ts";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));
if (PROGRAM === undefined) {
  if (process.env["CI"] === "true") throw new Error("pgbouncer must be installed in CI");
  console.warn("skipped: tests behind PgBouncer (it is not installed)");
}
export const hasPgBouncer = PROGRAM !== undefined;

export interface PgBouncer {
  readonly port: number;
  readonly output: string;
  close(): Promise<void>;
}

/** Starts it before the server on `port`; `connections`: how many it opens to that server for one database. */
export async function startPgBouncer(port: number, connections: number): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bouncer-"));
  const [own = 0] = await quietPorts(1);
  const users = join(folder, "users");
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: own,
    unix_socket_dir: folder,
    auth_type: "trust",
    auth_file: users,
    pool_mode: "transaction",
    default_pool_size: connections,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(file, `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${lines.join("\n")}\n`);
  chmodSync(folder, 0o755);
  const root = process.getuid?.() === 0;
  if (root) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    chownSync(folder, id("-u"), id("-g"));
  }
  const bouncer = [PROGRAM ?? "", file];
  const [command = "", ...args] = root
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...bouncer]
    : bouncer;
  const program = new Program({ command, args });
  while (!(await listens(own))) {
    if (!program.running) throw new Error(`pgbouncer ended: ${program.output}`);
    await pause(20);
  }
  return {
    port: own,
    get output() {
      return program.output;
    },
    close: async () => {
      await program.end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
