// Answers go compressed to whoever takes them so: lists, documents and files are text that repeats itself.
//
// Lengths tell. Whoever sees how long an answer is, and can make a program ask again with other text in it, learns what
// stands beside the text. So what is compressed is GET alone, and 200: other sites cannot make a browser ask with its
// session (SameSite=Lax), tokens and links are in no browser, and a refusal, which repeats what was sent, is no 200.
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import PQueue from "p-queue";
import type { Incoming } from "../exchange.ts";
import type { Outgoing } from "./replies.ts";
import { chooseEncoding, type Encoding } from "./encoding.ts";

/** Below this an answer fits a packet as it is. Bytes. */
export const LEAST = 1024;
/** Level of gzip, out of 9. It takes half the time of the best level, and the answer is nearly as small. */
const LEVEL = 5;
/** Quality of Brotli, out of 11, chosen likewise. */
const QUALITY = 4;
/** Threads that compress at a time: passwords and files need the others. */
const AT_ONCE = 2;
/** Answers that wait at most; further ones go as they are. */
const WAITING = 64;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|yaml|x-ndjson)\b)/;

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
const workers = new PQueue({ concurrency: AT_ONCE });
const packers = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/** The cheaper one that the client takes; undefined: as it is. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === "") return undefined;
  return chooseEncoding(acceptEncoding, ["gzip"]) ?? chooseEncoding(acceptEncoding, ["br"]);
}

/** Headers of an answer in that encoding. */
export function encodedAs(encoding: Encoding): Readonly<Record<string, string>> {
  return { "content-encoding": encoding, vary: "accept-encoding" };
}

/** Compressed on another thread; undefined where so many wait that sending it as it is takes less time. */
export async function pack(body: string | Uint8Array, encoding: Encoding): Promise<Buffer | undefined> {
  if (workers.size >= WAITING) return undefined;
  return workers.add(() =>
    encoding === "gzip" ? packers.gzip(body, { level: LEVEL }) : packers.br(body, { params: BROTLI }),
  );
}

/** A stream in that encoding. Whatever arrives goes on at once, so that a reader of lines need not wait for the end. */
function packing(source: Readable, encoding: Encoding): Readable {
  const packer =
    encoding === "gzip"
      ? createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH })
      : createBrotliCompress({ params: BROTLI, flush: constants.BROTLI_OPERATION_FLUSH });
  // Ends both when either ends; an error is heard by whoever reads the packed one.
  return pipeline(source, packer, () => {});
}

/**
 * The answer as it goes over the wire; `method` as it came, since the answer to HEAD tells the length of what GET would
 * send to anybody.
 */
export async function compressed(
  outgoing: Outgoing,
  { facts }: Pick<Incoming, "facts">,
  method: string,
): Promise<Outgoing> {
  const { body, contentType, status, headers } = outgoing;
  if (method !== "GET" || status !== 200 || !TEXT.test(contentType) || isCoded(headers)) return outgoing;
  const encoding = encodingFor(facts.header("accept-encoding"));
  if (encoding === undefined) return outgoing;
  const coded = { ...outgoing, headers: { ...headers, ...encodedAs(encoding) } };
  if (body instanceof Readable) return { ...coded, body: packing(body, encoding) };
  if (body.length < LEAST) return outgoing;
  const packed = await pack(body, encoding);
  return packed ? { ...coded, body: packed } : outgoing;
}

function isCoded(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => /^content-(?:encoding|length|range)$/i.test(name));
}
