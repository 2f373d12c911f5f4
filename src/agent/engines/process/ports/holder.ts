// Which program holds a port of this host, as the kernel tells those who may know: of programs of other users only
// root.
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Network, WantedPort } from "./ports.ts";
import { type Reason, reason } from "../../../../protocol/notices/index.ts";

/** State of a TCP socket that listens, in the kernel's tables. */
const LISTENS = "0A";

/** The error that a port is in use, and by which process if that is known. */
export async function portTaken({ port, networks }: Pick<WantedPort, "port" | "networks">): Promise<Reason> {
  return reason("port_taken", port, (await portHolder(port, networks)) ?? "");
}

/**
 * `nginx (process 812)`; undefined where nobody holds the port any more, or where this user is not told. Never rejects.
 */
async function portHolder(port: number, networks: readonly Network[]): Promise<string | undefined> {
  const inodes = new Set((await Promise.all(networks.map((network) => inodesOf(network, port)))).flat());
  if (inodes.size === 0) return undefined;
  for (const pid of await names("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const descriptor of await names(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(await text(readlink(`/proc/${pid}/fd/${descriptor}`)))?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      // What a program calls itself is its own text: nothing in it may pass for words of ours.
      const name = (await text(readFile(`/proc/${pid}/comm`, "utf8"))).replace(/[^\w.+-]/g, "");
      return `${name || "a program"} (process ${pid})`;
    }
  }
  return undefined;
}

/** Sockets that are bound to the port, by the numbers that the kernel gives them. */
async function inodesOf(network: Network, port: number): Promise<string[]> {
  const tables = await Promise.all(
    [network, `${network}6`].map((name) => text(readFile(`/proc/net/${name}`, "latin1"))),
  );
  return tables.flatMap((table) =>
    table
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local = "", , state, , , , , , inode = "0"] = line.trim().split(/\s+/);
        const bound =
          Number.parseInt(local.split(":")[1] ?? "", 16) === port && (network === "udp" || state === LISTENS);
        return bound && inode !== "0" ? [inode] : [];
      }),
  );
}

/** Entries of a directory; none of one that this user may not read, or that is gone by now. */
async function names(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch {
    return [];
  }
}

/** Empty where there is nothing to read. */
async function text(reading: Promise<string>): Promise<string> {
  try {
    return await reading;
  } catch {
    return "";
  }
}
