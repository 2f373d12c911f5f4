// Lines of text, piece by piece. Empty ones are left out and counted.

/** A line number and what the line is: text, cells, or nothing where it is too long. */
export type StagedLine = readonly [number, string | readonly string[] | null];

export class LineReader {
  readonly #most: number;
  #rest = "";
  #tooLong = false;
  #line = 1;

  /** `most`: characters of a line. */
  constructor(most: number) {
    this.#most = most;
  }

  push(text: string): StagedLine[] {
    const lines: StagedLine[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#add(text.slice(from, end));
      this.#finish(lines);
      this.#line++;
      from = end + 1;
    }
    this.#add(text.slice(from));
    return lines;
  }

  end(): StagedLine[] {
    const lines: StagedLine[] = [];
    this.#finish(lines);
    return lines;
  }

  #add(text: string): void {
    if (this.#rest.length + text.length > this.#most) this.#tooLong = true;
    this.#rest = this.#tooLong ? "" : this.#rest + text;
  }

  #finish(lines: StagedLine[]): void {
    const text = this.#rest.trim();
    if (this.#tooLong) lines.push([this.#line, null]);
    else if (text !== "") lines.push([this.#line, text]);
    this.#rest = "";
    this.#tooLong = false;
  }
}
