// Reads JSON and knows where in the text each value stands, so that a fault has a line. A browser's own parser says
// neither.

export type JsonFault =
  | "end" // The text ends too early.
  | "value" // Here a value was expected.
  | "key" // A key in quotes.
  | "colon"
  | "comma" // A comma, or the closing bracket.
  | "text" // A text that is not closed, or a character that must be escaped.
  | "number"
  | "rest" // Something follows the value.
  | "repeated"; // The key stands in the object already.

export interface Place {
  readonly from: number;
  readonly to: number;
}

export type ReadJson =
  | { readonly ok: true; readonly value: unknown; /** By path, joined by dots. */ readonly places: Map<string, Place> }
  | { readonly ok: false; readonly at: number; readonly fault: JsonFault };

class Stop extends Error {
  readonly fault: JsonFault;
  readonly at: number;
  constructor(fault: JsonFault, at: number) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

export function readJson(text: string): ReadJson {
  const reader = new Reader(text);
  try {
    const value = reader.value("");
    reader.end();
    return { ok: true, value, places: reader.places };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, at: error.at, fault: error.fault };
    throw error;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = { true: true, false: false, null: null } as const;
/** Deeper than any configuration has a reason to be. */
const DEEPEST = 64;

class Reader {
  readonly places = new Map<string, Place>();
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string): unknown {
    this.#space();
    const from = this.#at;
    const value = this.#bare(path);
    this.places.set(path, { from, to: this.#at });
    return value;
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw new Stop("rest", this.#at);
  }

  #bare(path: string): unknown {
    const next = this.#text[this.#at];
    if (next === undefined) throw new Stop("end", this.#at);
    if (next === '"') return this.#string();
    if (next === "{" || next === "[") {
      if (++this.#depth > DEEPEST) throw new Stop("value", this.#at);
      const made = next === "{" ? this.#object(path) : this.#array(path);
      this.#depth--;
      return made;
    }
    for (const [word, value] of Object.entries(WORDS)) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number(next);
  }

  #object(path: string): Record<string, unknown> {
    const made = new Map<string, unknown>();
    this.#at++;
    for (this.#space(); this.#text[this.#at] !== "}";) {
      const from = this.#at;
      if (this.#text[from] !== '"') throw new Stop(from >= this.#text.length ? "end" : "key", from);
      const key = this.#string();
      if (made.has(key)) throw new Stop("repeated", from);
      this.#space();
      if (this.#text[this.#at] !== ":") throw new Stop("colon", this.#at);
      this.#at++;
      made.set(key, this.value(path === "" ? key : `${path}.${key}`));
      if (!this.#comma("}")) break;
    }
    this.#at++;
    // Own fields whatever they are called: `__proto__` is a key like any other.
    return Object.fromEntries(made);
  }

  #array(path: string): unknown[] {
    const made: unknown[] = [];
    this.#at++;
    for (this.#space(); this.#text[this.#at] !== "]";) {
      made.push(this.value(path === "" ? String(made.length) : `${path}.${made.length}`));
      if (!this.#comma("]")) break;
    }
    this.#at++;
    return made;
  }

  /** Whether another member follows. */
  #comma(close: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next === close) return false;
    if (next !== ",") throw new Stop(next === undefined ? "end" : "comma", this.#at);
    this.#at++;
    this.#space();
    // A comma before the bracket is what people leave behind.
    if (this.#text[this.#at] === close) throw new Stop(close === "}" ? "key" : "value", this.#at);
    return true;
  }

  #string(): string {
    const from = this.#at;
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) {
      const next = this.#text[this.#at];
      if (next === undefined || next < " ") throw new Stop("text", next === undefined ? from : this.#at);
      if (next === "\\") this.#at++;
    }
    this.#at++;
    try {
      return JSON.parse(this.#text.slice(from, this.#at)) as string;
    } catch {
      throw new Stop("text", from);
    }
  }

  #number(next: string): number {
    NUMBER.lastIndex = this.#at;
    const [found = ""] = NUMBER.exec(this.#text) ?? [];
    const after = this.#text[this.#at + found.length] ?? "";
    if (found === "" || /[\w.+-]/.test(after)) throw new Stop(/[\d-]/.test(next) ? "number" : "value", this.#at);
    this.#at += found.length;
    return Number(found);
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }
}

/** Line and column of an offset, from 1. */
export function lineOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

/** Where the value at `path` stands, or the nearest that is around it. */
export function placeOf(places: ReadonlyMap<string, Place>, path: string): Place {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const place = places.get(at);
    if (place) return place;
  }
  return places.get("") ?? { from: 0, to: 0 };
}
