// Quantities, dates and counts as the visitor's language writes them. Persian has Jalali dates and its own digits.
import { shownMs } from "../../lib/moments.ts";
import { PAGE_LANGUAGES, type PageLanguage } from "./language.ts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
const DAY = 86_400;
const HOUR = 3600;

export interface Figures {
  readonly count: (value: number) => string;
  readonly bytes: (value: number) => string;
  /** Day, month and year of a moment. */
  readonly date: (seconds: number) => string;
  readonly moment: (seconds: number) => string;
  /** `30 days` */
  readonly time: (seconds: number) => string;
  /** `in 3 days`, `2 hours ago`: from `now` to the moment. */
  readonly distance: (seconds: number, now: number) => string;
}

const kept = new Map<string, Figures>();

/** Made once for each language and zone; an unknown zone is UTC. */
export function figuresIn(language: PageLanguage, timeZone: string): Figures {
  const key = `${language} ${timeZone}`;
  let figures = kept.get(key);
  if (!figures) kept.set(key, (figures = makeFigures(language, timeZone)));
  return figures;
}

function makeFigures(language: PageLanguage, timeZone: string): Figures {
  const { locale, calendar } = PAGE_LANGUAGES[language];
  const zone = timeZone === "" ? {} : { timeZone };
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", calendar, ...zone });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", calendar, ...zone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  const digits = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits }));
  const number = (value: number, fraction: number) => digits[fraction]?.format(value) ?? String(value);
  const times = (unit: "day" | "hour") => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  const [days, hours] = [times("day"), times("hour")];
  return {
    count: (value) => number(value, 0),
    bytes(value) {
      const power = value < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
      const amount = value / 1024 ** power;
      const fraction = power === 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
      return `${number(amount, fraction)}\u00a0${UNITS[power] ?? ""}`;
    },
    date: (seconds) => withoutEra(dates, seconds),
    moment: (seconds) => withoutEra(moments, seconds),
    time: (seconds) =>
      seconds >= DAY ? days.format(Math.round(seconds / DAY)) : hours.format(Math.max(1, Math.round(seconds / HOUR))),
    distance(seconds, now) {
      const away = seconds - now;
      const unit = Math.abs(away) >= DAY ? DAY : HOUR;
      const amount = Math.max(1, Math.floor(Math.abs(away) / unit)) * Math.sign(away || 1);
      return relative.format(amount, unit === DAY ? "day" : "hour");
    },
  };
}

/** The year says which calendar it is of; the era that some languages add to it is left out. */
function withoutEra(format: Intl.DateTimeFormat, seconds: number): string {
  const parts = format.formatToParts(shownMs(seconds));
  return parts
    .filter(({ type }, index) => type !== "era" && !(type === "literal" && parts[index + 1]?.type === "era"))
    .map(({ value }) => value)
    .join("");
}
