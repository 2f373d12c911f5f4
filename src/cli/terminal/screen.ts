// A terminal that is drawn on again and again: whole frames in place, without flicker, and the last one left behind at
// the end.

/** A screen of its own, without a cursor, where a line that is too long is cut at the edge. */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l";
/** A terminal that supports it shows the text between the two in one step. */
const [BEGIN, END] = ["\x1b[?2026h", "\x1b[?2026l"];
const FALLBACK = { columns: 80, rows: 24 };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export class Screen {
  readonly #stream: NodeJS.WriteStream;
  readonly #frame: (size: Size) => string[];
  readonly #redraw = () => this.draw();

  /** `frame` gives the lines to be shown, whatever the size then is. */
  constructor(stream: NodeJS.WriteStream, frame: (size: Size) => string[]) {
    this.#stream = stream;
    this.#frame = frame;
  }

  open(): void {
    this.#stream.write(ENTER);
    this.#stream.on("resize", this.#redraw);
    this.draw();
  }

  draw(): void {
    const { columns, rows } = sizeOf(this.#stream);
    // One row is left free: a line break in the last one would scroll.
    const lines = this.#frame({ columns, rows }).slice(0, rows - 1);
    this.#stream.write(`${BEGIN}\x1b[H${lines.map((line) => `${line}\x1b[K\r\n`).join("")}\x1b[J${END}`);
  }

  close(): void {
    this.#stream.off("resize", this.#redraw);
    const lines = this.#frame({ ...sizeOf(this.#stream), rows: Number.MAX_SAFE_INTEGER });
    this.#stream.write(`${LEAVE}${lines.join("\n")}\n`);
  }
}

/** The size of a terminal; the usual size when the terminal does not say it. */
export function sizeOf(stream: NodeJS.WriteStream): Size {
  return { columns: stream.columns || FALLBACK.columns, rows: stream.rows || FALLBACK.rows };
}
