// The lines of an import, of text that comes piece by piece: those of a table behind its head, or lines of JSON.
import { CsvReader } from "../../lib/csv-reader.ts";
import { readHead, type Head } from "./head.ts";
import type { FileFormat } from "./import.schema.ts";
import { LineReader, type StagedLine } from "./line-reader.ts";

/** Characters of a line: the longest user fits twice. */
const LINE_LIMIT = 64 * 1024;

export class FileReader {
  readonly #reader: { push(text: string): readonly StagedLine[]; end(): readonly StagedLine[] };
  readonly #isTable: boolean;
  #head: Head | undefined;

  constructor(format: FileFormat) {
    this.#isTable = format === "csv";
    this.#reader = this.#isTable ? tableReader() : new LineReader(LINE_LIMIT);
  }

  /** The columns of a table, once they came. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Throws 400 for the head of no such table. */
  push(text: string): readonly StagedLine[] {
    return this.#behindHead(this.#reader.push(text));
  }

  end(): readonly StagedLine[] {
    return this.#behindHead(this.#reader.end());
  }

  #behindHead(lines: readonly StagedLine[]): readonly StagedLine[] {
    const [first] = lines;
    if (!this.#isTable || this.#head || !first) return lines;
    this.#head = readHead(cellsOf(first));
    return lines.slice(1);
  }
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
