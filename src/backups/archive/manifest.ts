// What an archive says of itself, in its first member.
import { z } from "zod";
import { malformed } from "./archive-error.ts";

/** The format that this version writes. It reads no newer one. */
export const FORMAT = 1;
export const MANIFEST_FILE = "manifest.json";
/** Larger is none of ours. */
export const MOST_MANIFEST_BYTES = 1024 * 1024;

const TableEntry = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  rows: z.int().nonnegative(),
  /** Hex, of the table's NDJSON bytes. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TableEntry = z.infer<typeof TableEntry>;

export const Manifest = z
  .object({
    format: z.literal(FORMAT),
    /** The version of the panel that wrote it. */
    version: z.string().max(64),
    /** The newest migration of its database. */
    schema: z.string().regex(/^Migration\w{1,100}$/),
    /** Unix seconds: the moment that all rows are of. */
    createdAt: z.int().nonnegative(),
    database: z.enum(["sqlite", "postgresql"]),
    /** Whether series of traffic and readings are in it, and the log of changes. */
    history: z.boolean(),
    audit: z.boolean(),
    /** In the order of the members that follow. */
    tables: z
      .array(TableEntry)
      .max(1000)
      .refine((tables) => new Set(tables.map(({ name }) => name)).size === tables.length, "a table is named twice"),
  })
  .meta({ id: "BackupManifest" });
export type Manifest = z.infer<typeof Manifest>;

/** The member that holds a table's rows, one JSON object a line. */
export function fileOf(table: string): string {
  return `${table}.ndjson`;
}

/** Throws `ArchiveError` with a sentence that names what is wrong. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const said = read(bytes);
  const newer = z.object({ format: z.number().gt(FORMAT) }).safeParse(said);
  if (newer.success)
    throw malformed(`the archive has format ${newer.data.format}, which is newer than this panel: it reads ${FORMAT}`);
  const parsed = Manifest.safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(`${MANIFEST_FILE}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is wrong"}`, parsed.error);
}

function read(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed(`${MANIFEST_FILE} is no JSON`, cause);
  }
}
