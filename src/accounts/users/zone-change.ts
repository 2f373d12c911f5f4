// Calendar cycles after a change of the panel's zone: their boundaries are midnights of that zone, so the stored dates
// move to the same midnights of the new one, at the start that adopts it (rule users.reset.9).
import { setTimeout as pause } from "node:timers/promises";
import { Facts, lock, sql, type Committer, type Reader } from "../../db/index.ts";
import { AdminRows, type AdminRow } from "../../access/index.ts";
import type { SettingsReader } from "../../feature/index.ts";
import { systemOrigin } from "../../lib/origin.ts";
import { cycleOfAllowance, cycleOfReset, nextBoundary, periodStart, type Cycle } from "../../lib/calendar.ts";
import { DUE, wakeActors } from "../../runtime/index.ts";
import { SettingRows, writeSetting } from "../../system/index.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";

/** The setting that keeps the zone in which the stored dates are; empty before the first start that knows of it. */
export const CYCLES_ZONE = "cycles_zone";

const MS = 1000;
/** Accounts of a step, which is one transaction. */
const STEP = 1000;
/** Between steps, so that others' changes find room. */
const PAUSE_MS = 10;
/** No two zones are further apart, in seconds. */
const APART = 27 * 3600;

export interface ZoneChangeDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Unix seconds. */
  readonly now: () => number;
  readonly settings: Pick<SettingsReader<never>, "entry">;
}

/** The setting is no secret: nothing is sealed. */
const NO_KEY = new Uint8Array();

interface Zones {
  readonly from: string;
  readonly to: string;
}

interface Moved {
  readonly id: number;
  readonly old: number;
  readonly next: number;
}

/**
 * Where a boundary is in the other zone; undefined for a date that is none (an import brought it), and for one that
 * stays. It may have passed there already: then it is due.
 */
export function boundaryIn({ from, to }: Zones, cycle: Cycle | undefined, stored: number): number | undefined {
  if (!cycle || cycle.kind === "rolling" || nextBoundary(cycle, stored - 1, from) !== stored) return undefined;
  // The first after it: no cycle has two boundaries as near to each other.
  const moved = nextBoundary(cycle, stored - APART, to);
  return moved === stored ? undefined : moved;
}

/**
 * Moves all stored dates from the zone in which they are. Its steps are repeated after a kill: dates that moved are no
 * boundaries of the old zone, or stay. Ends early when `signal` does.
 */
export async function changeZone(deps: ZoneChangeDeps, zones: Zones, signal: AbortSignal): Promise<void> {
  if (zones.from !== "" && zones.from !== zones.to) {
    await moveAllowances(deps, zones);
    for (let after = 0; ;) {
      if (signal.aborted) return;
      const rows = await deps.reads.rows(
        UserRows,
        sql`select * from users where id > ${after} and auto_reset and reset_period <> '' and next_reset > 0 order by id limit ${STEP}`,
        { scans: true },
      );
      await moveAccounts(deps, movedOf(rows, zones));
      if (rows.length < STEP) break;
      after = rows.at(-1)?.id ?? after;
      await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  await deps.commits.submit({
    name: "cycles.zone",
    locks: [lock(SettingRows, CYCLES_ZONE)],
    decide(draft) {
      if (draft.find(SettingRows, CYCLES_ZONE)?.value === zones.to) return;
      // Nobody wrote it: it is told to nobody.
      const silent = { settings: deps.settings, outbox: { raise: () => {} }, secretKey: NO_KEY, privatePlaces: [] };
      writeSetting(draft, silent, { key: CYCLES_ZONE, value: zones.to, origin: systemOrigin("start") });
    },
  });
}

function movedOf(rows: readonly UserRow[], zones: Zones): Moved[] {
  return rows.flatMap((row) => {
    const next = boundaryIn(zones, cycleOfReset(row, row.nextReset), row.nextReset);
    return next === undefined ? [] : [{ id: row.id, old: row.nextReset, next }];
  });
}

/** One statement for all: what another change wrote meanwhile stays. */
async function moveAccounts({ commits, reads, now }: ZoneChangeDeps, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  const { dialect } = reads;
  const json = JSON.stringify(moved);
  const values =
    dialect === "sqlite"
      ? sql`(select value->>'id' as id, value->>'old' as old, value->>'next' as next from json_each(${json})) v`
      : sql`json_to_recordset(${json}::json) v(id bigint, old bigint, next bigint)`;
  const later =
    dialect === "sqlite" ? sql`max(updated_at + 1, ${now()})` : sql`greatest(updated_at + 1, ${now()}::bigint)`;
  const update = sql`update users set next_reset = v.next, updated_at = ${later}
    from ${values} where users.id = v.id and users.next_reset = v.old`;
  const ids = sql.join(moved.map(({ id }) => id));
  const held = sql`select id from users where id in (${ids}) order by id for update`;
  // A date that comes later is looked at once in vain; an earlier one has to be looked at in time.
  const earlier = Map.groupBy(
    moved.filter(({ old, next }) => next < old),
    ({ next }) => next,
  );
  const woken = [...earlier].map(([next, group]) => {
    const among = sql`select id from users where id in (${sql.join(group.map(({ id }) => id))}) order by id`;
    return reads.statement("due accounts", wakeActors(dialect, "user", among, next * MS));
  });
  await commits.execute({
    name: "cycles.move",
    statements: [
      ...(dialect === "sqlite" ? [] : [reads.statement("held", held)]),
      reads.statement("accounts", update),
      ...woken,
    ],
    facts: new Facts().add(DUE, true),
  });
}

/** Operators are few. Their allowances' charts look again at what their rows say. */
async function moveAllowances({ commits, reads }: ZoneChangeDeps, zones: Zones): Promise<void> {
  const admins = await reads.rows(AdminRows, sql`select * from admins where period <> '' and next_reset > 0`);
  for (const { id } of admins) {
    await commits.submit({
      name: "allowances.move",
      locks: [lock(AdminRows, id)],
      decide(draft) {
        const admin = draft.find(AdminRows, id);
        const next = admin && allowanceIn(zones, admin);
        if (next) draft.touch(AdminRows, id, next);
      },
    });
  }
  const ids = admins.map(({ id }) => id);
  if (ids.length === 0) return;
  const among = sql`select id from resellers where id in (${sql.join(ids)}) order by id`;
  const { dialect } = reads;
  await commits.execute({
    name: "allowances.look",
    statements: [reads.statement("due resellers", wakeActors(dialect, "reseller", among, 0))],
    facts: new Facts().add(DUE, true),
  });
}

function allowanceIn(zones: Zones, { period, periodDay, nextReset }: AdminRow) {
  const cycle = cycleOfAllowance(period, periodDay);
  const moved = boundaryIn(zones, cycle, nextReset);
  return !cycle || moved === undefined
    ? undefined
    : { nextReset: moved, periodStart: periodStart(cycle, moved - 1, zones.to) };
}
