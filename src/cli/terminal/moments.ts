// Times as people type them: a time ago, a time of day, a date. In the time zone of the terminal.

const AGO: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** For help texts. */
export const MOMENTS = "30m, 2h, 3d (ago), 15:10, today, yesterday, 'yesterday 15:10', '2026-03-21 15:10'";

/** Unix seconds. A time of day is the last one that has come. Throws a sentence that names `option`. */
export function parseMoment(text: string, option: string, now = new Date()): number {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return seconds(now) - Number(ago[1]) * (AGO[ago[2] ?? ""] ?? 0);
  if (/^\d{9,11}$/.test(text)) return Number(text);
  const [, day = "", time = ""] =
    /^(\d{4}-\d\d-\d\d|today|yesterday)?(?:(?:^|[ T])(\d\d?:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  const moment = day === "" && time === "" ? undefined : momentOf(day, time, now);
  if (moment === undefined) throw new Error(`${option} is none of ${MOMENTS}`);
  return moment;
}

/** Undefined: there is no such day or time. */
function momentOf(day: string, time: string, now: Date): number | undefined {
  const [hours = 0, minutes = 0, secs = 0] = time.split(":").map(Number);
  const [year, month, date] = day.includes("-")
    ? day.split("-").map(Number)
    : [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const back = day === "yesterday" ? 1 : 0;
  const at = new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) - back, hours, minutes, secs);
  const isThere =
    hours < 24 && minutes < 60 && secs < 60 && (back === 1 || (at.getMonth() + 1 === month && at.getDate() === date));
  if (!isThere) return undefined;
  // A bare time that is still to come today was meant of yesterday.
  if (day === "" && at > now) at.setDate(at.getDate() - 1);
  return seconds(at);
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
