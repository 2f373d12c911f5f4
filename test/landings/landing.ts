// What a landing froze (`npm run freeze`): the rows of a populated database, and the program. A landing's migrations
// are those of this checkout up to its own, since a released migration never changes.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import type { Column, Dialect, SqlValue } from "../../src/db/table.ts";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
export const LANDINGS = fileURLToPath(new URL("../fixtures/landings/", import.meta.url));
/** Below the packages, which the program finds from there. */
const UNPACKED = join(CHECKOUT, "node_modules/.cache/signalbox-landings");

/** First line of `rows.jsonl`. `columns`: those of each table, by name, with the kind of their values. */
export const Head = z.object({
  version: z.string(),
  migrations: z.array(z.string()),
  columns: z.record(z.string(), z.record(z.string(), z.enum(["json", "boolean", "number", "text", "plain"]))),
});
export type Head = z.infer<typeof Head>;
/** Every further line: a row, by column. Bytes are `{"$bytes": base64}`. */
const Line = z.tuple([z.string(), z.record(z.string(), z.unknown())]);

export interface Landing extends Head {
  readonly name: string;
  readonly rows: readonly (readonly [table: string, row: Readonly<Record<string, unknown>>])[];
}

/** All landings, oldest first. Throws where there is none: a test that has nothing to compare with must not pass. */
export function landings(): Landing[] {
  const names = readdirSync(LANDINGS).toSorted();
  if (names.length === 0) throw new Error("there is no frozen landing: npm run freeze");
  return names.map((name) => {
    const [head = "", ...lines] = readFileSync(join(LANDINGS, name, "rows.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    return { name, ...Head.parse(JSON.parse(head)), rows: lines.map((line) => Line.parse(JSON.parse(line))) };
  });
}

/** The newest landing, which alone keeps its program. */
export function newestLanding(): Landing {
  const newest = landings().at(-1);
  if (!newest) throw new Error("there is no frozen landing");
  return newest;
}

/** The entry file of a landing's program, unpacked by whoever asks first. */
export function programOf(landing: Landing): string {
  const packed = readFileSync(join(LANDINGS, landing.name, "program.br"));
  const directory = join(UNPACKED, `${landing.name}-${createHash("sha256").update(packed).digest("hex").slice(0, 16)}`);
  if (!existsSync(directory)) {
    mkdirSync(UNPACKED, { recursive: true });
    const draft = mkdtempSync(join(UNPACKED, "new-"));
    const files = z.record(z.string(), z.string()).parse(JSON.parse(brotliDecompressSync(packed).toString()));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(draft, file), text);
    // It migrates nothing: it only looks which there are.
    for (const dialect of ["sqlite", "postgresql"] as const)
      for (const name of landing.migrations)
        cpSync(migrationFile(dialect, name), join(draft, "migrations", dialect, `${name}.ts`));
    try {
      renameSync(draft, directory);
    } catch (error) {
      // Another file's process was faster.
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(directory)) throw error;
    }
  }
  return join(directory, "main.mjs");
}

function migrationFile(dialect: Dialect, name: string): string {
  return join(CHECKOUT, "migrations", dialect, `${name}.ts`);
}

const Bytes = z.object({ $bytes: z.string() });

/** A value as a driver returns it, in the form that a landing keeps. */
export function neutral(value: unknown, kind: Column["kind"]): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (kind === "json") return typeof value === "string" ? JSON.parse(value) : value;
  if (kind === "boolean") return value === true || value === 1;
  return kind === "number" ? Number(value) : value;
}

/** The same value as a driver takes it. */
export function stored(value: unknown, kind: Column["kind"], dialect: Dialect): SqlValue {
  if (value === null) return null;
  if (kind === "json") return JSON.stringify(value);
  const bytes = Bytes.safeParse(value);
  if (bytes.success) return Buffer.from(bytes.data.$bytes, "base64");
  if (kind === "boolean" && dialect === "sqlite") return value === true ? 1 : 0;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new TypeError(`no column holds ${JSON.stringify(value)}`);
}
