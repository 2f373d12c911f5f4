// The wire form of nodes.
import { isIPv6 } from "node:net";
import { z } from "zod";
import { ShownCause } from "../records/cause.schema.ts";
import { ShownNotice } from "../records/notice.schema.ts";
import { notice, noticesOf } from "../records/notices.ts";
import { count, integer, line, rule, version } from "../../http/index.ts";
import { nodeStatusOf } from "../../../machines/node.ts";
import { failuresOf, nextAttemptAt, nodeCause } from "../records/node-trouble.ts";
import type { LastWord, LiveNode } from "../live/live-nodes.ts";
import { unacknowledged, type NodeProgress } from "../records/node-progress.ts";
import type { NodeRow, NodeUsageRow } from "../records/node.entity.ts";

const MICRO = 1_000_000;
const json = z.record(z.string(), z.unknown());
/** A colon is part of an IPv6 address alone: clients get the port of each inbound behind it. */
const isAddress = (text: string): boolean => /^[\p{L}\p{N}._-]+$/u.test(text) || isIPv6(text);
const address = line(253).refine(isAddress, rule("host"));
/** Entries `address` or `label|address` between commas; none is empty. */
const linkAddress = line(2000).refine(
  (value) =>
    value === "" ||
    value
      .split(",")
      .map((entry) => entry.slice(entry.lastIndexOf("|") + 1).trim())
      .every((entry) => isAddress(entry.replace(/^\[(.*:.*)\]$/, "$1"))),
  rule("client_addresses"),
);
const port = z.int().min(1).max(65_535);
const limitPeriod = z.enum(["", "weekly", "monthly", "yearly"]);

/** What a person may write of a node. On POST, absent fields take their defaults; on PUT they keep their value. */
const fields = {
  name: line(128).min(1),
  address,
  port,
  remark: line(1000),
  linkAddress,
  isLocal: z.boolean(),
  routing: json.nullable(),
  /** References: 0 is written as none. */
  templateId: count.nullable(),
  multiplier: z.number().min(0).max(1000),
  enabled: z.boolean(),
  limitBytes: count,
  limitPeriod,
  limitStartDay: z.int().min(0).max(31),
  limitStartMonth: z.int().min(0).max(12),
  fallbackCertMode: z.enum(["", "node", "panel"]),
  fallbackCertId: count.nullable(),
  sshHost: line(253),
  sshPort: z.int().min(0).max(65_535),
  sshUser: line(64),
  sshKeyId: count.nullable(),
};
export const NodeWrite = z.object(fields).partial().meta({ id: "NodeWrite" });
export type NodeWrite = z.output<typeof NodeWrite>;
/** Body of a PUT. */
export const NodeUpdate = NodeWrite.extend({ version }).meta({ id: "NodeUpdate" });
export const NodeCreate = z
  .object({ ...z.object(fields).partial().shape, name: fields.name, address: fields.address, port: fields.port })
  .meta({ id: "NodeCreate" });

export const NodeMove = z
  .object({
    address,
    port: port.optional(),
    sshHost: fields.sshHost.optional(),
    sshPort: fields.sshPort.optional(),
    sshUser: fields.sshUser.optional(),
  })
  .meta({ id: "NodeMove" });

const Live = z
  .object({
    at: count,
    uptime: count.optional(),
    load1: z.number().optional(),
    load5: z.number().optional(),
    load15: z.number().optional(),
    cpuPercent: z.number().optional(),
    memoryUsed: count.optional(),
    memoryTotal: count.optional(),
    diskUsed: count.optional(),
    diskTotal: count.optional(),
    connections: count.optional(),
    upRate: count.optional(),
    downRate: count.optional(),
    engineRestarts: count.optional(),
    rejected: z.record(z.string(), count).optional(),
  })
  .meta({ id: "NodeLive" });

export const SERVES = ["yes", "no", "unknown"] as const;
type Serves = (typeof SERVES)[number];

export const NodeView = z
  .object({
    ...fields,
    id: integer,
    licensed: z.boolean(),
    status: z.enum(["connecting", "connected", "error", "disabled"]),
    message: z.string(),
    warnings: z.array(z.string()),
    /** The warnings for programs, in their order; `values` belong to the code. */
    notices: z.array(ShownNotice),
    coreVersion: z.string(),
    limitDisabled: z.boolean(),
    periodUsed: count,
    periodStart: count,
    online: count.optional(),
    live: Live.optional(),
    up: count,
    down: count,
    sshKeyInstalled: z.boolean(),
    setup: z.string(),
    arch: z.string(),
    nodeVersion: z.string(),
    infoSeenAt: count,
    /** Unix seconds of the last word of its agent, and the users who were online by it; 0: none was heard. */
    heardAt: count,
    heardOnline: count,
    /** Unix seconds of the last traffic that it told of; 0: none. */
    usedAt: count,
    /** Whether it serves, apart from whether the panel reaches it. */
    serves: z.enum(SERVES),
    lastStatusChange: count,
    /**
     * Since when it stands as it does, Unix seconds. Of a node that does not serve although it should: since when,
     * whatever was tried meanwhile.
     */
    since: count,
    /** Failed attempts since then. */
    attempts: count,
    /** Unix seconds of the next attempt; 0: there is none. */
    nextAttemptAt: count,
    /** Number of the state that it should run: another one than `applied` while its agent lacks something. */
    revision: count,
    /** Number of the state that its agent acknowledged last, and when, Unix seconds; 0: it has none. */
    applied: count,
    appliedAt: count,
    /**
     * What keeps it from serving; null while nothing does. `values` belong to the code: of `duplicate` id, name and
     * address of the node that has the agent.
     */
    cause: ShownCause.nullable(),
    createdAt: count,
    updatedAt: count,
    /** Fields whose stored value is refused when it is written today; nodes do not run it. */
    forbidden: z.array(z.string()),
  })
  .meta({ id: "Node" });

/** Stands with the engine's warnings for a day after usage of the node was refused. */
const USAGE_REFUSED = notice(
  "usage_refused",
  [],
  "usage that the node told of was refused in the last day: see its usage refusals",
);

/**
 * A node as callers see it. Without an active limit the period's figures read 0. `forbidden`: what of its routing would
 * be refused today.
 */
export function nodeView(
  row: NodeRow,
  usage: Pick<NodeUsageRow, "up" | "down" | "periodUsed" | "periodStart" | "refusedAt" | "countedAt">,
  live: LiveNode | undefined,
  last: LastWord | undefined,
  progress: NodeProgress,
  forbidden: readonly string[],
): z.input<typeof NodeView> {
  const remembered = noticesOf(row.warnings, row.mctx["notices"]);
  const notices = usage.refusedAt > 0 ? [...remembered, USAGE_REFUSED] : remembered;
  const limited = row.limitBytes > 0;
  const usedAt = Math.floor(usage.countedAt / 1000);
  // What another machine said before a move is no word of this one.
  const heard = row.infoSeenAt === 0 ? undefined : (live ?? last);
  const { revision, applied, appliedAt } = row.infoSeenAt === 0 ? unacknowledged(progress) : progress;
  return {
    id: row.id,
    licensed: true,
    name: row.name,
    address: row.address,
    port: row.port,
    status: nodeStatusOf(row.mstate),
    message: row.mstate === "linked.connected" ? "" : row.message,
    warnings: notices.map(({ detail }) => detail),
    notices,
    remark: row.remark,
    linkAddress: row.linkAddress,
    isLocal: row.isLocal,
    routing: row.routing,
    coreVersion: row.coreVersion,
    templateId: row.templateId,
    multiplier: row.multiplierMicros / MICRO,
    enabled: row.enabled,
    limitBytes: row.limitBytes,
    limitPeriod: limitPeriod.parse(row.limitPeriod),
    limitStartDay: row.limitStartDay,
    limitStartMonth: row.limitStartMonth,
    limitDisabled: row.limitDisabled,
    periodUsed: limited ? usage.periodUsed : 0,
    periodStart: limited ? usage.periodStart : 0,
    ...(live ? { online: live.online, live: { ...live.figures, at: live.at } } : {}),
    fallbackCertMode: fields.fallbackCertMode.parse(row.fallbackCertMode),
    fallbackCertId: row.fallbackCertId,
    up: usage.up,
    down: usage.down,
    sshHost: row.sshHost,
    sshPort: row.sshPort,
    sshUser: row.sshUser,
    sshKeyId: row.sshKeyId,
    sshKeyInstalled: row.sshKeyInstalled,
    setup: row.setup,
    arch: row.arch,
    nodeVersion: row.nodeVersion,
    infoSeenAt: row.infoSeenAt,
    heardAt: row.infoSeenAt === 0 ? 0 : Math.max(row.infoSeenAt, heard?.at ?? 0, usedAt),
    heardOnline: heard?.online ?? 0,
    usedAt,
    serves: servesOf(row),
    lastStatusChange: Math.floor(row.msince / 1000),
    since: row.troubleSince || Math.floor(row.msince / 1000),
    attempts: failuresOf(row),
    nextAttemptAt: nextAttemptAt(row),
    revision,
    applied,
    appliedAt,
    cause: nodeCause(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    forbidden: [...forbidden],
  };
}

/**
 * Whether a node serves, as far as its agent said so. One whose link is gone may serve on with what it was told last,
 * and one whose engine refuses may run what it ran before.
 */
function servesOf({ mstate, mctx, infoSeenAt, templateId }: Readonly<NodeRow>): Serves {
  if (infoSeenAt === 0) return "no";
  if (mstate.startsWith("disabled.")) return mctx["unreached"] === true ? "unknown" : "no";
  if (mstate !== "linked.connected") return "unknown";
  return templateId === null ? "no" : "yes";
}

/** The multiplier as it is stored. */
export function microsOf(multiplier: number): number {
  return Math.round(multiplier * MICRO);
}
