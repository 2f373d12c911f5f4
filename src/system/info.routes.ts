// GET /api/panel/info: the panel and its machine at a glance (rule process.info.1). Nothing in it walks through rows:
// actors come from their counters.
import { statfs } from "node:fs/promises";
import { availableParallelism, freemem, hostname, loadavg, totalmem } from "node:os";
import { sql, type Reader } from "../db/index.ts";
import { route, type ClosedPlace, type Route, type UntrustedProxy } from "../http/index.ts";
import type { StateCounts } from "./actors/counts.ts";
import type { z } from "zod";
import { PanelInfo } from "./info.schema.ts";

export type BackupReadout = NonNullable<z.input<typeof PanelInfo>["backup"]>;

export interface InfoDeps {
  readonly reads: Reader;
  readonly counts: StateCounts;
  readonly dataDirectory: string;
  readonly version: string;
  readonly commit: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Accounts online at a moment (Unix seconds). */
  readonly online: (now: number) => Promise<number>;
  /** Archives at a glance. Rejects where they cannot be read. */
  readonly backup: () => Promise<BackupReadout>;
  readonly untrustedProxy: () => UntrustedProxy | undefined;
  /** Places of `sub_listen` that this process does not listen on. */
  readonly notListening: () => readonly ClosedPlace[];
}

export function infoRoutes({
  reads,
  counts,
  dataDirectory,
  version,
  commit,
  now,
  online,
  backup,
  untrustedProxy,
  notListening,
}: InfoDeps): Route[] {
  const startedAt = Math.floor(now() / 1000);
  const began = performance.now();

  return [
    route({
      method: "GET",
      path: "/panel/info",
      scope: "stats:read",
      summary: "The panel, its machine and its actors at a glance",
      answer: PanelInfo,
      handle: async ({ caller }) => {
        const [disk, database, users, backups] = await Promise.all([
          diskOf(dataDirectory),
          databaseOf(reads),
          online(Math.floor(now() / 1000)),
          caller.base === "sudo" ? backup() : null,
        ]);
        const { rss, heapUsed } = process.memoryUsage();
        const actors = counts.all();
        const total = (kind: string) => Object.values(actors[kind] ?? {}).reduce((sum, each) => sum + each, 0);
        return {
          version,
          commit,
          node: process.version,
          platform: process.platform,
          arch: process.arch,
          hostname: hostname(),
          startedAt,
          uptime: Math.floor((performance.now() - began) / 1000),
          pid: process.pid,
          memory: { rss, heapUsed, total: totalmem(), free: freemem() },
          load: loadavg(),
          cpus: availableParallelism(),
          disk,
          database,
          untrustedProxy: untrustedProxy() ?? null,
          notListening: [...notListening()],
          counts: { users: total("user"), nodes: total("node"), online: users, tunnels: total("tunnel") },
          actors,
          backup: backups,
        };
      },
    }),
  ];
}

async function diskOf(directory: string): Promise<{ free: number; total: number }> {
  const { bsize, bavail, blocks } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

async function databaseOf(reads: Reader): Promise<{ kind: Reader["dialect"]; version: string; size: number }> {
  const [found] = await reads.query<{ version: string; size: number }>(
    reads.dialect === "sqlite"
      ? sql`select sqlite_version() as version, c.page_count * s.page_size as size from pragma_page_count c, pragma_page_size s`
      : sql`select current_setting('server_version') as version, pg_database_size(current_database()) as size`,
  );
  return { kind: reads.dialect, version: found?.version ?? "", size: found?.size ?? 0 };
}
