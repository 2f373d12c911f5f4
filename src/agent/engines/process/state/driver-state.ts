// What the driver writes down so that the next agent can take its engines over.
import { z } from "zod";
import type { ByteCount } from "./counter-tally.ts";

const Counters = z.record(z.string(), z.tuple([z.int(), z.int()]));

/** An inbound that an engine has open. */
export const OpenInbound = z.object({
  id: z.int(),
  tag: z.string(),
  /** Which of its two names it carries now. */
  engineTag: z.string(),
  listen: z.string(),
  /** Where clients dial. */
  port: z.int(),
  /** Where the engine listens instead, behind the port map. */
  inner: z.int().exactOptional(),
  networks: z.array(z.enum(["tcp", "udp"])).readonly(),
  fronted: z.boolean(),
  trusting: z.boolean().exactOptional(),
  digest: z.string(),
  /** Log lines do not name its users. */
  anonymous: z.boolean(),
  /**
   * Unix milliseconds until which a version that a newer one replaced may finish its connections. Absent: it is the
   * current one.
   */
  retireAt: z.number().exactOptional(),
});
export type OpenInbound = z.infer<typeof OpenInbound>;

export const EngineRecord = z.object({
  id: z.uuid(),
  pid: z.int().positive(),
  startTime: z.string(),
  endpoint: z.object({
    grpc: z.string(),
    clash: z.object({ port: z.int(), secret: z.string() }).exactOptional(),
    ports: z.array(z.int()).readonly(),
  }),
  /** Digest of the frame that the engine runs. Empty while the frame is being changed. */
  frameDigest: z.string(),
  coreDigest: z.string(),
  inbounds: z.array(OpenInbound),
  /** It was started, but has not taken over. */
  starting: z.boolean().exactOptional(),
  /** Unix milliseconds until which a replaced engine may finish its connections. */
  drainUntil: z.number().exactOptional(),
  /** Last counters of an engine that is being ended: from here on they count instead of the process. */
  final: Counters.exactOptional(),
});
export type EngineRecord = z.infer<typeof EngineRecord>;

export const DriverState = z.object({
  version: z.literal(2),
  instance: z.uuid(),
  /**
   * Loopback ports for the engines' interfaces, fixed for long so that every engine can close all of them to proxy
   * users.
   */
  apiPorts: z.array(z.int()),
  /** Where their sockets are, if not in the driver's directory. */
  socketDirectory: z.string().exactOptional(),
  base: Counters,
  blockTags: z.array(z.string()),
  engines: z.array(EngineRecord),
});
export type DriverState = z.infer<typeof DriverState>;

export function packCounters(counters: ReadonlyMap<string, ByteCount>): z.infer<typeof Counters> {
  return Object.fromEntries([...counters].map(([name, { up, down }]) => [name, [up, down]]));
}

export function unpackCounters(packed: z.infer<typeof Counters>): Map<string, ByteCount> {
  return new Map(Object.entries(packed).map(([name, [up, down]]) => [name, { up, down }]));
}
