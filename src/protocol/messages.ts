// The messages of panel and agent: JSON-RPC 2.0 over one WebSocket per node, in both directions. Every message is
// parsed by these schemas before use.
import { z } from "zod";
import { list, table } from "./bulk.ts";
import { PlanObject, PlanUser } from "./plan.ts";
import { said } from "./said-text.ts";
import { usageRows } from "./usage-rows.ts";

export const PROTOCOL_VERSION = 1;
export const WEBSOCKET_PATH = "/signalbox";
/** Upper bound of one message in bytes; a push of more is split by the panel. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Upper bounds of what an agent sends: its greeting, a heartbeat or report, a short answer, a list. */
export const HELLO_BYTES = 16 * 1024;
const REPORT_BYTES = 256 * 1024;
const SHORT_BYTES = 64 * 1024;
const LIST_BYTES = 4 * 1024 * 1024;
/** Rows of one batch, and the parts (lists, objects, commas) of a message that holds as many. */
export const MAX_USAGE_ROWS = 200_000;
export const MAX_MESSAGE_PARTS = 7 * MAX_USAGE_ROWS;
export const HEARTBEAT_SECONDS = 10;
/** Sessions and addresses of one answer. */
export const MAX_SESSIONS = 5000;
export const MAX_ADDRESSES = 10_000;
export const MAX_WARNINGS = 1000;
/** Values of one notice. */
export const MAX_NOTICE_VALUES = 20;
const MAX_OBJECTS = 20_000;
const MAX_USERS = 200_000;
const TAG_BYTES = 400;
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

/**
 * What the agent's engine serves now, as digests: a running change is included when it is finished. Equal digests mean:
 * nothing to send.
 */
export const AppliedState = z.object({ revision: Count, structure: Digest, users: Digest });
export type AppliedState = z.infer<typeof AppliedState>;

const Name = said(200);
const Warnings = list(said(1000), { max: MAX_WARNINGS });
/** The warnings with their codes. An agent of an older version sends none; values belong to the code. */
const SaidNotice = z.object({
  code: said(64),
  values: list(z.union([said(300), z.number()]), { max: MAX_NOTICE_VALUES }),
  /** The warning. */
  detail: said(1000),
  /** The item that it is about: the tag of an inbound or outbound, a path within the route or core block. */
  kind: z.enum(["inbound", "outbound", "route", "core", ""]).catch(""),
  tag: said(400),
});
export type SaidNotice = z.infer<typeof SaidNotice>;
const Notices = list(SaidNotice, { max: MAX_WARNINGS }).optional();
const Tag = z.string().max(TAG_BYTES);
/** Names of `abilities.ts`. Sides of a newer version name some that this one does not know. */
const Abilities = list(said(64), { max: 64 }).optional();

export const EngineReport = z.object({
  kind: EngineKind,
  version: Name,
  state: z.enum(["stopped", "starting", "running", "failed"]),
  message: said(1000),
  restarts: Count,
  /** How often a port became free for which the engine had refused everything: what it refused can be sent again. */
  freed: Count.optional(),
});
export type EngineReport = z.infer<typeof EngineReport>;

/** A figure within what a host can have: beyond that it is the nearest that it can. */
function figure(max: number) {
  return z.number().transform((value) => Math.min(max, Math.max(0, value)));
}
const Load = figure(100_000);
const Bytes = Count.pipe(figure(2 ** 50));
const Number32 = Count.pipe(figure(2 ** 32));

/** Figures of the host and engine (rule nodes.live.1). A figure that cannot be read is absent. */
export const LiveFigures = z.object({
  uptime: Number32.optional(),
  load1: Load.optional(),
  load5: Load.optional(),
  load15: Load.optional(),
  cpuPercent: figure(100).optional(),
  memoryUsed: Bytes.optional(),
  memoryTotal: Bytes.optional(),
  diskUsed: Bytes.optional(),
  diskTotal: Bytes.optional(),
  connections: Number32.optional(),
  upRate: Bytes.optional(),
  downRate: Bytes.optional(),
  engineRestarts: Number32.optional(),
  rejected: table(said(TAG_BYTES), Count, MAX_WARNINGS).optional(),
});
export type LiveFigures = z.infer<typeof LiveFigures>;

/**
 * A numbered batch of the agent's ledger. `bootId` names the ledger file, `seq` never restarts in it. `up`/`down`: the
 * node's own total in this batch.
 */
export const UsageBatch = z.object({
  bootId: z.uuid(),
  seq: z.int().positive(),
  from: Count,
  to: Count,
  rows: usageRows(MAX_USAGE_ROWS),
  up: Count,
  down: Count,
});
/** As an agent says it, and as it was read: its rows are one block then. */
export type UsageBatch = z.input<typeof UsageBatch>;
export type ReadUsageBatch = z.output<typeof UsageBatch>;

/**
 * Its texts are cut, never refused: a proxy user chooses the destination, and nobody may make an agent's answer a wrong
 * one.
 */
export const SessionRow = z.object({
  id: said(200),
  userId: z.int().positive(),
  inboundId: z.int().positive(),
  inbound: said(TAG_BYTES),
  outbound: said(TAG_BYTES),
  network: z.enum(["tcp", "udp"]),
  source: said(100),
  destination: said(300),
  up: Count,
  down: Count,
  startedAt: Count,
});
export type SessionRow = z.infer<typeof SessionRow>;

/** Which sessions are meant; absent fields match everything. Tags, as operators write them. */
export const SessionSelection = z.object({
  userId: z.int().positive().optional(),
  inbound: Tag.optional(),
  outbound: Tag.optional(),
});
export type SessionSelection = z.infer<typeof SessionSelection>;

/** What the panel may ask of an agent: `method: {params, result}`; `resultBytes` bounds the agent's answer. */
export const panelMethods = {
  /**
   * First message on every connection. `fence`: lease token; a smaller one than the agent has seen is refused
   * (`fenced`). A connection that shows a larger one, or the same again, replaces the one before
   * (`CloseCode.replaced`). `agentId`: the agent that the panel knows to be the node's, empty while it knows none; an
   * agent that is another one answers who it is, replaces nobody, and awaits another hello on the same connection.
   * `readOnly` connections replace nobody and may ask, and close sessions; they change neither state nor ledger. Both
   * sides name their abilities; what the other one has not named is not sent to it.
   */
  hello: {
    params: z.object({
      protocol: z.int().positive(),
      panelVersion: Name,
      nodeId: z.int().positive(),
      fence: Count,
      readOnly: z.boolean(),
      agentId: z.string().max(64).optional(),
      abilities: Abilities,
    }),
    result: z.object({
      /** Older agents have none. */
      agentId: z.uuid().optional(),
      protocol: z.int().positive(),
      agentVersion: Name,
      arch: Name,
      setup: Name,
      abilities: Abilities,
      ledger: z.object({ bootId: z.uuid(), acknowledged: Count }),
      engine: EngineReport,
      applied: AppliedState,
      warnings: Warnings,
      notices: Notices,
    }),
    resultBytes: HELLO_BYTES,
  },
  /**
   * Digests of all that the agent was told, a change under way included, so that the panel sends only what differs.
   * Where nothing does, `state.report` says when it is applied.
   */
  "state.digests": {
    params: z.object({}),
    result: z.object({ objects: table(Tag, Digest, MAX_OBJECTS), buckets: list(BucketDigest, { min: 256, max: 256 }) }),
    resultBytes: LIST_BYTES,
  },
  /** What the agent runs, reported when no change is running any more. */
  "state.report": {
    params: z.object({}),
    result: z.object({ applied: AppliedState, warnings: Warnings, notices: Notices, engine: EngineReport }),
    resultBytes: REPORT_BYTES,
  },
  /**
   * Changes the desired state. `objects.put`/`drop` edit the structure; `users.buckets` replaces whole buckets (index
   * as text), `users.put`/`users.drop` edit single users. Answered once the engine carries it (or warnings say what it
   * does not); the answer's digests are of what is now desired and applied.
   */
  "state.apply": {
    params: z.object({
      revision: Count,
      objects: z.object({ put: table(Tag, PlanObject, MAX_OBJECTS), drop: list(Tag, { max: MAX_OBJECTS }) }).optional(),
      users: z
        .object({
          buckets: table(z.string().regex(/^\d{1,3}$/), list(PlanUser, { max: MAX_USERS }), 256).optional(),
          put: list(PlanUser, { max: MAX_USERS }).optional(),
          drop: list(z.int().positive(), { max: MAX_USERS }).optional(),
        })
        .optional(),
    }),
    result: z.object({ applied: AppliedState, warnings: Warnings, notices: Notices, engine: EngineReport }),
    resultBytes: REPORT_BYTES,
  },
  /**
   * Live sessions. `supported: false` where the engine or the agent's rights do not allow it. `limit` bounds `rows`;
   * `total` counts all.
   */
  "sessions.list": {
    params: SessionSelection.extend({ limit: z.int().positive().max(MAX_SESSIONS) }),
    result: z.object({
      supported: z.boolean(),
      total: Count,
      truncated: z.boolean(),
      rows: list(SessionRow, { max: MAX_SESSIONS }),
    }),
    resultBytes: LIST_BYTES,
  },
  /** Ends sessions; their users may come again at once. Also over read-only connections. */
  "sessions.close": {
    params: SessionSelection,
    result: z.object({ supported: z.boolean(), closed: Count }),
    resultBytes: SHORT_BYTES,
  },
  /** Source addresses of a user (all users when absent) of the last ten minutes. */
  "addresses.list": {
    params: z.object({ userId: z.int().positive().optional() }),
    result: z.object({
      rows: list(
        z.object({ userId: z.int().positive(), inboundId: z.int().positive(), address: said(100), lastSeenAt: Count }),
        {
          max: MAX_ADDRESSES,
        },
      ),
    }),
    resultBytes: LIST_BYTES,
  },
  /** What holds for all users of the node. */
  "rules.set": {
    params: z.object({
      /** Whether the newest address is served, and the oldest refused, when a user has more than `ipLimit`. */
      ipLimitNewest: z.boolean(),
    }),
    result: z.object({}),
    resultBytes: SHORT_BYTES,
  },
  /** Stops the engine and forgets the desired state (the node was deleted). The ledger stays. */
  "engine.stop": { params: z.object({}), result: z.object({ stopped: z.boolean() }), resultBytes: SHORT_BYTES },
} as const;

/**
 * What an agent tells the panel. `heartbeat` is a notification, `usage` a request whose answer acknowledges the batch.
 * `paramsBytes` bounds the agent's message.
 */
export const agentMethods = {
  heartbeat: {
    params: z.object({
      at: Count,
      live: LiveFigures,
      engine: EngineReport,
      applied: AppliedState,
      warnings: Warnings,
      notices: Notices,
      online: Count,
    }),
    result: z.null(),
    paramsBytes: REPORT_BYTES,
  },
  /**
   * `result.acknowledged`: highest seq that the panel has on disk; the agent drops batches up to it. Batches are sent
   * in order, one at a time.
   */
  usage: { params: UsageBatch, result: z.object({ acknowledged: Count }) },
} as const;

export type PanelMethod = keyof typeof panelMethods;
export type AgentMethod = keyof typeof agentMethods;
export type PanelParams<M extends PanelMethod> = z.infer<(typeof panelMethods)[M]["params"]>;
export type PanelResult<M extends PanelMethod> = z.infer<(typeof panelMethods)[M]["result"]>;
export type AgentParams<M extends AgentMethod> = z.infer<(typeof agentMethods)[M]["params"]>;
export type AgentResult<M extends AgentMethod> = z.infer<(typeof agentMethods)[M]["result"]>;
export type Heartbeat = AgentParams<"heartbeat">;
