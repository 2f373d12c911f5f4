// Tables of the fleet: nodes, their counters, how far each agent's ledger was counted, and the panel's identity towards
// agents.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";
import type { LiveFigures } from "../../protocol/messages.ts";
import { LINE_MINUTE_MS } from "./line-credit.ts";
import type { RefusalCode } from "./usage-refusal.schema.ts";
import { actorColumns, actorIndexes } from "../../runtime/index.ts";

export const NodeRows = entity(
  defineEntity({
    name: "Node",
    tableName: "nodes",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      ...actorColumns(),
      name: p.text(),
      address: p.text(),
      port: p.bigint("number"),
      remark: p.text(),
      linkAddress: p.text(),
      isLocal: p.boolean(),
      routing: p.json<Record<string, unknown>>().nullable(),
      templateId: p.bigint("number").nullable(),
      /** Traffic multiplier of users in millionths; 0 counts as 1. */
      multiplierMicros: p.bigint("number"),
      enabled: p.boolean(),
      limitBytes: p.bigint("number"),
      limitPeriod: p.text(),
      limitStartDay: p.bigint("number"),
      limitStartMonth: p.bigint("number"),
      fallbackCertMode: p.text(),
      fallbackCertId: p.bigint("number").nullable(),
      sshHost: p.text(),
      sshPort: p.bigint("number"),
      sshUser: p.text(),
      sshKeyId: p.bigint("number").nullable(),
      sshKeyInstalled: p.boolean(),
      /** Written by the chart, from here on. */
      limitDisabled: p.boolean(),
      message: p.text(),
      warnings: p.json<string[]>(),
      fingerprint: p.text(),
      coreVersion: p.text(),
      nodeVersion: p.text(),
      arch: p.text(),
      setup: p.text(),
      /** Kind of the engine that the agent runs. */
      engine: p.text(),
      infoSeenAt: p.bigint("number"),
      /** Since when it does not serve although it should, Unix seconds; 0 while it does, or is off. */
      troubleSince: p.bigint("number").default(0),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
    indexes: [...actorIndexes("nodes"), { properties: ["templateId"] }],
  }),
);
export type NodeRow = RowOf<typeof NodeRows>;

export const NodeUsageRows = entity(
  defineEntity({
    name: "NodeUsage",
    tableName: "node_usage",
    properties: {
      /** The node's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Raw bytes, no multiplier. */
      up: p.bigint("number"),
      down: p.bigint("number"),
      /** Raw bytes of the current limit period. */
      periodUsed: p.bigint("number"),
      /** Unix seconds; 0 without an active limit. */
      periodStart: p.bigint("number"),
      /** `periodUsed` from which the node's actor must look; null = never. Kept by the actor. */
      wakeAt: p.bigint("number").nullable(),
      /** Unix milliseconds of the last batch, 0 = none yet; moves with every count of the node. */
      countedAt: p.bigint("number").default(0),
      /** Unix milliseconds: what the node was given since then it may still tell of. See `usage-judge.ts`. */
      givenSince: p.bigint("number").default(0),
      /** Unix milliseconds: the time of the node's line since then is not used up. See `line-credit.ts`. */
      lineFrom: p.bigint("number").default(0),
      /** Unix milliseconds of the last usage that was refused, 0 = none lately; and of the last event about it. */
      refusedAt: p.bigint("number").default(0),
      refusalToldAt: p.bigint("number").default(0),
    },
  }),
);
export type NodeUsageRow = RowOf<typeof NodeUsageRows>;

/**
 * Counters of a node that is added now (Unix milliseconds): it was given nothing before, and its line has the minute
 * that every line has.
 */
export function freshCounters(id: number, now: number): NodeUsageRow {
  const none = {
    up: 0,
    down: 0,
    periodUsed: 0,
    periodStart: 0,
    wakeAt: null,
    countedAt: 0,
    refusedAt: 0,
    refusalToldAt: 0,
  };
  return { id, ...none, givenSince: now, lineFrom: now - LINE_MINUTE_MS };
}

/**
 * What nodes said last, for the processes that do not hold their links. Written on shared databases only; counters and
 * figures, no actor's state.
 */
export const NodeLiveRows = entity(
  defineEntity({
    name: "NodeLive",
    tableName: "node_live",
    properties: {
      /** The node's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Token of the link that received it: an older holder never overwrites a newer one's value. */
      fence: p.bigint("number"),
      /** Unix milliseconds by the database's clock, of the write. */
      writtenAt: p.bigint("number"),
      /** Unix seconds by the holder's clock, of the heartbeat. */
      at: p.bigint("number"),
      online: p.bigint("number"),
      figures: p.json<LiveFigures>(),
    },
  }),
);

/**
 * What agents acknowledged last, as the holders of their links heard it: written soon after a change of the structure
 * and when a link ends, seldom after changes of users. See `live/progress.ts`.
 */
export const NodeProgressRows = entity(
  defineEntity({
    name: "NodeProgress",
    tableName: "node_progress",
    properties: {
      /** The node's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Token of the link that heard it: an older holder never overwrites a newer one's value. */
      fence: p.bigint("number"),
      /** Number of the newest state that was given to the agent, taken or not. */
      revision: p.bigint("number"),
      /** Number of the state that the agent acknowledged. */
      applied: p.bigint("number"),
      /** Unix seconds by the holder's clock. */
      appliedAt: p.bigint("number"),
      /** Digests of what the agent acknowledged. */
      structure: p.text(),
      users: p.text(),
    },
  }),
);
export type NodeProgressRow = RowOf<typeof NodeProgressRows>;

/**
 * Usage that was not counted: what a node told of one account in one batch. `userId` 0: of all further accounts
 * together.
 */
export const UsageRefusalRows = entity(
  defineEntity({
    name: "UsageRefusal",
    tableName: "usage_refusals",
    properties: {
      /** Given by the database. */
      id: p.bigint("number").primary(),
      nodeId: p.bigint("number"),
      /** Unix seconds. */
      at: p.bigint("number"),
      code: p.text().$type<RefusalCode>(),
      userId: p.bigint("number"),
      /** Raw bytes, as the node told them. */
      up: p.bigint("number"),
      down: p.bigint("number"),
    },
    indexes: [{ properties: ["nodeId", "id"] }, { properties: ["at"] }],
  }),
);
export type UsageRefusalRow = RowOf<typeof UsageRefusalRows>;

export const UsageCursorRows = entity(
  defineEntity({
    name: "UsageCursor",
    tableName: "usage_cursors",
    properties: {
      /** `nodeId:bootId` of the agent's ledger. */
      id: p.text().primary(),
      nodeId: p.bigint("number"),
      /** Highest batch counted. */
      seq: p.bigint("number"),
    },
  }),
);

/** When each ledger of an agent began; see `ledgers.ts`. */
export const UsageLedgerRows = entity(
  defineEntity({
    name: "UsageLedger",
    tableName: "usage_ledgers",
    properties: {
      /** `nodeId:bootId`, as in `usage_cursors`. */
      id: p.text().primary(),
      nodeId: p.bigint("number"),
      /** Unix milliseconds. */
      begunAt: p.bigint("number"),
    },
    indexes: [{ properties: ["nodeId", "begunAt"] }],
  }),
);

export const LinkIdentityRows = entity(
  defineEntity({
    name: "LinkIdentity",
    tableName: "link_identities",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      /** PEM that agents trust as the panel. */
      certificate: p.text(),
      /** PEM, sealed. */
      privateKey: sealedText(),
      createdAt: p.bigint("number"),
    },
  }),
);
