// Folds readings of five minutes that are older than a week into readings of an hour, and forgets what is too old. Each
// commit takes some hundred rows, and deletes them with what it makes of them: whoever is killed in between goes on
// where they were.
import { ExpectationFailed, inBatches, sql, sweepRows, type Key, type SweepStore } from "../db/index.ts";
import { appended } from "./reading-ledger.ts";
import { DAY, HOUR, Reading, type StoredReading } from "./reading.ts";
import { dayKey, hourKey, hourOf, HourReadingRows, nodeOf } from "./readings.entity.ts";

/** Days for which readings of five minutes are kept. */
export const FINE_DAYS = 7;
/** Behind every key. */
const ALL = Number.MAX_SAFE_INTEGER;
/** Rows of one commit. */
const AT_ONCE = 500;

/** The beginning of the first hour of which readings of five minutes are kept; Unix seconds. */
export function fineSince(now: number): number {
  return Math.floor((now - FINE_DAYS * DAY) / HOUR) * HOUR;
}

/** `now`: Unix seconds; `days`: how long readings are kept, 0: not at all. */
export async function foldReadings(store: SweepStore, now: number, days: number): Promise<void> {
  const since = now - days * DAY;
  const past = {
    node_hour_readings: days === 0 ? ALL : hourKey(since, 0),
    node_day_readings: days === 0 ? ALL : dayKey(since, 0),
  };
  for (const [table, before] of Object.entries(past)) {
    const ids = sql`select id from ${sql.table(table)} where id < ${before} order by id`;
    await sweepRows(store, { name: "health.forget", table, ids, atOnce: AT_ONCE });
  }
  await inBatches({ full: AT_ONCE }, () => foldSome(store, hourKey(fineSince(now), 0)));
}

/** Folds the oldest rows before a key; tells how many. */
async function foldSome({ commits, reads }: SweepStore, before: Key): Promise<number> {
  const rows = await reads.rows(
    HourReadingRows,
    sql`select * from node_hour_readings where id < ${before} order by id limit ${AT_ONCE}`,
  );
  if (rows.length === 0) return 0;
  const hours = rows.map(({ id, readings }) => ({
    id: dayKey(hourOf(id), nodeOf(id)),
    reading: hourly((hourOf(id) % DAY) / HOUR, readings),
  }));
  const gone = sql`delete from node_hour_readings where id in (${sql.join(rows.map(({ id }) => id))})`;
  try {
    await commits.execute({
      name: "health.fold",
      statements: [
        reads.statement("readings folded", gone, rows.length),
        reads.statement("readings of hours", appended(reads, "node_day_readings", hours)),
      ],
    });
  } catch (error) {
    // Another process folded one of them meanwhile: the rest is looked at in the next hour.
    if (error instanceof ExpectationFailed) return 0;
    throw error;
  }
  return rows.length;
}

/** All readings of an hour as one. */
function hourly(place: number, readings: readonly StoredReading[]): StoredReading {
  const hour = new Reading();
  for (const reading of readings) hour.addStored(reading);
  return hour.stored(place);
}
