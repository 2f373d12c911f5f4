// What the driver writes down so that the next agent can take its engines over.
import { z } from "zod";
import type { ByteCount } from "../process/counter-tally.ts";
import { SessionSnapshot } from "../process/session-table.ts";

const Counters = z.record(z.string(), z.tuple([z.int(), z.int()]));

/** An inbound that an engine has open. `engineTag`: which of its two names it carries now. */
export const OpenInbound = z.object({
  id: z.int(),
  tag: z.string(),
  engineTag: z.string(),
  port: z.int(),
  fronted: z.boolean(),
  digest: z.string(),
  /** Its users have names of the protocol's own, so log lines do not name them. */
  anonymous: z.boolean(),
});
export type OpenInbound = z.infer<typeof OpenInbound>;

export const EngineRecord = z.object({
  id: z.uuid(),
  pid: z.int().positive(),
  startTime: z.string(),
  apiPort: z.int(),
  frameDigest: z.string(),
  inbounds: z.array(OpenInbound),
  /** Unix milliseconds until which a replaced engine may finish its connections. Absent: it is the serving one. */
  drainUntil: z.number().optional(),
  /** Last counters of an engine that is being ended: from here on they count instead of the process. */
  final: Counters.optional(),
});
export type EngineRecord = z.infer<typeof EngineRecord>;

export const DriverState = z.object({
  version: z.literal(1),
  instance: z.uuid(),
  /** Ports for the engines' interfaces, fixed for long so that every engine can close all of them to proxy users. */
  apiPorts: z.array(z.int()).min(1),
  base: Counters,
  blockTags: z.array(z.string()),
  engines: z.array(EngineRecord),
});
export type DriverState = z.infer<typeof DriverState>;

/** What the lines of the access log before `offset` came to. */
export const LogCheckpoint = z.object({ offset: z.int(), rejected: z.record(z.string(), z.int()), sessions: SessionSnapshot });
export type LogCheckpoint = z.infer<typeof LogCheckpoint>;

export function packCounters(counters: ReadonlyMap<string, ByteCount>): z.infer<typeof Counters> {
  return Object.fromEntries([...counters].map(([name, { up, down }]) => [name, [up, down]]));
}

export function unpackCounters(packed: z.infer<typeof Counters>): Map<string, ByteCount> {
  return new Map(Object.entries(packed).map(([name, [up, down]]) => [name, { up, down }]));
}
