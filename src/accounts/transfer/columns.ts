// The columns of accounts in files: the fields of an answer in their order, the contact's keys each on its own. An
// import reads the very columns that an export writes (rule jobs.import.1).
import { z } from "zod";
import { csvLine, unmarked, type CsvCell } from "../../lib/csv.ts";
import { CONTACT_KEYS } from "../users/contact.ts";
import { UserView, type UserAnswer } from "../users/users.schema.ts";

/** Told by the journal, and so too slow for a million rows. */
const LEFT_OUT = ["since", "offBy"] as const;
export type FileUser = Omit<UserAnswer, (typeof LEFT_OUT)[number]>;

const FIELDS = Object.keys(UserView.shape).filter(
  (field): field is keyof FileUser => !LEFT_OUT.some((each) => each === field),
);
const CONTACT = "contact_";
const STANDARD: readonly string[] = CONTACT_KEYS;

/** The head of a table. Contact pairs that have no column of their own are in `contact`, as JSON. */
export const COLUMNS: readonly string[] = FIELDS.flatMap((field) =>
  field === "contact" ? [field, ...CONTACT_KEYS.map((key) => `${CONTACT}${key}`)] : [field],
);

/** What a cell of a column says; others hold JSON. */
type Kind = "text" | "number" | "boolean" | "json";

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(UserView.shape).map(([field, schema]) => {
    const { type } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const kind = type === "string" ? "text" : type === "integer" || type === "number" ? "number" : type;
    return [field, kind === "text" || kind === "number" || kind === "boolean" ? kind : "json"];
  }),
);

/** The rows of a file, in its format. */
export function fileRow(format: "csv" | "ndjson", user: FileUser): string {
  if (format === "csv") return csvLine(cellsOf(user));
  return `${JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, inOrder(user[field])])))}\n`;
}

function cellsOf(user: FileUser): CsvCell[] {
  const { contact } = user;
  return FIELDS.flatMap((field): CsvCell[] => {
    if (field !== "contact") return [cellOf(user[field])];
    const others = Object.entries(contact).filter(([key]) => !STANDARD.includes(key));
    const rest = others.length === 0 ? "" : JSON.stringify(inOrder(Object.fromEntries(others)));
    return [rest, ...CONTACT_KEYS.map((key) => contact[key] ?? "")];
  });
}

function cellOf(value: unknown): CsvCell {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  // A null is written out: an empty cell says nothing.
  return value === undefined ? "" : JSON.stringify(inOrder(value));
}

/**
 * An object with its members in the order of their names: each database keeps them in its own, and a file says the same
 * of the same account, whichever it comes from.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/**
 * The body that a row of a table says: an empty cell says nothing. What is not of its column's kind stays text, so that
 * the fields' own rules refuse it by name.
 */
export function bodyOfCells(head: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const contact: Record<string, unknown> = {};
  for (const [at, column] of head.entries()) {
    const cell = unmarked(cells[at] ?? "");
    if (cell === "") continue;
    if (column.startsWith(CONTACT)) contact[column.slice(CONTACT.length)] = cell;
    else body[column] = valueOf(KINDS.get(column) ?? "text", cell);
  }
  if (Object.keys(contact).length === 0) return body;
  const rest = body["contact"];
  return { ...body, contact: { ...(typeof rest === "object" && rest !== null ? rest : {}), ...contact } };
}

function valueOf(kind: Kind, cell: string): unknown {
  const trimmed = cell.trim();
  if (kind === "number") return /^-?\d{1,16}$/.test(trimmed) ? Number(trimmed) : cell;
  if (kind === "boolean") {
    const word = trimmed.toLowerCase();
    return word === "true" || word === "1" ? true : word === "false" || word === "0" ? false : cell;
  }
  if (kind === "text") return cell;
  try {
    return JSON.parse(cell);
  } catch {
    // Refused by the field's own rule.
    return cell;
  }
}
