// What the panel says of itself and its machine (rule process.info.1).
import { z } from "zod";
import { count, unixTime } from "../http/index.ts";

export const PanelInfo = z
  .object({
    version: z.string(),
    /** Commit of the source tree from which the panel runs; empty when it is not known. */
    commit: z.string(),
    /** Version of Node. */
    node: z.string(),
    platform: z.string(),
    arch: z.string(),
    hostname: z.string(),
    /** Unix seconds of this start of the panel. */
    startedAt: count,
    /** Seconds since then. */
    uptime: count,
    pid: count,
    /** Bytes: of the process, and of the machine. */
    memory: z.object({ rss: count, heapUsed: count, total: count, free: count }),
    /** Load averages of 1, 5 and 15 minutes. */
    load: z.array(z.number()),
    cpus: count,
    /** Bytes of the file system that holds the data directory; `free`: for the panel's user. */
    disk: z.object({ free: count, total: count }),
    database: z.object({ kind: z.enum(["sqlite", "postgresql"]), version: z.string(), size: count }),
    /** A proxy that is not among `trusted_proxies` and names its visitors. */
    untrustedProxy: z.object({ address: z.string(), requests: count, lastSeenAt: count }).nullable(),
    /** Places of `sub_listen` that this process cannot listen on. */
    notListening: z.array(z.object({ place: z.string(), fault: z.string() })),
    counts: z.object({ users: count, nodes: count, online: count, tunnels: count }),
    /** Actors by kind and state. */
    actors: z.record(z.string(), z.record(z.string(), count)),
    /** For main admins; null for others. */
    backup: z
      .object({
        enabled: z.boolean(),
        lastAt: unixTime.nullable(),
        lastResult: z
          .object({ at: unixTime, ok: z.boolean(), error: z.string(), name: z.string(), size: count })
          .nullable(),
        nextDue: unixTime.nullable(),
        error: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "PanelInfo" });
