// Folds readings of five minutes that are older than a week into readings of an hour, and forgets what is too old. Each
// commit takes some hundred rows, and deletes them with what it makes of them: whoever is killed in between goes on
// where they were.
import { ExpectationFailed, sql, type Committer, type Key, type Query, type Reader } from "../db/index.ts";
import { appended } from "./ledger.ts";
import { DAY, HOUR, Reading, type StoredReading } from "./reading.ts";
import { dayKey, hourKey, hourOf, HourReadingRows, nodeOf } from "./readings.entity.ts";

/** Days for which readings of five minutes are kept. */
export const FINE_DAYS = 7;
/** Behind every key. */
const ALL = Number.MAX_SAFE_INTEGER;
/** Rows of one commit. */
const AT_ONCE = 500;

interface FoldingPorts {
  readonly commits: Committer;
  readonly reads: Reader;
}

/** The beginning of the first hour of which readings of five minutes are kept; Unix seconds. */
export function fineSince(now: number): number {
  return Math.floor((now - FINE_DAYS * DAY) / HOUR) * HOUR;
}

/** `now`: Unix seconds; `days`: how long readings are kept, 0: not at all. */
export async function foldReadings(ports: FoldingPorts, now: number, days: number): Promise<void> {
  const since = now - days * DAY;
  await forget(ports, hoursBefore(days === 0 ? ALL : hourKey(since, 0)));
  await forget(ports, daysBefore(days === 0 ? ALL : dayKey(since, 0)));
  while (await foldSome(ports, hourKey(fineSince(now), 0)));
}

/** Folds the oldest rows before a key; tells whether there may be more. */
async function foldSome({ commits, reads }: FoldingPorts, before: Key): Promise<boolean> {
  const rows = await reads.rows(
    HourReadingRows,
    sql`select * from node_hour_readings where id < ${before} order by id limit ${AT_ONCE}`,
  );
  if (rows.length === 0) return false;
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
    if (error instanceof ExpectationFailed) return false;
    throw error;
  }
  return rows.length === AT_ONCE;
}

/** All readings of an hour as one. */
function hourly(place: number, readings: readonly StoredReading[]): StoredReading {
  const hour = new Reading();
  for (const reading of readings) hour.addStored(reading);
  return hour.stored(place);
}

const hoursBefore = (key: Key) =>
  sql`delete from node_hour_readings where id in (select id from node_hour_readings where id < ${key} order by id limit ${AT_ONCE})`;
const daysBefore = (key: Key) =>
  sql`delete from node_day_readings where id in (select id from node_day_readings where id < ${key} order by id limit ${AT_ONCE})`;

/** Carries a deletion out until it finds less than it may take. */
async function forget({ commits, reads }: FoldingPorts, some: Query): Promise<void> {
  const statement = reads.statement("readings", some);
  for (;;) {
    const [result] = await commits.execute({ name: "health.forget", statements: [statement] });
    if ((result?.count ?? 0) < AT_ONCE) return;
  }
}
