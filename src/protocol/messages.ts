// The messages of panel and agent: JSON-RPC 2.0 over one WebSocket per node, in both directions. Every message is parsed by these schemas before use.
import { z } from "zod";
import { PlanObject, PlanUser } from "./plan.ts";

export const PROTOCOL_VERSION = 1;
export const WEBSOCKET_PATH = "/signalbox";
/** Upper bound of one message in bytes; a push of more is split by the panel. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
export const HEARTBEAT_SECONDS = 10;
/** Error codes beyond JSON-RPC's own. */
export const RpcErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  fenced: -32001,
  unsupported: -32002,
  engine: -32003,
} as const;

/** WebSocket close codes of our own. */
export const CloseCode = {
  /** A newer connection holds the node now. */
  replaced: 4001,
} as const;

const Digest = z.string().regex(/^[0-9a-f]{32}$/);
const BucketDigest = z.string().regex(/^[0-9a-f]{16}$/);
const Count = z.int().nonnegative();

export const EngineKind = z.enum(["embedded", "v2ray", "xray", "sing-box", "none", "simulated"]);
export type EngineKind = z.infer<typeof EngineKind>;

/** What the agent's engine carries now, as digests: a change under way is in them once it is done. Equal digests mean: nothing to send. */
export const AppliedState = z.object({ revision: Count, structure: Digest, users: Digest });
export type AppliedState = z.infer<typeof AppliedState>;

export const EngineReport = z.object({
  kind: EngineKind,
  version: z.string(),
  state: z.enum(["stopped", "starting", "running", "failed"]),
  message: z.string(),
  restarts: Count,
});
export type EngineReport = z.infer<typeof EngineReport>;

/** Figures of the host and engine (decisions 9, `live`). A figure that cannot be read is absent. */
export const LiveFigures = z.object({
  uptime: Count.optional(),
  load1: z.number().optional(),
  load5: z.number().optional(),
  load15: z.number().optional(),
  cpuPercent: z.number().optional(),
  memoryUsed: Count.optional(),
  memoryTotal: Count.optional(),
  diskUsed: Count.optional(),
  diskTotal: Count.optional(),
  connections: Count.optional(),
  upRate: Count.optional(),
  downRate: Count.optional(),
  engineRestarts: Count.optional(),
  rejected: z.record(z.string(), Count).optional(),
});
export type LiveFigures = z.infer<typeof LiveFigures>;

/** Usage rows: user, inbound, bytes up, bytes down, Unix second of the last traffic. Raw bytes, no multiplier. */
export const UsageRow = z.tuple([z.int().positive(), z.int().positive(), Count, Count, Count]);
export type UsageRow = z.infer<typeof UsageRow>;

/** A numbered batch of the agent's ledger. `bootId` names the ledger file, `seq` never restarts in it. `up`/`down`: the node's own total in this batch. */
export const UsageBatch = z.object({
  bootId: z.uuid(),
  seq: z.int().positive(),
  from: Count,
  to: Count,
  rows: z.array(UsageRow).max(200_000),
  up: Count,
  down: Count,
});
export type UsageBatch = z.infer<typeof UsageBatch>;

export const SessionRow = z.object({
  id: z.string(),
  userId: z.int().positive(),
  inboundId: z.int().positive(),
  inbound: z.string(),
  outbound: z.string(),
  network: z.enum(["tcp", "udp"]),
  source: z.string(),
  destination: z.string(),
  up: Count,
  down: Count,
  startedAt: Count,
});
export type SessionRow = z.infer<typeof SessionRow>;

/** Which sessions are meant; absent fields match everything. Tags, as operators write them. */
export const SessionSelection = z.object({
  userId: z.int().positive().optional(),
  inbound: z.string().optional(),
  outbound: z.string().optional(),
});
export type SessionSelection = z.infer<typeof SessionSelection>;

/** What the panel may ask of an agent: `method: {params, result}`. */
export const panelMethods = {
  /**
   * First message on every connection. `fence`: lease token; a smaller one than the agent has seen is refused (`fenced`). A connection that shows a larger one, or the same
   * again, replaces the one before (`CloseCode.replaced`). `readOnly` connections replace nobody and may ask, and close sessions; they change neither state nor ledger.
   */
  hello: {
    params: z.object({
      protocol: z.int().positive(),
      panelVersion: z.string(),
      nodeId: z.int().positive(),
      fence: Count,
      readOnly: z.boolean(),
    }),
    result: z.object({
      protocol: z.int().positive(),
      agentVersion: z.string(),
      arch: z.string(),
      setup: z.string(),
      ledger: z.object({ bootId: z.uuid(), acknowledged: Count }),
      engine: EngineReport,
      applied: AppliedState,
      warnings: z.array(z.string()),
    }),
  },
  /** Digests of all that the agent was told, a change under way included, so that the panel sends only what differs. Where nothing does, `state.report` says when it is applied. */
  "state.digests": {
    params: z.object({}),
    result: z.object({ objects: z.record(z.string(), Digest), buckets: z.array(BucketDigest).length(256) }),
  },
  /** What the agent runs, said once no change is under way any more. */
  "state.report": {
    params: z.object({}),
    result: z.object({ applied: AppliedState, warnings: z.array(z.string()), engine: EngineReport }),
  },
  /**
   * Changes the desired state. `objects.put`/`drop` edit the structure; `users.buckets` replaces whole buckets (index as text), `users.put`/`users.drop` edit single users.
   * Answered once the engine carries it (or warnings say what it does not); the answer's digests are of what is now desired and applied.
   */
  "state.apply": {
    params: z.object({
      revision: Count,
      objects: z.object({ put: z.record(z.string().max(200), PlanObject), drop: z.array(z.string().max(200)) }).optional(),
      users: z
        .object({
          buckets: z.record(z.string().regex(/^\d{1,3}$/), z.array(PlanUser)).optional(),
          put: z.array(PlanUser).optional(),
          drop: z.array(z.int().positive()).optional(),
        })
        .optional(),
    }),
    result: z.object({ applied: AppliedState, warnings: z.array(z.string()), engine: EngineReport }),
  },
  /** Live sessions. `supported: false` where the engine or the agent's rights do not allow it. `limit` bounds `rows`; `total` counts all. */
  "sessions.list": {
    params: SessionSelection.extend({ limit: z.int().positive().max(5000) }),
    result: z.object({ supported: z.boolean(), total: Count, truncated: z.boolean(), rows: z.array(SessionRow) }),
  },
  /** Ends sessions; their users may come again at once. Also over read-only connections. */
  "sessions.close": { params: SessionSelection, result: z.object({ supported: z.boolean(), closed: Count }) },
  /** Source addresses of a user (all users when absent) of the last ten minutes. */
  "addresses.list": {
    params: z.object({ userId: z.int().positive().optional() }),
    result: z.object({
      rows: z.array(z.object({ userId: z.int().positive(), inboundId: z.int().positive(), address: z.string(), lastSeenAt: Count })),
    }),
  },
  /** Stops the engine and forgets the desired state (the node was deleted). The ledger stays. */
  "engine.stop": { params: z.object({}), result: z.object({ stopped: z.boolean() }) },
} as const;

/** What an agent tells the panel. `heartbeat` is a notification, `usage` a request whose answer acknowledges the batch. */
export const agentMethods = {
  heartbeat: {
    params: z.object({
      at: Count,
      live: LiveFigures,
      engine: EngineReport,
      applied: AppliedState,
      warnings: z.array(z.string()).max(1000),
      online: Count,
    }),
    result: z.null(),
  },
  /** `result.acknowledged`: highest seq that the panel has on disk; the agent drops batches up to it. Batches are sent in order, one at a time. */
  usage: { params: UsageBatch, result: z.object({ acknowledged: Count }) },
} as const;

export type PanelMethod = keyof typeof panelMethods;
export type AgentMethod = keyof typeof agentMethods;
export type PanelParams<M extends PanelMethod> = z.infer<(typeof panelMethods)[M]["params"]>;
export type PanelResult<M extends PanelMethod> = z.infer<(typeof panelMethods)[M]["result"]>;
export type AgentParams<M extends AgentMethod> = z.infer<(typeof agentMethods)[M]["params"]>;
export type AgentResult<M extends AgentMethod> = z.infer<(typeof agentMethods)[M]["result"]>;
export type Heartbeat = AgentParams<"heartbeat">;
