// Field shapes that many parts of the dialect share: ports, durations, lists that may be a single text.
import { isIP } from "node:net";
import { z } from "zod";
import { rule, matching } from "../../http/index.ts";

export const Port = z
  .int("must be a port, 1-65535")
  .min(1, "must be a port, 1-65535")
  .max(65_535, "must be a port, 1-65535");

/** A list of texts; the dialect accepts a single text as a list of one. */
export const Texts = z
  .union([z.string(), z.array(z.string())], { error: "must be a text or a list of texts" })
  .transform((value) => (typeof value === "string" ? [value] : value));

/** A Go duration such as `300ms`, `1m30s`, `1d`. */
export const Duration = z.string().check(matching(/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/, rule("duration")));

export const IpAddress = z.string().refine((text) => isIP(text) !== 0, rule("ip_address"));

const LINE = /^\P{Cc}*$/u;

/** What stands in a request as it is. */
export const Line = z.string().check(matching(LINE, rule("control_characters")));

/** A path as requests have it: sing-box refuses a whole configuration over `%` that begins no escape. */
export const UrlPath = Line.check(matching(/^([^%]|%[0-9A-Fa-f]{2})*$/u, rule("unfit")));

/** As `Texts`, of lines. */
export const Lines = Texts.refine((all) => all.every((text) => LINE.test(text)), rule("control_characters"));

/** Headers of a transport: a text or a list of texts for each name. */
export const Headers = z.record(Line, Lines);

/** Any JSON object; its keys are the engine's business. */
export const Anything = z.record(z.string(), z.unknown());
