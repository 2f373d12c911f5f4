// Lengths of time and distances from now, in words of a language.
import { numberFormat } from "./numbers.ts";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;
export type DurationUnit = (typeof UNITS)[number][0];

export interface DurationStyle {
  /** How many units are named: 2 by default, "2 hr 5 min". */
  readonly parts?: number;
  readonly display?: "narrow" | "short" | "long";
  /** The largest unit; `day` keeps "45 days" from becoming months. */
  readonly largest?: DurationUnit;
}

/** What stands between two units; a space where it is not here. */
const BETWEEN: Readonly<Record<string, string>> = { fa: " و ", zh: "" };
/** Languages whose narrow units are Latin letters. */
const NO_NARROW = new Set(["fa"]);

function languageOf(locale: string): string {
  return locale.slice(0, 2);
}

/** A number of units: "5 min". Narrow ones are letters, where the language has such. */
export function formatUnit(
  value: number,
  unit: DurationUnit | "millisecond",
  locale: string,
  {
    display = "short",
    digits = 0,
  }: { readonly display?: NonNullable<DurationStyle["display"]>; readonly digits?: number } = {},
): string {
  const unitDisplay = display === "narrow" && NO_NARROW.has(languageOf(locale)) ? "short" : display;
  return numberFormat(locale, { style: "unit", unit, unitDisplay, maximumFractionDigits: digits }).format(value);
}

/** "2 days 4 hr". Less than a second is "0 sec". */
export function formatDuration(
  seconds: number,
  locale: string,
  { parts = 2, display = "short", largest = "day" }: DurationStyle = {},
): string {
  let left = Math.max(0, Math.round(seconds));
  const words: string[] = [];
  const from = UNITS.findIndex(([unit]) => unit === largest);
  for (const [unit, length] of UNITS.slice(from)) {
    const count = unit === "second" ? left : Math.floor(left / length);
    // A gap ends it: "1 day 3 sec" says more than is meant.
    if (count === 0 && words.length > 0) break;
    if (count === 0 && unit !== "second") continue;
    words.push(formatUnit(count, unit, locale, { display }));
    left -= count * length;
    if (words.length === parts || left === 0) break;
  }
  return words.join(BETWEEN[languageOf(locale)] ?? " ");
}

/** A countdown's digits: `4:05`, `1:04:05`; days stand before. */
export function formatClock(seconds: number, locale: string): string {
  const left = Math.max(0, Math.ceil(seconds));
  const two = numberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
  const one = numberFormat(locale, { useGrouping: false });
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  const tail = `${hours > 0 ? two.format(minutes) : one.format(minutes)}:${two.format(left % 60)}`;
  return hours > 0 ? `${one.format(hours)}:${tail}` : tail;
}

/** Days say more than "next month": terms are sold in days. */
const FROM: { readonly [U in DurationUnit]?: number } = { year: 63_072_000, month: 7_862_400 };

const relatives = new Map<string, Intl.RelativeTimeFormat>();

/**
 * "5 minutes ago", "in 3 days". `delta`: seconds from now, negative in the past. A day is 24 hours: "yesterday" would
 * name another one.
 */
export function formatRelative(delta: number, locale: string, style: "long" | "short" | "narrow" = "long"): string {
  const distance = Math.abs(delta);
  // Under a second is "now".
  const numeric = distance < 1 ? "auto" : "always";
  const [unit, length] = UNITS.find(([name, each]) => distance >= (FROM[name] ?? each)) ?? (["second", 1] as const);
  const key = `${locale} ${style} ${numeric}`;
  let format = relatives.get(key);
  if (!format) relatives.set(key, (format = new Intl.RelativeTimeFormat(locale, { numeric, style })));
  // What is to come is the nearest number of units: 30 days that were sold a minute ago are "in 30 days".
  const units = delta / length;
  const text = format.format(units > 0 ? Math.round(units) : Math.trunc(units), unit);
  // CLDR has one word for the future of days and another for that of hours.
  return languageOf(locale) === "fa" ? text.replace(/بعد$/, "دیگر") : text;
}
