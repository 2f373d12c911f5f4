// Quantities of bytes: in binary units, as operators buy and sell them.
import { latinDigits } from "../../lib/digits.ts";
import { numberFormat } from "./numbers.ts";

export const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
export type ByteUnit = (typeof BYTE_UNITS)[number];

/** The largest unit of which there is at least one. */
export function byteUnitOf(bytes: number): ByteUnit {
  const power = bytes < 1024 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return BYTE_UNITS[power] ?? "B";
}

export function bytesIn(bytes: number, unit: ByteUnit): number {
  return bytes / 1024 ** BYTE_UNITS.indexOf(unit);
}

/** Whole bytes of a quantity in a unit. */
export function toBytes(value: number, unit: ByteUnit): number {
  return Math.round(value * 1024 ** BYTE_UNITS.indexOf(unit));
}

/** `1.5 GiB`: three digits say enough. The unit is a wire name in every language. */
export function formatBytes(bytes: number, locale: string): string {
  let unit = byteUnitOf(bytes);
  let value = bytesIn(bytes, unit);
  // 1023.9 MiB would be shown as 1,024 MiB.
  const next = BYTE_UNITS[BYTE_UNITS.indexOf(unit) + 1];
  if (next && Math.round(value) >= 1024) [value, unit] = [1, next];
  const fraction = unit === "B" || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${numberFormat(locale, { maximumFractionDigits: fraction }).format(value)}\u00a0${unit}`;
}

/** Bytes in a second, `1.5 MiB/s`. */
export function formatRate(bytesPerSecond: number, locale: string): string {
  return `${formatBytes(bytesPerSecond, locale)}/s`;
}

const TYPED = /^([\d.,٫٬]+)\s*([kmgtp]?)i?b?$/i;

/** What a person typed (`50 GB`, `1.5g`, `200 MiB`); a bare number is in `unit`. Undefined when it says no quantity. */
export function parseBytes(typed: string, unit: ByteUnit): number | undefined {
  const match = TYPED.exec(latinDigits(typed).trim());
  if (!match) return undefined;
  const value = Number((match[1] ?? "").replaceAll(/[,٬](?=\d{3}(\D|$))/g, "").replace(/[,٫]/, "."));
  if (!Number.isFinite(value)) return undefined;
  const letter = (match[2] ?? "").toUpperCase();
  const given = BYTE_UNITS.find((name) => letter !== "" && name.startsWith(letter));
  const bytesOnly = letter === "" && /b$/i.test(typed.trim());
  const bytes = toBytes(value, given ?? (bytesOnly ? "B" : unit));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
