// Schemas that many routes share (texts: written-text.ts): integers (rule http.body.2), ids in paths, numbers and
// booleans in query strings.
import { z } from "zod";
import { matching, rule, type Rule } from "./refusals/rules.ts";

/** A safe integer. */
export const integer = z.int();
/** A safe integer from 0 on: counts, bytes, Unix seconds. */
export const count = z.int().min(0);
/** Unix seconds in an answer: whatever is stored. Bodies take `writtenTime` (written-time.ts). */
export const unixTime = count;
/** An integer as a URL writes it; the empty text is none. To the description it is the integer that clients know. */
const written = (pattern: RegExp, broken: Rule, described: { readonly minimum?: number; readonly maximum?: number }) =>
  z
    .string()
    .check(matching(pattern, broken))
    .meta({ type: "integer", pattern: undefined, ...described })
    .transform(Number)
    .refine(Number.isSafeInteger, broken);
export const queryCount = written(/^-?\d{1,16}$/, rule("whole_number"), { minimum: 0 }).refine(
  (value) => value >= 0,
  rule("too_small", 0),
);
/** A count in a query string within bounds, which the description says too. */
export const queryBounded = (least: number, most?: number) =>
  written(/^-?\d{1,16}$/, rule("whole_number"), { minimum: least, ...(most === undefined ? {} : { maximum: most }) })
    .refine((value) => value >= least, rule("too_small", least))
    .refine((value) => most === undefined || value <= most, rule("too_large", most ?? 0));
/** `true` or `false` (also 1 and 0). `z.coerce.boolean()` would read "false" as true. */
export const queryBoolean = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }).meta({ type: "boolean" });
/** Values separated by commas, each one of `values`. */
export function queryList<const T extends readonly [string, ...string[]]>(values: T) {
  const isKnown = (item: string): item is T[number] => values.includes(item);
  return z.string().transform((text, context) => {
    const items = text.split(",");
    if (!items.every(isKnown)) context.addIssue({ code: "custom", ...rule("choices", ...values) });
    return items.filter(isKnown);
  });
}
/** Ids separated by commas, each once, at most so many. */
export function queryIds(most: number) {
  return z
    .string()
    .meta({ pattern: String.raw`^\d{1,16}(,\d{1,16})*$` })
    .transform((text, context) => {
      const ids = text.split(",").map((item) => (/^\d{1,16}$/.test(item) ? Number(item) : NaN));
      if (!ids.every(Number.isSafeInteger)) context.addIssue({ code: "custom", ...rule("id") });
      if (ids.length > most) context.addIssue({ code: "custom", ...rule("too_many", most) });
      return [...new Set(ids)];
    });
}

/** How many members the records of a schema have at most: looked at before any of them is checked (`checking.ts`). */
export const RECORD_SIZES = z.registry<{ most: number }>();

/** Members by name, at most so many. */
export function boundedRecord<V extends z.ZodType>(value: V, most: number): z.ZodRecord<z.ZodString, V> {
  return z.record(z.string(), value).register(RECORD_SIZES, { most });
}

/** An id in a path. */
export const pathId = written(/^\d{1,16}$/, rule("id"), { minimum: 0 });
/** `/{id}`. */
export const idParams = z.object({ id: pathId });

/** What a route answers that documents no body. */
export const okAnswer = z.object({ ok: z.literal(true) }).meta({ id: "Ok" });
