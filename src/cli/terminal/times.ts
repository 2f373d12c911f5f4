// Moments and spans in words, in the machine's own zone. Unix seconds in, text out.

import { shownMs } from "../../lib/moments.ts";

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** `4 s`, `12 min 3 s`, `3 d 4 h`: the two largest units that say something. */
export function span(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([, size]) => left >= size);
  if (first === -1) return "0 s";
  const said: string[] = [];
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const whole = Math.floor(left / size);
    left -= whole * size;
    if (whole > 0) said.push(`${whole} ${name}`);
  }
  return said.join(" ");
}

/** A span that may be shorter than a second. */
export function shortSpan(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : span(ms / 1000);
}

/** `in 9 s`, or `now` where the moment has come. */
export function until(moment: number, now: number): string {
  return moment > now ? `in ${span(moment - now)}` : "now";
}

/** `15:42:01` for a moment of today, else with its date. */
export function clockTime(moment: number, now: number): string {
  const at = new Date(shownMs(moment));
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now * 1000).toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}
