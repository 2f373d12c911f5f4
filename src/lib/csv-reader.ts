// Reads tables of text piece by piece (RFC 4180), as they arrive: what is held is the record that is not whole yet.
// Commas or semicolons separate cells, as the head says: some spreadsheets write the latter.

/** A record, and the line of the file in which it begins, from 1. */
export interface CsvRecord {
  readonly line: number;
  /** Undefined: it is longer than the reader takes. */
  readonly cells: readonly string[] | undefined;
}

export class CsvReader {
  readonly #most: number;
  #separator: string | undefined;
  #cells: string[] = [];
  #cell = "";
  #quoted = false;
  /** The last character closed a quoted cell, or is a quote that stands for itself. */
  #afterQuote = false;
  #length = 0;
  #line = 1;
  #began = 1;
  #lastWasReturn = false;

  /** `most`: characters of a record. */
  constructor(most: number) {
    this.#most = most;
  }

  push(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (const character of text) this.#take(character, records);
    return records;
  }

  /** What is left when the text has ended. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    if (this.#length > 0) this.#finish(records);
    return records;
  }

  #take(character: string, records: CsvRecord[]): void {
    const lineEnd = character === "\n" || character === "\r";
    const second = character === "\n" && this.#lastWasReturn;
    this.#lastWasReturn = character === "\r";
    if (this.#quoted && !this.#afterQuote) {
      if (character === '"') this.#afterQuote = true;
      else this.#add(character);
      if (lineEnd && !second) this.#line++;
      this.#length++;
      return;
    }
    if (this.#afterQuote) {
      this.#afterQuote = false;
      if (character === '"') {
        this.#add(character);
        return;
      }
      this.#quoted = false;
    }
    if (lineEnd) {
      if (second) return;
      if (this.#length > 0) this.#finish(records);
      this.#line++;
      this.#began = this.#line;
      return;
    }
    this.#length++;
    this.#separator ??= character === "," || character === ";" ? character : undefined;
    if (character === this.#separator) {
      this.#cells.push(this.#cell);
      this.#cell = "";
    } else if (character === '"' && this.#cell === "") this.#quoted = true;
    else this.#add(character);
  }

  #add(character: string): void {
    if (this.#length <= this.#most) this.#cell += character;
  }

  #finish(records: CsvRecord[]): void {
    const cells = this.#length > this.#most ? undefined : [...this.#cells, this.#cell];
    records.push({ line: this.#began, cells });
    // A head of one cell has no separator; the rows have none either.
    this.#separator ??= ",";
    this.#cells = [];
    this.#cell = "";
    this.#quoted = false;
    this.#afterQuote = false;
    this.#length = 0;
  }
}
