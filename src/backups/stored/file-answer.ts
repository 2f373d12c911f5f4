// An archive as an answer: from an open file, as fast as the client takes it.
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { RawAnswer, type RequestFacts } from "../../http/index.ts";
import type { OpenBackup } from "./backup-folder.ts";
import { askedOf, isKnown } from "./ranges.ts";

export const ARCHIVE_TYPES = ["application/gzip", "application/octet-stream"] as const;

/** The type of its content. */
function typeOf(name: string): string {
  return name.endsWith(".enc") ? ARCHIVE_TYPES[1] : ARCHIVE_TYPES[0];
}

/** Bytes of an open file from the first to the last; the file is closed with the stream. */
export function bytesOf(handle: FileHandle, first: number, last: number): Readable {
  return handle.createReadStream({ start: first, end: last, autoClose: true });
}

/** All of an archive, for one that is not asked for again. */
export function wholeAnswer(name: string, size: number, body: Readable): RawAnswer {
  return new RawAnswer(typeOf(name), body, 200, { ...saved(name), "content-length": String(size) });
}

/** What a request asks for of an archive that is open: all, a part, or nothing where the client has it. Closes it. */
export async function fileAnswer(
  { header }: Pick<RequestFacts, "header">,
  name: string,
  file: OpenBackup,
): Promise<RawAnswer> {
  const { handle, size, etag, modified } = file;
  const facts = { etag, "last-modified": modified.toUTCString(), "accept-ranges": "bytes" };
  if (isKnown(header, file)) {
    await handle.close();
    return new RawAnswer(typeOf(name), "", 304, facts);
  }
  const asked = askedOf(header, file);
  if (asked.kind === "none") {
    await handle.close();
    const body = JSON.stringify({ error: "the archive has no such bytes", code: "bad_request" });
    return new RawAnswer("application/json; charset=utf-8", body, 416, {
      ...facts,
      "content-range": `bytes */${size}`,
    });
  }
  const { first, last } = asked.kind === "part" ? asked : { first: 0, last: size - 1 };
  const part = asked.kind === "part" ? { "content-range": `bytes ${first}-${last}/${size}` } : {};
  return new RawAnswer(typeOf(name), bytesOf(handle, first, last), asked.kind === "part" ? 206 : 200, {
    ...facts,
    ...saved(name),
    ...part,
    "content-length": String(last - first + 1),
  });
}

/** Whether an answer begins the file: the rest of one that was broken off is the same download. */
export function beginsFile({ header }: Pick<RequestFacts, "header">, file: OpenBackup): boolean {
  const asked = askedOf(header, file);
  return !isKnown(header, file) && (asked.kind === "whole" || (asked.kind === "part" && asked.first === 0));
}

function saved(name: string): Record<string, string> {
  return { "cache-control": "private, no-cache", "content-disposition": `attachment; filename="${name}"` };
}
