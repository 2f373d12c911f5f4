// The `extra` of an xhttp transport, in Xray's own words. Nodes and clients get it as it is, and either refuses its
// whole configuration over one value that Xray does not take (rules pool.inbound.5, subscriptions.format.11).
import { z } from "zod";
import { matching, rule } from "../../http/index.ts";
import { Line, Port, UrlPath } from "./fields.ts";

export const XHTTP_MODES = ["auto", "packet-up", "stream-up", "stream-one"] as const;
const MANY = 2 ** 31;

const int32 = z
  .int()
  .min(-MANY)
  .max(MANY - 1);
/** A number, or a span of two such as `100-1000`; empty: 0. */
const Span = z.union([int32, z.string().check(matching(/^(-?\d{1,9}(--?\d{1,9})?)?$/, rule("unfit")))], {
  error: "must be a whole number or a span of two, such as 100-1000",
});
type Span = z.infer<typeof Span>;
const flag = z.boolean();
const among = (...names: string[]) => z.enum(["", ...names]);
const place = among("path", "cookie", "header", "query");

/** From the lower end to the upper one, whichever is said first. */
function ends(span: Span | undefined): readonly [from: number, to: number] {
  const [, left = "0", right = left] = /^(-?\d+)(?:-(-?\d+))?$/.exec(String(span ?? "")) ?? [];
  return [Math.min(Number(left), Number(right)), Math.max(Number(left), Number(right))];
}

/** What requests carry by themselves: a second one would name another server. */
const Headers = z.record(Line, Line).refine((headers) => !Object.keys(headers).some((name) => /^host$/i.test(name)), {
  ...rule("not_with", "host"),
});

const Xmux = z
  .looseObject({
    maxConcurrency: Span.optional(),
    maxConnections: Span.optional(),
    cMaxReuseTimes: Span.optional(),
    hMaxRequestTimes: Span.optional(),
    hMaxReusableSecs: Span.optional(),
    hKeepAlivePeriod: z.int().optional(),
  })
  .refine(({ maxConcurrency, maxConnections }) => ends(maxConcurrency)[1] <= 0 || ends(maxConnections)[1] <= 0, {
    ...rule("not_with", "maxConcurrency"),
    path: ["maxConnections"],
  });

const options = {
  headers: Headers.optional(),
  xPaddingBytes: Span.refine(
    (span) => {
      const [from, to] = ends(span);
      return from > 0 || (from === 0 && to === 0);
    },
    rule("too_small", 1),
  ).optional(),
  xPaddingObfsMode: flag.optional(),
  xPaddingKey: Line.optional(),
  xPaddingHeader: Line.optional(),
  xPaddingPlacement: among("cookie", "header", "query", "queryInHeader").optional(),
  xPaddingMethod: among("repeat-x", "tokenish").optional(),
  uplinkHTTPMethod: Line.optional(),
  sessionIDPlacement: place.optional(),
  sessionIDKey: Line.optional(),
  sessionIDTable: Line.optional(),
  sessionIDLength: Span.optional(),
  seqPlacement: place.optional(),
  seqKey: Line.optional(),
  uplinkDataPlacement: among("auto", "body", "cookie", "header").optional(),
  uplinkDataKey: Line.optional(),
  uplinkChunkSize: Span.optional(),
  noGRPCHeader: flag.optional(),
  noSSEHeader: flag.optional(),
  scMaxEachPostBytes: Span.optional(),
  scMinPostsIntervalMs: Span.optional(),
  scMaxBufferedPosts: z.int().optional(),
  scStreamUpServerSecs: Span.optional(),
  serverMaxHeaderBytes: int32.nonnegative().optional(),
  xmux: Xmux.optional(),
};

type Options = z.infer<z.ZodObject<typeof options>>;

/** Alphabets of session ids that Xray knows by name. */
const TABLES: Readonly<Record<string, number>> = {
  ALPHABET: 26,
  Alphabet: 52,
  BASE36: 36,
  Base62: 62,
  HEX: 16,
  alphabet: 26,
  base36: 36,
  hex: 16,
  number: 10,
};

/** Whether session ids are of ASCII, and there are enough of them not to be guessed. */
function hasEnoughIds({ sessionIDTable: table = "", sessionIDLength }: Options): boolean {
  if (table === "") return true;
  const [from, to] = ends(sessionIDLength);
  if (from <= 0 || !/^[\x20-\x7e]*$/.test(table)) return false;
  const size = Object.hasOwn(TABLES, table) ? (TABLES[table] ?? 0) : table.length;
  return size === 1 ? to - from + 1 >= MANY : size ** to * (size / (size - 1)) >= MANY;
}

/** Values of which one decides about another, given the mode of the transport. */
function conflict(extra: Options, mode: string): string | undefined {
  const { uplinkHTTPMethod = "", uplinkDataPlacement = "" } = extra;
  if (mode !== "packet-up" && uplinkHTTPMethod.toUpperCase() === "GET") return "uplinkHTTPMethod";
  if (mode !== "packet-up" && ["cookie", "header"].includes(uplinkDataPlacement)) return "uplinkDataPlacement";
  return hasEnoughIds(extra) ? undefined : "sessionIDLength";
}

/** Where a client fetches from, if that is another server: as a stream of Xray. */
const Download = z.looseObject({
  address: z.string().optional(),
  port: Port.optional(),
  network: z.enum(["", "xhttp", "splithttp"]).optional(),
  security: z.enum(["", "none", "tls", "reality"]).optional(),
  realitySettings: z
    .looseObject({
      spiderX: z
        .string()
        .check(matching(/^(\/|$)/, rule("unfit")))
        .optional(),
    })
    .optional(),
  xhttpSettings: z
    .looseObject({
      ...options,
      host: Line.optional(),
      path: UrlPath.optional(),
      mode: z.enum(["", ...XHTTP_MODES]).optional(),
      extra: z.looseObject(options).optional(),
    })
    .superRefine((settings, context) => {
      const { mode = "", extra } = settings;
      const found = conflict(extra ?? settings, mode);
      const path = extra ? ["extra"] : [];
      if (found) context.addIssue({ code: "custom", path: [...path, found], ...rule("unfit") });
    })
    .optional(),
});

/** Which keys there are is the list of the dialect's. */
export const XhttpExtra = z.looseObject({ ...options, downloadSettings: Download.optional() });

/** Adds what an `extra` says that its transport's mode does not allow. */
export function checkExtra(
  { mode, extra }: { readonly mode: string; readonly extra?: z.infer<typeof XhttpExtra> | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (!extra) return;
  const found =
    conflict(extra, mode) ?? (mode === "stream-one" && extra.downloadSettings ? "downloadSettings" : undefined);
  if (found) context.addIssue({ code: "custom", path: ["extra", found], ...rule("unfit") });
}
