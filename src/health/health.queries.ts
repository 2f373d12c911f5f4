// A node's health in a range: its readings by their keys, added up to steps that a page can draw (rules nodes.health).
import { sql, type Reader } from "../db/index.ts";
import type { TimeRange } from "../http/index.ts";
import { fineSince } from "./folding.ts";
import type { HealthState, NodeHealth } from "./health.schema.ts";
import { DAY, HOUR, Reading, SLOT, type StoredReading } from "./reading.ts";
import { dayKey, dayOf, DayReadingRows, hourKey, hourOf, HourReadingRows } from "./readings.entity.ts";
import type { TakenReading } from "./node-watch.ts";

/** Seconds of a step; in a day in UTC there is a whole number of each. */
const STEPS = [SLOT, 900, 1800, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
/** Steps of an answer at most. */
const MOST_STEPS = 400;
/** A node that served for all but a hundredth of a step was up in it. */
const UP = 0.99;

export interface HealthQuestion extends TimeRange {
  readonly nodeId: number;
  /** Unix seconds. */
  readonly now: number;
  /** What this process saw and did not write yet. */
  readonly current: TakenReading | undefined;
}

export async function nodeHealth(reads: Reader, question: HealthQuestion): Promise<NodeHealth> {
  const { start, end, now, current } = question;
  const step = stepOf(question);
  const known = Math.min(end, now);
  const steps = new Map<number, Reading>();
  const at = (time: number): Reading | undefined => {
    if (time >= known || time + SLOT <= start) return undefined;
    const begin = time - (time % step);
    let reading = steps.get(begin);
    if (!reading) steps.set(begin, (reading = new Reading()));
    return reading;
  };
  for (const { time, reading } of await stored(reads, question)) at(time)?.addStored(reading);
  if (current) at(current.at)?.addReading(current.reading);
  const seen = [...steps].filter(([, { watched }]) => watched > 0).toSorted(([a], [b]) => a - b);
  const whole = new Reading();
  for (const [, reading] of seen) whole.addReading(reading);
  return {
    start,
    end,
    step,
    uptimePercent: whole.share === undefined ? null : Math.floor(whole.share * 10_000) / 100,
    points: seen.map(([begin, reading]) => ({ at: begin, up: shareOf(reading), ...reading.figures() })),
    bar: barOf(new Map(seen), start, known, step),
  };
}

/** The shortest step of which the range has few enough; an hour where readings of five minutes are gone. */
function stepOf({ start, end, now }: HealthQuestion): number {
  const fits = STEPS.find((step) => (end - start) / step <= MOST_STEPS) ?? DAY;
  return start < fineSince(now) ? Math.max(HOUR, fits) : fits;
}

const shareOf = (reading: Reading): number => Math.round((reading.share ?? 0) * 10_000) / 10_000;

/** The range without a hole, neighbours of one state as one. */
function barOf(steps: ReadonlyMap<number, Reading>, start: number, end: number, step: number): NodeHealth["bar"] {
  const bar: NodeHealth["bar"] = [];
  for (let begin = start - (start % step); begin < end; begin += step) {
    const state = stateOf(steps.get(begin));
    const last = bar.at(-1);
    const until = Math.min(end, begin + step);
    if (last?.state === state) last.end = until;
    else bar.push({ start: Math.max(start, begin), end: until, state });
  }
  return bar;
}

function stateOf(reading: Reading | undefined): HealthState {
  const share = reading?.share;
  if (share === undefined) return "unknown";
  if (share >= UP) return "up";
  return share === 0 ? "down" : "partial";
}

/** Rows of a range: their keys are known. */
async function stored(
  reads: Reader,
  { nodeId, start, end, now }: HealthQuestion,
): Promise<{ time: number; reading: StoredReading }[]> {
  const until = Math.min(end, now);
  const hours = keys(start, until, HOUR, (at) => hourKey(at, nodeId), now - 30 * DAY);
  const days = keys(start, until, DAY, (at) => dayKey(at, nodeId));
  const [fine, coarse] = await Promise.all([
    hours.length === 0
      ? []
      : reads.rows(HourReadingRows, sql`select * from node_hour_readings where id in (${sql.join(hours)})`),
    days.length === 0
      ? []
      : reads.rows(DayReadingRows, sql`select * from node_day_readings where id in (${sql.join(days)})`),
  ]);
  const placed = (begin: number, length: number, readings: readonly StoredReading[]) =>
    readings.map((reading) => ({ time: begin + (reading[0] ?? 0) * length, reading }));
  return [
    ...coarse.flatMap(({ id, readings }) => placed(dayOf(id), HOUR, readings)),
    ...fine.flatMap(({ id, readings }) => placed(hourOf(id), SLOT, readings)),
  ];
}

/** Keys of each hour or day of a range, without those that end before `since`. */
function keys(start: number, end: number, length: number, key: (at: number) => number, since = 0): number[] {
  const found: number[] = [];
  const from = Math.max(start, since);
  for (let at = from - (from % length); at < end; at += length) found.push(key(at));
  return found;
}
