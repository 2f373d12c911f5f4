// A PostgreSQL server in a folder: made at the first start, on a port of loopback, ended with the example.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startChild, type Child } from "./child.ts";

export interface PostgresServer {
  readonly url: string;
  readonly child: Child;
}

/**
 * Throws a sentence where Debian's package is missing or the server cannot start. `folder`: absolute, below folders
 * that everybody may enter when run as root.
 */
export async function startPostgres(
  folder: string,
  port: number,
  show: (text: string) => void,
): Promise<PostgresServer> {
  const [bin] = globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed();
  if (bin === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  mkdirSync(folder, { recursive: true });
  const data = join(folder, "data");
  const asOwner = ownerOf(folder);
  if (!existsSync(data)) {
    const made = spawnSync(
      ...split([
        ...asOwner,
        join(bin, "initdb"),
        "-D",
        data,
        "-U",
        "signalbox",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
      ]),
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  }
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    max_connections: "200",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program, ...parameters] = [...asOwner, join(bin, "postgres"), "-D", data, ...flags];
  const child = startChild("postgresql", [program ?? "", ...parameters], { show });
  await child.says(/ready to accept connections/);
  return { url: `postgresql://signalbox@127.0.0.1:${port}/postgres`, child };
}

/** The server refuses to run as root: then it runs as Debian's user for it, who gets the folder. */
function ownerOf(folder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"]).stdout);
  chownSync(folder, id("-u"), id("-g"));
  chmodSync(folder, 0o755);
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"];
}

function split([program = "", ...parameters]: readonly string[]): [string, string[]] {
  return [program, parameters];
}
