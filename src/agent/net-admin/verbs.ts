// What an agent may ask its net keeper for: a fixed set of verbs on its own tables. Lines of JSON on a Unix socket;
// each request has an id, which its answer repeats.
import { z } from "zod";
import { EngineKind } from "../../protocol/messages.ts";

/** The longest line in either direction. */
export const LINE_BYTES = 8 * 1024 * 1024;

const Port = z.int().min(1).max(65_535);
const Address = z.string().max(64);
const MANY = 65_535;
/** As `ss` names a peer: what is written here becomes part of its filter. */
const Peer = z.string().regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}(%[\w.-]{1,15})?\]):\d{1,5}$/);
const Flow = z.strictObject({ address: Address, port: Port, localPort: Port });
const Network = z.enum(["tcp", "udp"]);
/** The engine that owns the table: each engine of an agent has its own. */
const engine = EngineKind;

export const Verb = z.discriminatedUnion("verb", [
  z.strictObject({ verb: z.literal("objections") }),
  z.strictObject({
    verb: z.literal("guardTargets"),
    engine,
    guard: z.strictObject({
      privateTargets: z.enum(["block", "allow"]),
      interfaces: z.array(Port).max(256),
      upstreams: z.array(z.strictObject({ address: Address, port: Port })).max(256),
    }),
  }),
  z.strictObject({
    verb: z.literal("map"),
    engine,
    mappings: z
      .array(z.strictObject({ listen: Address, port: Port, networks: z.array(Network).max(2), inner: Port }))
      .max(4096),
  }),
  z.strictObject({ verb: z.literal("keepClosed"), engine, ports: z.array(Port).max(MANY) }),
  z.strictObject({
    verb: z.literal("dropFlows"),
    engine,
    flows: z.array(Flow).max(MANY),
    seconds: z.number().min(0).max(3600),
  }),
  z.strictObject({ verb: z.literal("flows"), engine, ports: z.array(Port).max(MANY), fresh: z.boolean() }),
  z.strictObject({ verb: z.literal("unmap"), engine }),
  z.strictObject({
    verb: z.literal("limitSpeeds"),
    engine,
    limits: z.array(z.tuple([z.int(), z.int().positive()])).max(MANY),
    sessions: z.array(Flow.extend({ userId: z.int() })).max(MANY),
  }),
  z.strictObject({ verb: z.literal("freeSpeeds"), engine }),
  z.strictObject({
    verb: z.literal("cut"),
    sockets: z.array(z.strictObject({ localPort: Port, peer: Peer })).max(MANY),
  }),
]);
export type Verb = z.infer<typeof Verb>;

/** The id alone: of a request that is no verb, so that its answer finds it. */
export const Numbered = z.looseObject({ id: z.int() });

export const Answer = z.union([
  z.strictObject({ id: z.int(), error: z.string() }),
  z.strictObject({ id: z.int(), value: z.unknown() }),
]);
export type Answer = z.infer<typeof Answer>;

/** The answer to `objections`: what is not possible, in one sentence each. */
export const Objections = z.strictObject({
  portMap: z.string().optional(),
  speedLimits: z.string().optional(),
});
/** The answer to `flows`. */
export const Flows = z.array(Flow);
