// Binds the chart of resellers to their rows: limits from the operator's row, usage from its counters.
import type { AnyEventObject } from "xstate";
import {
  endedBy,
  RESELLER_CHART_VERSION,
  resellerMachine,
  type ResellerContext,
  type ResellerEmitted,
} from "../../../machines/reseller.ts";
import { AdminRows, RoleRows, type AdminRow } from "../../access/index.ts";
import { lock, type Draft } from "../../db/index.ts";
import { cycleOfAllowance, nextBoundary, periodStart } from "../../lib/calendar.ts";
import { defineActor, type RaisedEvent, type ResidentEffect } from "../../runtime/index.ts";
import { ResellerRows, ResellerUsageRows, type ResellerRow } from "../records/reseller.entity.ts";

const MS = 1000;

export interface ResellerActorPorts {
  /** The panel's zone, in which periods end. */
  readonly timeZone: () => string;
  readonly follow: ResidentEffect["start"];
}

/** What the chart adds to its own columns: the limits as the step leaves them. */
interface ResellerActorContext extends ResellerContext {
  readonly username: string;
}

export function defineResellerActor({ timeZone, follow }: ResellerActorPorts) {
  return defineActor<ResellerRow, ResellerActorContext>({
    kind: "reseller",
    description: "A reseller's allowance, and whether its accounts may be served.",
    entity: ResellerRows,
    machine: resellerMachine,
    version: RESELLER_CHART_VERSION,
    locks: (id) => [lock(AdminRows, id), lock(ResellerUsageRows, id)],
    contextOf: (row, stored, draft) => contextOf(draft, row, stored, timeZone()),
    columnsOf: ({ closedBy }) => ({ closedBy }),
    rememberedOf: ({ settled, toldVolume, toldExpiry, username }) => ({ settled, toldVolume, toldExpiry, username }),
    nameOf: ({ mctx }) => textOf(mctx["username"]),
    nameSql: "coalesce(u.mctx ->> 'username', '')",
    dueOf: (row, draft) => dueOf(draft, row),
    derive(draft, row) {
      const usage = draft.find(ResellerUsageRows, row.id);
      const limits = limitsOf(draft, row.id);
      const wakeAt = row.closedBy === "" && limits.resells && limits.volume > 0 ? limits.volume : null;
      if (usage && usage.wakeAt !== wakeAt) draft.update(ResellerUsageRows, row.id, { wakeAt });
    },
    follow(draft, emitted, row) {
      const said = emitted as ResellerEmitted;
      if (said.type === "turned") draft.update(ResellerRows, row.id, { cursor: 0 });
      if (said.type === "periodEnded") endPeriod(draft, row.id, timeZone());
    },
    raisedBy: (emitted, row) => raisedBy(emitted, row),
    shown: ({ closedBy, cursor }) => ({ closedBy, cursor }),
    measured: ({ used }) => ({ used }),
    effects: { follow: { mode: "resident", start: follow } },
    safe: ["due"],
  });
}
export type ResellerActor = ReturnType<typeof defineResellerActor>;

/** The limits of an operator; of one that is gone, or is no reseller any more, there are none. */
function limitsOf(draft: Draft, id: number) {
  const admin = draft.find(AdminRows, id);
  const role = admin && draft.find(RoleRows, admin.roleId, "read");
  const { volume = 0, expiry = 0, period = "", periodDay = 0, nextReset = 0, username = "" } = admin ?? {};
  const resells = role?.base === "resale";
  return { resells, volume, expiry, period, periodDay, periodStart: admin?.periodStart ?? 0, nextReset, username };
}

function contextOf(
  draft: Draft,
  { id, closedBy }: Readonly<ResellerRow>,
  stored: Readonly<Record<string, unknown>>,
  zone: string,
): ResellerActorContext {
  const limits = limitsOf(draft, id);
  const { resells, volume, expiry, nextReset, username } = limits;
  const next =
    limits.nextReset > 0 && limits.nextReset <= draft.time ? boundaries(limits, draft.time, zone) : undefined;
  return {
    now: draft.time,
    resells,
    volume,
    used: draft.find(ResellerUsageRows, id)?.used ?? 0,
    expiry,
    periodStart: limits.periodStart,
    nextReset,
    followingStart: next?.periodStart ?? limits.periodStart,
    followingReset: next?.nextReset ?? nextReset,
    closedBy,
    settled: stored["settled"] !== false,
    toldVolume: textOf(stored["toldVolume"]),
    toldExpiry: textOf(stored["toldExpiry"]),
    username,
  };
}

const textOf = (stored: unknown): string => (typeof stored === "string" ? stored : "");

/** The period that a moment lies in. */
function boundaries({ period, periodDay }: Pick<AdminRow, "period" | "periodDay">, now: number, zone: string) {
  const cycle = cycleOfAllowance(period, periodDay);
  if (!cycle) return { periodStart: 0, nextReset: 0 };
  return { periodStart: periodStart(cycle, now, zone), nextReset: nextBoundary(cycle, now, zone) };
}

function endPeriod(draft: Draft, id: number, zone: string): void {
  draft.update(ResellerUsageRows, id, { used: 0 });
  const admin = draft.find(AdminRows, id);
  if (admin) draft.touch(AdminRows, id, boundaries(admin, draft.time, zone));
}

/** Unix milliseconds of the earliest deadline; what is over already is due now. */
function dueOf(draft: Draft, { id, closedBy }: Readonly<ResellerRow>): number | undefined {
  const limits = limitsOf(draft, id);
  const used = draft.find(ResellerUsageRows, id)?.used ?? 0;
  const ended = endedBy({ ...limits, used, now: draft.time });
  const deadlines: number[] = [];
  if (ended !== closedBy) deadlines.push(draft.now);
  if (limits.resells && limits.expiry > draft.time) deadlines.push(limits.expiry * MS);
  if (limits.nextReset > 0) deadlines.push(limits.nextReset * MS);
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}

function raisedBy(emitted: AnyEventObject, { id, mctx }: Readonly<ResellerRow>): RaisedEvent | undefined {
  const said = emitted as ResellerEmitted;
  if (said.type !== "capReached") return undefined;
  const { reason, used, volume } = said;
  const data = { adminId: id, username: mctx["username"], reason, used, volume };
  return { event: "admin.resale_cap_reached", data, subject: `reseller:${id}` };
}
