// Values of a context in words that people read: what a number counts follows from the field's name in the chart.
import { formatUnit } from "../../format/durations.ts";
import type { Format } from "../../format/use-format.ts";

export type Unit = "time" | "seconds" | "milliseconds" | "bytes" | "plain";

const UNITS: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  node: { retryIn: "milliseconds", infoSeenAt: "time", periodUsed: "bytes" },
  user: {
    volume: "bytes",
    used: "bytes",
    expiry: "time",
    activatedAt: "time",
    nextReset: "time",
    firstTraffic: "time",
    duration: "seconds",
  },
};

export function unitOf(kind: string, field: string): Unit {
  const known = UNITS[kind]?.[field];
  if (known) return known;
  if (/(At|Until|Since)$/.test(field)) return "time";
  return field.endsWith("Ms") ? "milliseconds" : "plain";
}

/** As it stands in the context: what is copied. */
export function rawText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** For people; empty for what is empty. Zero is no time and no length. */
export function fieldText(value: unknown, unit: Unit, format: Format): string {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return "";
  if (typeof value === "number") return numberText(value, unit, format);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join("\n");
  return rawText(value);
}

function numberText(value: number, unit: Unit, format: Format): string {
  if (unit === "plain" || value === 0) return String(value);
  switch (unit) {
    case "time":
      return format.date(value, "precise");
    case "seconds":
      return format.duration(value);
    case "milliseconds":
      return stayText(value, format);
    case "bytes":
      return format.bytes(value);
  }
}

/** How long something took: milliseconds count below a second, tenths below ten. */
export function stayText(milliseconds: number, format: Format, display: "short" | "narrow" = "short"): string {
  const unit = (value: number, name: "second" | "millisecond", digits: number) =>
    formatUnit(value, name, format.locale, { display, digits });
  if (milliseconds < 1000) return unit(milliseconds, "millisecond", 0);
  return milliseconds < 60_000
    ? unit(milliseconds / 1000, "second", milliseconds < 10_000 ? 1 : 0)
    : format.duration(milliseconds / 1000, { display });
}
