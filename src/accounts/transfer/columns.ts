// The columns of accounts in files: the fields of an answer in their order, the contact's keys each on its own. An
// import reads the very columns that an export writes (rule jobs.import.1).
import { csvLine, type CsvCell } from "../../lib/csv.ts";
import { CONTACT_KEYS } from "../users/contact.ts";
import { UserView, type UserAnswer } from "../users/users.schema.ts";

/** Told by the journal, and so too slow for a million rows. */
const LEFT_OUT = ["since", "offBy"] as const;
export type FileUser = Omit<UserAnswer, (typeof LEFT_OUT)[number]>;

const FIELDS = Object.keys(UserView.shape).filter(
  (field): field is keyof FileUser => !LEFT_OUT.some((each) => each === field),
);
export const CONTACT = "contact_";
const STANDARD: readonly string[] = CONTACT_KEYS;

/** The head of a table. Contact pairs that have no column of their own are in `contact`, as JSON. */
export const COLUMNS: readonly string[] = FIELDS.flatMap((field) =>
  field === "contact" ? [field, ...CONTACT_KEYS.map((key) => `${CONTACT}${key}`)] : [field],
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
