// Writes readings: those of many nodes in one statement, each added to its node's row of the hour.
//
// Readings wait in memory while the database is away, the oldest are given up when too many wait. A statement whose
// outcome is not known is carried out again: a reading that counts twice changes no mean and no share of its time.
import { sql, StoreUnavailable, type Committer, type Query, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { HOUR, SLOT, type StoredReading } from "./reading.ts";
import { hourKey } from "./readings.entity.ts";
import type { TakenReading } from "./node-watch.ts";

/** Readings of one statement: some 250 kB. */
const AT_ONCE = 2000;
/** Readings that wait: those of ten thousand nodes for an hour and a half. */
const MOST_WAITING = 200_000;
const RETRY_MS = 5000;

interface Waiting {
  readonly id: number;
  readonly reading: StoredReading;
}

export interface LedgerPorts {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export class ReadingLedger {
  readonly #ports: LedgerPorts;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #cancel: Cancel = () => {};
  #stopped = false;

  constructor(ports: LedgerPorts) {
    this.#ports = ports;
  }

  add(readings: readonly TakenReading[]): void {
    for (const { nodeId, at, reading } of readings)
      this.#waiting.push({ id: hourKey(at, nodeId), reading: reading.stored(Math.floor((at % HOUR) / SLOT)) });
    const excess = this.#waiting.length - MOST_WAITING;
    if (excess > 0) this.#waiting.splice(0, excess);
    this.#write();
  }

  /** Resolves when nothing waits any more, or the database is away. Never rejects. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Writes what waits, once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#write();
    await this.#writing;
  }

  #write(): void {
    if (this.#writing || this.#waiting.length === 0) return;
    this.#cancel();
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#stopped)
        this.#cancel = this.#ports.clock.after(RETRY_MS, () => this.#write());
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, AT_ONCE);
      try {
        await this.#writeSome(some);
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          this.#waiting.unshift(...some);
          return;
        }
        this.#ports.onError(error);
      }
    }
  }

  async #writeSome(some: readonly Waiting[]): Promise<void> {
    const { commits, reads } = this.#ports;
    const statements = [reads.statement("readings", appended(reads, "node_hour_readings", some))];
    await commits.execute({ name: "health.readings", statements });
  }
}

const INTO = {
  node_hour_readings: sql`insert into node_hour_readings (id, readings)`,
  node_day_readings: sql`insert into node_day_readings (id, readings)`,
} as const;

/** Adds readings to their rows. A row is in the statement once, and rows are in the order of their keys. */
export function appended(reads: Reader, table: keyof typeof INTO, readings: readonly Waiting[]): Query {
  const rows = new Map<number, StoredReading[]>();
  for (const { id, reading } of readings) {
    const row = rows.get(id);
    if (row) row.push(reading);
    else rows.set(id, [reading]);
  }
  const json = JSON.stringify([...rows].toSorted(([a], [b]) => a - b).map(([id, row]) => ({ id, row })));
  const stored = sql.ref(`${table}.readings`);
  // Neither list is empty, so their texts are joined at the brackets.
  return reads.dialect === "sqlite"
    ? sql`${INTO[table]} select value->>'id', value->'row' from json_each(${json}) where true
        on conflict (id) do update set readings = substr(${stored}, 1, length(${stored}) - 1) || ',' || substr(excluded.readings, 2)`
    : sql`${INTO[table]} select v.id, v.row from json_to_recordset(${json}::json) v(id bigint, "row" jsonb) order by v.id
        on conflict (id) do update set readings = ${stored} || excluded.readings`;
}
