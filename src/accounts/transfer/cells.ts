// The body that a row of a table says (rules jobs.import.11, jobs.import.12): each cell by the kind of its field. A
// cell that does not fit is told with what was read, and the field is left out.
import { z } from "zod";
import { rule, type Rule } from "../../http/index.ts";
import { unmarked } from "../../lib/csv.ts";
import { latinDigits } from "../../lib/digits.ts";
import { LATEST } from "../../lib/moments.ts";
import { zoneName } from "../../lib/zone.ts";
import { UserView } from "../users/users.schema.ts";
import { CONTACT } from "./columns.ts";
import { ImportLine, type EmptyCells } from "./import.schema.ts";
import { CUT, sizeInBytes, wholeNumber, writtenDate } from "./written-values.ts";

/** What a cell of a column says; others hold JSON. */
type Kind = "text" | "number" | "boolean" | "json";

const described = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

function kindOf(schema: z.ZodType): Kind {
  const { type } = described(schema);
  if (type === "string") return "text";
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? type : "json";
}

const SHAPE = { ...ImportLine.shape, ...UserView.shape };
const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(SHAPE).map(([field, schema]) => [field, kindOf(schema)]),
);
/** Fields that an import takes over; a cell of another one is never wrong. */
const TAKEN: ReadonlySet<string> = new Set(Object.keys(ImportLine.shape));
/** Moments, by their bound. */
const DATES: ReadonlySet<string> = new Set(
  Object.entries(ImportLine.shape).flatMap(([field, schema]) => (described(schema).maximum === LATEST ? [field] : [])),
);
const SIZES: ReadonlySet<string> = new Set(["volume", "speedLimit"]);
/** In these 0 is unlimited, and so an empty cell may be a mistake. */
export const LIMITS = ["volume", "expiry", "deviceLimit", "ipLimit"] as const;
const isLimit = (field: string): boolean => LIMITS.some((each) => each === field);
const UNLIMITED = /^(unlimited|never|∞|نامحدود)$/i;

export interface CellReading {
  /** Time zone in which dates are read: the panel's. */
  readonly timeZone: string;
  readonly empty: EmptyCells;
  /** Columns in which an empty cell is unlimited, whatever `empty` says. */
  readonly unlimited: readonly string[];
}

/** What was taken for something that the cell does not say by itself. */
export interface Assumption {
  readonly field: string;
  readonly code: "empty_unlimited" | "absent_unlimited" | "date" | "persian_date" | "size_1024";
  /** The zone of a date, else empty. */
  readonly value: string;
}

export interface ReadCells {
  readonly body: Readonly<Record<string, unknown>>;
  readonly problems: readonly { readonly field: string; readonly broken: Rule }[];
  readonly assumed: readonly Assumption[];
}

export function bodyOfCells(head: readonly string[], cells: readonly string[], reading: CellReading): ReadCells {
  const body: Record<string, unknown> = {};
  const contact: Record<string, unknown> = {};
  const problems: { field: string; broken: Rule }[] = [];
  const assumed: Assumption[] = [];
  const empty: string[] = [];
  for (const [at, column] of head.entries()) {
    const cell = unmarked(cells[at] ?? "");
    if (column === "") continue;
    if (cell.trim() === "" && (cell === "" || isLimit(column))) empty.push(column);
    else if (column.startsWith(CONTACT)) contact[column.slice(CONTACT.length)] = cell;
    else {
      const { value, broken, assumption } = valueOf(column, cell, reading.timeZone);
      if (broken) problems.push({ field: column, broken });
      else body[column] = value;
      if (assumption) assumed.push({ field: column, ...assumption });
    }
  }
  for (const field of LIMITS.filter((each) => empty.includes(each) && !isSaidElsewhere(each, body))) {
    if (reading.empty === "refuse" && !reading.unlimited.includes(field))
      problems.push({ field, broken: rule("empty_limit") });
    else assumed.push({ field, code: "empty_unlimited", value: "" });
  }
  if (Object.keys(contact).length === 0) return { body, problems, assumed };
  const rest = body["contact"];
  const merged = { ...(typeof rest === "object" && rest !== null ? rest : {}), ...contact };
  return { body: { ...body, contact: merged }, problems, assumed };
}

/** A plan says all limits, a length from the first use the end. */
function isSaidElsewhere(field: string, { planId, duration }: Readonly<Record<string, unknown>>): boolean {
  if (typeof planId === "number" && planId > 0) return true;
  return field === "expiry" && typeof duration === "number" && duration > 0;
}

interface Read {
  readonly value?: unknown;
  readonly broken?: Rule;
  readonly assumption?: Omit<Assumption, "field">;
}

function valueOf(column: string, cell: string, timeZone: string): Read {
  const kind = KINDS.get(column) ?? "text";
  if (kind === "text") return { value: cell };
  if (kind === "json") return { value: jsonOf(cell) };
  const trimmed = cell.trim();
  if (kind === "boolean") {
    const word = latinDigits(trimmed).toLowerCase();
    if (word === "true" || word === "1") return { value: true };
    if (word === "false" || word === "0") return { value: false };
    return TAKEN.has(column) ? { broken: rule("choice", "true", "false") } : { value: cell };
  }
  const number = wholeNumber(trimmed);
  if (typeof number === "number") return { value: number };
  if (!TAKEN.has(column)) return { value: cell };
  if (number === CUT) return { broken: rule("cut_digits") };
  if ((isLimit(column) || SIZES.has(column)) && UNLIMITED.test(trimmed)) return { value: 0 };
  if (DATES.has(column)) return dateOf(column, trimmed, timeZone);
  if (SIZES.has(column)) {
    const bytes = sizeInBytes(trimmed);
    return bytes === undefined
      ? { broken: rule("size") }
      : { value: bytes, assumption: { code: "size_1024", value: "" } };
  }
  return { broken: rule("whole_number") };
}

/** An end is that of its day, every other moment the day's beginning. */
function dateOf(column: string, cell: string, timeZone: string): Read {
  const date = writtenDate(cell, timeZone);
  if (!date) return { broken: rule("date") };
  const code = date.calendar === "persian" ? "persian_date" : "date";
  return { value: column === "expiry" ? date.ends : date.begins, assumption: { code, value: zoneName(timeZone) } };
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    // Refused by the field's own rule.
    return cell;
  }
}
