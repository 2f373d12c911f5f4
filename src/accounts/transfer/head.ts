// The head line of a table: which column is which field (rule jobs.import.11).
import { invalid, rule } from "../../http/index.ts";
import { COLUMNS, CONTACT } from "./columns.ts";
import { ImportLine } from "./import.schema.ts";

/** Columns of a table. An export has some sixty, and other programs' tables are not five times as wide. */
const MOST_COLUMNS = 256;
/** Characters of a name that is repeated to the caller. */
const SHOWN = 64;

export interface Head {
  /** Names of fields; empty: the column is not read. */
  readonly columns: readonly string[];
  /** Columns that are no field, as they are written. */
  readonly unknown: readonly string[];
  /** Columns whose head says that an empty cell is unlimited: `volume=unlimited`, `Volume (unlimited)`. */
  readonly unlimited: readonly string[];
}

/** Spreadsheets and people write `Device limit`, `device_limit` or ` DeviceLimit`. */
const folded = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, "");

const FIELDS: ReadonlyMap<string, string> = new Map(
  [...COLUMNS, ...Object.keys(ImportLine.shape)].map((field) => [folded(field), field]),
);

/** Whether lines of JSON may have it: a field of an account, or of an export. */
export function isField(name: string): boolean {
  return FIELDS.get(folded(name)) === name;
}

/** Throws 400 for a head without `name`, with too many columns, or with one twice. */
export function readHead(cells: readonly string[] | undefined): Head {
  const written = (cells ?? []).map((cell) => cell.trim());
  if (written.length > MOST_COLUMNS) invalid("body", rule("too_many", MOST_COLUMNS));
  const read = written.map((cell) => {
    const said = /^(.*?)\s*(?:=\s*unlimited|\(\s*unlimited\s*\))$/i.exec(cell);
    return { cell, field: fieldOf(said?.[1] ?? cell), unlimited: said !== null };
  });
  const columns = read.map(({ field }) => field ?? "");
  if (!columns.includes("name")) invalid("name", rule("required", "a head line with the column name"));
  const seen = new Set<string>();
  for (const { cell, field } of read) {
    const key = field ?? cell;
    if (key !== "" && seen.has(key)) invalid(key.slice(0, SHOWN), rule("repeated"));
    seen.add(key);
  }
  return {
    columns,
    unknown: read.flatMap(({ cell, field }) => (field === undefined && cell !== "" ? [cell.slice(0, SHOWN)] : [])),
    unlimited: read.flatMap(({ field, unlimited }) => (field !== undefined && unlimited ? [field] : [])),
  };
}

function fieldOf(name: string): string | undefined {
  const field = FIELDS.get(folded(name));
  if (field !== undefined) return field;
  // A contact's own key, as it is written.
  return name.toLowerCase().startsWith(CONTACT) && name.length > CONTACT.length
    ? `${CONTACT}${name.slice(CONTACT.length)}`
    : undefined;
}
