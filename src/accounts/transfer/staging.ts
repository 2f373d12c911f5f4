// A file of accounts on disk before it is answered (rule jobs.import.2): it is looked at while it comes, so that what
// is no such file is refused at once, and what its lines say is read when their turn comes.
import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { invalid, Refusal, rule } from "../../http/index.ts";
import type { Purpose, Sending, Spooled } from "../../uploads/index.ts";
import { FileReader } from "./file-reader.ts";
import type { Head } from "./head.ts";
import type { FileFormat } from "./import.schema.ts";
import type { StagedLine } from "./line-reader.ts";

/** Bytes of an import. */
export const IMPORT_LIMIT = 1024 * 1024 * 1024;
export const IMPORTS: Purpose = { name: "accounts", limit: IMPORT_LIMIT, account: 2 * IMPORT_LIMIT };

export interface Staged {
  readonly records: number;
  readonly lastLine: number;
  /** The columns of a table. */
  readonly head: Head | undefined;
  readonly file: Spooled;
}

/** Throws 400 for what is no such file, and as `Sending.take` does. */
export async function stage(sending: Sending, stream: Readable, format: FileFormat): Promise<Staged> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = new FileReader(format);
  let [records, lastLine] = [0, 0];
  const count = (read: readonly StagedLine[]) => {
    records += read.length;
    lastLine = read.at(-1)?.[0] ?? lastLine;
  };
  const file = await sending.take(stream, (piece) =>
    count(reader.push(decoded(() => decoder.decode(piece, { stream: true })))),
  );
  count(reader.push(decoded(() => decoder.decode())));
  count(reader.end());
  const { head } = reader;
  if (format === "csv" && !head) invalid("name", rule("required", "a head line with the column name"));
  if (records === 0) invalid("body", rule("empty"));
  return { records, lastLine, head, file };
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

export function lengthOf([, said]: StagedLine): number {
  if (said === null) return 0;
  return typeof said === "string" ? said.length : said.reduce((sum, cell) => sum + cell.length, 0);
}
