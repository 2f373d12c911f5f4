// Binds the node chart to its rows: context from node and counters, deadlines of the usage limit, events as subscribers
// hear them.
import type { AnyEventObject } from "xstate";
import { NODE_CHART_VERSION, nodeMachine, nodeStatusOf } from "../../../machines/node.ts";
import type { NodeCause, NodeNotice } from "../../../machines/node-cause.ts";
import type { NodeContext, NodeEmitted, NodeFailure } from "../../../machines/node-context.ts";
import { lock, type Draft } from "../../db/index.ts";
import { cycleOfPeriod, nextBoundary, periodStart } from "../../lib/calendar.ts";
import { defineActor, type RaisedEvent, type ResidentEffect, type StoredState } from "../../runtime/index.ts";
import { StoredCause } from "../records/cause.schema.ts";
import { toldRow, untoldFields } from "../link/disclosure.ts";
import type { fleetEvents } from "../fleet.events.ts";
import { nodeCause, failuresOf } from "../records/node-trouble.ts";
import { noticesOf } from "../records/notices.ts";
import { NodeRows, NodeUsageRows, type NodeRow, type NodeUsageRow } from "../records/node.entity.ts";

const MS = 1000;

export interface NodeActorPorts {
  /** The panel's zone, in which limit periods begin (setting `timezone`). */
  timeZone(): string;
  /** Begins the link of a node; see `link.ts`. */
  readonly link: ResidentEffect["start"];
  /** Watches the node that has a node's agent; see `duplicate-agents.ts`. */
  readonly turn: ResidentEffect["start"];
}

export function defineNodeActor(ports: NodeActorPorts) {
  return defineActor<NodeRow, NodeContext>({
    kind: "node",
    description:
      "A node as the panel sees it: switched off, being reached, serving, refused by its engine, or out of reach.",
    entity: NodeRows,
    machine: nodeMachine,
    version: NODE_CHART_VERSION,
    upcasters: { 1: failuresCounted },
    locks: (id) => [lock(NodeUsageRows, id)],
    contextOf(row, stored, draft) {
      startPeriod(draft, row, ports.timeZone());
      return contextOf(row, stored, usageOf(draft, row.id), draft.time);
    },
    columnsOf: (context, state) => ({
      message: context.message,
      warnings: [...context.warnings],
      limitDisabled: state === "disabled.limit",
      fingerprint: context.fingerprint,
      coreVersion: context.coreVersion,
      nodeVersion: context.nodeVersion,
      arch: context.arch,
      setup: context.setup,
      engine: context.engine,
      infoSeenAt: context.infoSeenAt,
      troubleSince: context.troubleSince,
    }),
    rememberedOf: ({ attempt, retryIn, users, failures, failed, holder, cause, notices, unreached }) => ({
      attempt,
      retryIn,
      users,
      failures,
      failed,
      holder,
      cause,
      notices,
      unreached,
    }),
    nameOf: (row) => row.name,
    seenBy: toldRow,
    unseenBy: untoldFields,
    errorOf: ({ mstate, message }) => (mstate.startsWith("disabled.") ? "" : message),
    causeOf: ({ mstate, mctx }) =>
      mstate.startsWith("disabled.") ? undefined : StoredCause.safeParse(mctx["cause"]).data,
    attemptsOf: failuresOf,
    troubleOf: (row) => (row.troubleSince === 0 ? undefined : { since: row.troubleSince, failures: failuresOf(row) }),
    dueOf: (row, draft) => dueOf(row, usageOf(draft, row.id), draft.now, ports.timeZone()),
    derive(draft, row) {
      const usage = usageOf(draft, row.id);
      const wakeAt = row.limitBytes > 0 && !row.limitDisabled ? row.limitBytes : null;
      if (wakeAt !== usage.wakeAt) draft.update(NodeUsageRows, row.id, { wakeAt });
    },
    raisedBy: (emitted, row) => raisedBy(emitted, row),
    shown: ({
      enabled,
      message,
      warnings,
      fingerprint,
      limitDisabled,
      templateId,
      engine,
      coreVersion,
      nodeVersion,
    }) => ({
      enabled,
      message,
      warnings,
      fingerprint,
      limitDisabled,
      templateId,
      engine,
      coreVersion,
      nodeVersion,
    }),
    measured: ({ periodUsed }) => ({ periodUsed }),
    effects: { link: { mode: "resident", start: ports.link }, turn: { mode: "resident", start: ports.turn } },
    safe: ["reconnect"],
  });
}
export type NodeActor = ReturnType<typeof defineNodeActor>;

/** Version 1 counted failures for its pauses alone, and did not say what failed. */
function failuresCounted({ state, context }: StoredState): StoredState {
  const attempt = Number(context["attempt"] ?? 0);
  const failed = state === "error.mismatched" ? "mismatched" : state === "error.waiting" ? "unreachable" : "";
  return { state, context: { ...context, failures: failed === "" ? 0 : attempt, failed, holder: 0 } };
}

function usageOf(draft: Draft, id: number): Readonly<NodeUsageRow> {
  const usage = draft.find(NodeUsageRows, id);
  if (!usage) throw new Error(`node ${id} has no counters`);
  return usage;
}

function cycleOf(row: Readonly<NodeRow>) {
  return row.limitBytes > 0 ? cycleOfPeriod(row.limitPeriod, row.limitStartDay, row.limitStartMonth) : undefined;
}

/**
 * Begins a new period in the counters when the clock has passed its boundary, or clears it when there is no limit any
 * more.
 */
function startPeriod(draft: Draft, row: Readonly<NodeRow>, timeZone: string): void {
  const usage = usageOf(draft, row.id);
  if (row.limitBytes === 0) {
    if (usage.periodStart !== 0 || usage.periodUsed !== 0)
      draft.update(NodeUsageRows, row.id, { periodStart: 0, periodUsed: 0 });
    return;
  }
  const cycle = cycleOf(row);
  const start = cycle ? periodStart(cycle, draft.time, timeZone) : usage.periodStart || draft.time;
  if (usage.periodStart === 0) draft.update(NodeUsageRows, row.id, { periodStart: start });
  else if (start > usage.periodStart) draft.update(NodeUsageRows, row.id, { periodStart: start, periodUsed: 0 });
}

function contextOf(
  row: Readonly<NodeRow>,
  stored: Readonly<Record<string, unknown>>,
  usage: Readonly<NodeUsageRow>,
  now: number,
): NodeContext {
  const remembered = stored as {
    attempt?: number;
    retryIn?: number;
    users?: number;
    failures?: number;
    failed?: NodeFailure | "";
    holder?: number;
    cause?: NodeCause | null;
    notices?: NodeNotice[];
    unreached?: boolean;
  };
  return {
    now,
    enabled: row.enabled,
    licensed: true,
    limited: row.limitBytes > 0 && usage.periodUsed >= row.limitBytes,
    periodUsed: usage.periodUsed,
    message: row.message,
    warnings: row.warnings,
    fingerprint: row.fingerprint,
    attempt: remembered.attempt ?? 0,
    retryIn: remembered.retryIn ?? 0,
    troubleSince: row.troubleSince,
    failures: remembered.failures ?? 0,
    failed: remembered.failed ?? "",
    holder: remembered.holder ?? 0,
    cause: remembered.cause ?? null,
    notices: remembered.notices ?? [],
    users: remembered.users ?? 0,
    coreVersion: row.coreVersion,
    nodeVersion: row.nodeVersion,
    arch: row.arch,
    setup: row.setup,
    engine: row.engine,
    infoSeenAt: row.infoSeenAt,
    unreached: remembered.unreached ?? false,
  };
}

/** Unix milliseconds: the cap that is reached already, else the beginning of the next period. */
function dueOf(
  row: Readonly<NodeRow>,
  usage: Readonly<NodeUsageRow>,
  now: number,
  timeZone: string,
): number | undefined {
  if (row.limitBytes === 0) return undefined;
  if (!row.limitDisabled && row.enabled && usage.periodUsed >= row.limitBytes) return now;
  const cycle = cycleOf(row);
  return cycle ? nextBoundary(cycle, Math.floor(now / MS), timeZone) * MS : undefined;
}

/** What each event of a node carries. */
function raisedBy(emitted: AnyEventObject, row: Readonly<NodeRow>): RaisedEvent<keyof typeof fleetEvents> | undefined {
  const said = emitted as NodeEmitted;
  const subject = `node:${row.id}`;
  const about = { nodeId: row.id, name: row.name };
  switch (said.type) {
    case "connected":
      return { event: "node.connected", data: linkData(row), subject };
    case "disconnected": {
      const cause = nodeCause(row);
      return { event: "node.disconnected", data: { ...linkData(row), ...(cause ? { cause } : {}) }, subject };
    }
    case "limitReached":
      return {
        event: "node.limit_reached",
        data: { ...about, used: said.used, limit: row.limitBytes, period: row.limitPeriod },
        subject,
      };
  }
}

/** Data of `node.connected` and `node.disconnected`: the sentences for people, and the notices for programs. */
function linkData(row: Readonly<NodeRow>): RaisedEvent["data"] {
  const { id, name, mstate, message, warnings, mctx } = row;
  return {
    nodeId: id,
    name,
    status: nodeStatusOf(mstate),
    message,
    warnings,
    notices: noticesOf(warnings, mctx["notices"]),
  };
}
