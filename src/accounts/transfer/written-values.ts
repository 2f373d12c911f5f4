// Numbers, sizes and dates as people and spreadsheets write them, in any digits (rule jobs.import.12). Undefined: the
// text says none.
import { jalaliMonthLength, jalaliToDay } from "../../lib/jalali.ts";
import { latinDigits } from "../../lib/digits.ts";
import { startOfDay } from "../../lib/zone.ts";

const DAY = 86_400;
/** Decimals of a number with an exponent from which on it was shortened, where it has fewer than its exponent. */
const SHORTENED = 3;
const UNITS = "kmgtp";

/** A spreadsheet showed a long number with an exponent and wrote only what it showed. */
export const CUT = "cut";

const digitsOf = (text: string) => latinDigits(text).trim().replaceAll("٫", ".").replaceAll("٬", ",");

/** `1073741824`, `1,073,741,824`, `1073741824.0`, `1.073741824E+9`. */
export function wholeNumber(text: string): number | typeof CUT | undefined {
  const typed = digitsOf(text);
  const plain = /^-?\d{1,3}(?:[, \u00a0\u202f]\d{3})+$/.test(typed) ? typed.replaceAll(/[, \u00a0\u202f]/g, "") : typed;
  const match = /^([+-]?\d{1,16})(?:\.(\d{1,16}))?(?:e([+-]?\d{1,2}))?$/i.exec(plain);
  if (!match) return undefined;
  const [, , fraction = "", exponent = "0"] = match;
  const decimals = fraction.replace(/0+$/, "").length;
  if (decimals >= SHORTENED && decimals < Number(exponent)) return CUT;
  const value = Number(plain);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** `50GB`, `50 GiB`, `1.5 TB`: in powers of 1024, as the panel shows sizes, whichever way the unit is spelled. */
export function sizeInBytes(text: string): number | undefined {
  const match = /^(\d{1,16}(?:[.,]\d{1,6})?)\s*(?:([kmgtp])i?b?|b|bytes?)$/i.exec(digitsOf(text));
  if (!match) return undefined;
  const [, amount = "", letter = ""] = match;
  const power = letter === "" ? 0 : UNITS.indexOf(letter.toLowerCase()) + 1;
  const bytes = Math.round(Number(amount.replace(",", ".")) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

export interface WrittenDate {
  /** Unix seconds at which the day begins, and its last one. */
  readonly begins: number;
  readonly ends: number;
  readonly calendar: "gregorian" | "persian";
}

/** `2026-12-31`, `2026/12/31`, and with a year below 1700 a Persian date: a day of the zone. */
export function writtenDate(text: string, timeZone: string): WrittenDate | undefined {
  const match = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/.exec(digitsOf(text));
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0] = [match[1], match[3], match[4]].map(Number);
  const calendar = year < 1700 ? "persian" : "gregorian";
  const number = calendar === "persian" ? persianDay(year, month, day) : gregorianDay(year, month, day);
  if (number === undefined) return undefined;
  return { begins: startOfDay(number, timeZone), ends: startOfDay(number + 1, timeZone) - 1, calendar };
}

function persianDay(year: number, month: number, day: number): number | undefined {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= jalaliMonthLength(year, month);
  return exists ? jalaliToDay({ year, month, day }) : undefined;
}

function gregorianDay(year: number, month: number, day: number): number | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.getTime() / 1000 / DAY : undefined;
}
