// Files that pages load. Files of the build are found by name alone and compressed in advance. A browser caches a file
// permanently if its name changes with its content.
import send from "@fastify/send";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding, type Encoding } from "../answers/encoding.ts";
import type { FirstLoads } from "./first-loads.ts";

/** Extensions of the compressed copies of a file, in the same folder. */
export const ENCODINGS: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** An interface as it was built: its files belong together. */
export interface InterfaceBuild {
  /** Absolute. */
  readonly directory: string;
  /** `index.html`, with `<base href="/">` and a `csp-nonce` without a nonce. */
  readonly page: string;
  /** What each page loads first; undefined for a build that does not say it. */
  readonly firstLoads: FirstLoads | undefined;
  /** Below the directory (`assets/main-4kDe8s1Q.js`), each with the encodings of its compressed copies. */
  readonly files: ReadonlyMap<string, readonly Encoding[]>;
}

/** What a build consists of. */
const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  woff2: "font/woff2",
};

/** Names that carry a digest of the content. */
const DIGESTED = /-[\w-]{8}\.\w+$/;
const YEAR_MS = 365 * 86_400_000;

/** Answers with a file of the build; false when it has none of that name. */
export async function sendFile(
  build: InterfaceBuild,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const encodings = build.files.get(name);
  if (encodings === undefined) return false;
  const encoding = chooseEncoding(request.headers["accept-encoding"] ?? "", encodings);
  const path = `/${encodeURI(name)}${encoding === undefined ? "" : ENCODINGS[encoding]}`;
  const lasting = DIGESTED.test(name);
  const found = await send(request.raw, path, {
    root: build.directory,
    immutable: lasting,
    maxAge: lasting ? YEAR_MS : 0,
    // A page loads many files, and each answer's headers count: the tag says all that a date would, and nobody asks for
    // a part of a file.
    lastModified: false,
    acceptRanges: false,
  });
  if (found.type !== "file") return false;
  reply.code(found.statusCode).headers(found.headers);
  if (encodings.length > 0) reply.header("vary", "Accept-Encoding");
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  reply.type(TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream");
  reply.send(found.stream);
  return true;
}
