// A report as a stream: records and what they moved, joined in the order of ids, a thousand rows at a time. What the
// reader does not take yet is not made.
import { Readable } from "node:stream";
import { added } from "../lib/exact.ts";
import { csvHead, csvLine } from "../lib/csv.ts";
import type { ReportFormat } from "./reports.schema.ts";

/** What a record moved. */
export interface Moved {
  readonly id: number;
  readonly up: number;
  readonly down: number;
}
type Row<T> = T & Moved & { readonly share: number };

export interface Report<T extends { readonly id: number }> {
  readonly format: ReportFormat;
  /** What is said before the rows of JSON. */
  readonly head: { readonly start: number; readonly end: number; readonly zone: string } & Omit<Moved, "id">;
  readonly records: AsyncIterable<readonly T[]>;
  readonly sums: AsyncIterable<readonly Moved[]>;
  /** A record that moved something and is not there any more, or is not the caller's. */
  readonly gone: (id: number) => T;
  /** In the order of the file. */
  readonly columns: readonly (keyof Row<T> & string)[];
}

export function reportStream<T extends { readonly id: number }>(report: Report<T>): Readable {
  return Readable.from(textsOf(report), { highWaterMark: 1 });
}

async function* textsOf<T extends { readonly id: number }>(report: Report<T>): AsyncGenerator<string> {
  const { format, head, columns } = report;
  const ordered = (row: Row<T>) => Object.fromEntries(columns.map((column) => [column, row[column]]));
  if (format === "csv") yield csvHead(columns);
  if (format === "json") yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let comma = "";
  for await (const rows of joined(report)) {
    if (format === "csv") yield rows.map((row) => csvLine(columns.map((column) => cellOf(row[column])))).join("");
    else if (format === "ndjson") yield rows.map((row) => `${JSON.stringify(ordered(row))}\n`).join("");
    else {
      yield comma + rows.map((row) => JSON.stringify(ordered(row))).join(",");
      comma = ",";
    }
  }
  if (format === "json") yield "]}";
}

function cellOf(value: unknown): string | number {
  return typeof value === "string" || typeof value === "number" ? value : "";
}

/** Every record, and everything that moved. */
async function* joined<T extends { readonly id: number }>(report: Report<T>): AsyncGenerator<readonly Row<T>[]> {
  const { records, sums, gone, head } = report;
  const whole = added(head.up, head.down);
  const row = (record: T, { up, down }: Omit<Moved, "id">): Row<T> => ({
    ...record,
    up,
    down,
    share: share(up + down, whole),
  });
  const waiting = new Sums(sums);
  try {
    for await (const page of records) {
      const rows: Row<T>[] = [];
      const moved = new Map((await waiting.upTo(page.at(-1)?.id ?? 0)).map((sum) => [sum.id, sum]));
      for (const record of page) {
        rows.push(row(record, moved.get(record.id) ?? NOTHING));
        moved.delete(record.id);
      }
      for (const sum of moved.values()) rows.push(row(gone(sum.id), sum));
      yield rows.toSorted((one, other) => one.id - other.id);
    }
    for await (const part of waiting.rest()) if (part.length > 0) yield part.map((sum) => row(gone(sum.id), sum));
  } finally {
    await waiting.end();
  }
}

const NOTHING = { up: 0, down: 0 };

/** A share of the whole, to a millionth. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, Math.round((part / whole) * 1_000_000) / 1_000_000);
}

/** Sums in the order of their ids, taken as far as they are needed. */
class Sums {
  readonly #source: AsyncIterator<readonly Moved[]>;
  #part: readonly Moved[] = [];
  #at = 0;
  #ended = false;

  constructor(source: AsyncIterable<readonly Moved[]>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async upTo(id: number): Promise<Moved[]> {
    const found: Moved[] = [];
    for (;;) {
      for (let next = this.#part[this.#at]; next && next.id <= id; next = this.#part[++this.#at]) found.push(next);
      if (this.#at < this.#part.length || !(await this.#more())) return found;
    }
  }

  async *rest(): AsyncGenerator<readonly Moved[]> {
    do yield this.#part.slice(this.#at);
    while (await this.#more());
  }

  async end(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    const { done, value } = await this.#source.next();
    this.#ended = done === true;
    this.#part = this.#ended ? [] : value;
    this.#at = 0;
    return !this.#ended;
  }
}
