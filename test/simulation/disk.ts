// What a simulation has on disk, as rows.
import type { EffectRow, EventRow, JournalRow, TimerRow } from "../../src/runtime/index.ts";
import { FAULT_LIMIT } from "../../src/runtime/index.ts";
import type { SimulatedDatabase } from "./database.ts";
import type { JobRow } from "./job.ts";

/** What is on disk, by job. */
export interface OnDisk {
  readonly jobs: ReadonlyMap<number, JobRow>;
  readonly journals: ReadonlyMap<number, readonly JournalRow[]>;
  readonly timers: readonly TimerRow[];
  readonly effects: readonly EffectRow[];
  readonly events: readonly EventRow[];
}

/** What may still move, by itself. */
export type Pending = Pick<OnDisk, "jobs" | "timers" | "effects">;

export function readPending(database: SimulatedDatabase): Pending {
  return {
    jobs: new Map(rowsOf<JobRow>(database, "jobs").map((job) => [job.id, job])),
    timers: rowsOf<TimerRow>(database, "timers"),
    effects: rowsOf<EffectRow>(database, "effects"),
  };
}

export function readDisk(database: SimulatedDatabase): OnDisk {
  const journals = new Map<number, JournalRow[]>();
  for (const entry of rowsOf<JournalRow>(database, "journal").toSorted((a, b) => a.seq - b.seq)) {
    const known = journals.get(entry.actorId);
    if (known) known.push(entry);
    else journals.set(entry.actorId, [entry]);
  }
  return { ...readPending(database), journals, events: rowsOf<EventRow>(database, "events") };
}

function rowsOf<R>(database: SimulatedDatabase, name: string): R[] {
  const table = database.tables.named(name);
  return database.read({ text: `select * from ${name} order by 1`, values: [] }).map((raw) => table.decode(raw) as R);
}

export const isQuarantined = (job: JobRow | undefined): boolean => job !== undefined && job.faultCount >= FAULT_LIMIT;
