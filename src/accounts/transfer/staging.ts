// The lines of an import on disk, before it is answered: whatever process dies then, another goes on with them (rule
// jobs.import.2). Lines are stored as they came; what they say is read when their turn comes.
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { invalid, Refusal, rule } from "../../http/index.ts";
import type { Sending, StagedLines } from "../../jobs/index.ts";
import { CsvReader } from "../../lib/csv-reader.ts";
import { arriving } from "./arriving.ts";
import type { FileFormat } from "./import.schema.ts";
import { readHead, type Head } from "./head.ts";
import { LineReader, type StagedLine } from "./line-reader.ts";

/** Bytes of an import. */
export const IMPORT_LIMIT = 1024 * 1024 * 1024;
/** Characters of a line: the longest user fits twice. */
const LINE_LIMIT = 64 * 1024;
/** Lines and characters of one row. */
const ROW_LINES = 500;
const ROW_CHARACTERS = 256 * 1024;

export interface Staged {
  readonly records: number;
  readonly lastLine: number;
  /** The columns of a table. */
  readonly head: Head | undefined;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** Throws 400 for what is no such file, 413 for one that is too large, 408 and 429 for one that has no place. */
export function stage(
  { lines, sending }: { readonly lines: StagedLines; readonly sending: Sending },
  stream: Readable,
  format: FileFormat,
): Promise<Staged> {
  return new Staging(lines, sending, format).take(stream);
}

class Staging {
  readonly #lines: StagedLines;
  readonly #sending: Sending;
  readonly #format: FileFormat;
  readonly #reader: { push(text: string): readonly StagedLine[]; end(): readonly StagedLine[] };
  #head: Head | undefined;
  #records = 0;
  #lastLine = 0;
  #waiting: StagedLine[] = [];
  #characters = 0;

  constructor(lines: StagedLines, sending: Sending, format: FileFormat) {
    this.#lines = lines;
    this.#sending = sending;
    this.#format = format;
    this.#reader = format === "csv" ? tableReader() : new LineReader(LINE_LIMIT);
  }

  async take(stream: Readable): Promise<Staged> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const piece of arriving(stream)) {
      bytes += piece.length;
      if (bytes > IMPORT_LIMIT) throw new Refusal("too_large");
      digest.update(piece);
      await this.#sending.came(piece.length);
      await this.#add(this.#reader.push(decoded(() => decoder.decode(piece, { stream: true }))));
    }
    await this.#add(this.#reader.push(decoded(() => decoder.decode())));
    await this.#add(this.#reader.end());
    await this.#write();
    if (this.#format === "csv" && !this.#head) invalid("name", rule("required", "a head line with the column name"));
    if (this.#records === 0) invalid("body", rule("empty"));
    await this.#lines.written(this.#sending.job);
    const [records, lastLine, head] = [this.#records, this.#lastLine, this.#head];
    return { records, lastLine, head, digest: digest.digest("hex") };
  }

  async #add(lines: readonly StagedLine[]): Promise<void> {
    for (const line of lines) {
      if (this.#format === "csv" && !this.#head) {
        this.#head = readHead(cellsOf(line));
        continue;
      }
      this.#waiting.push(line);
      this.#characters += lengthOf(line);
      if (this.#waiting.length >= ROW_LINES || this.#characters >= ROW_CHARACTERS) await this.#write();
    }
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    const last = lines.at(-1)?.[0];
    if (last === undefined) return;
    await this.#lines.add(this.#sending.job, lines, last);
    this.#records += lines.length;
    this.#lastLine = last;
    this.#waiting = [];
    this.#characters = 0;
  }
}

/** No text has a NUL, and not every database stores one. */
function decoded(decode: () => string): string {
  let text: string;
  try {
    text = decode();
  } catch {
    throw new Refusal("bad_request", { message: "the file is not UTF-8 text" });
  }
  if (text.includes("\u0000")) throw new Refusal("bad_request", { message: "the file has NUL characters" });
  return text;
}

function tableReader(): { push(text: string): StagedLine[]; end(): StagedLine[] } {
  const reader = new CsvReader(LINE_LIMIT);
  // Spreadsheets end a table with rows of nothing but separators.
  const staged = (records: ReturnType<CsvReader["push"]>) =>
    records.flatMap(({ line, cells }): StagedLine[] =>
      cells?.every((cell) => cell.trim() === "") ? [] : [[line, cells ?? null]],
    );
  return { push: (text) => staged(reader.push(text)), end: () => staged(reader.end()) };
}

const cellsOf = ([, said]: StagedLine) => (typeof said === "string" || said === null ? undefined : said);

export function lengthOf([, said]: StagedLine): number {
  if (said === null) return 0;
  return typeof said === "string" ? said.length : said.reduce((sum, cell) => sum + cell.length, 0);
}
