// Moments and spans that callers write (rule http.body.7): Unix seconds up to the year 9999, and up to a century. Later
// ones are milliseconds by mistake, and an account that never ends. Filters of lists take any integer.
import { z } from "zod";
import { LATEST, LONGEST, readingsOf } from "../lib/moments.ts";
import { rule, type Rule } from "./refusals/rules.ts";
import { innerOf } from "./refusals/checking.ts";

/** The schemas of this file: an operation that takes one refuses with `time_range`. */
const WRITTEN = z.registry<{ readonly most: number }>();

/**
 * A whole number from 0 to `most`. Also what no safe integer holds is refused by its size: nanoseconds are later than
 * that.
 */
function bounded(most: number, late: (value: number) => Rule) {
  return z
    .number()
    .refine(Number.isInteger, rule("type", "int"))
    .refine((value) => value >= 0, rule("too_small", 0))
    .superRefine((value, context) => {
      if (value > most && Number.isInteger(value)) context.addIssue({ code: "custom", ...late(value) });
    })
    .meta({ type: "integer", minimum: 0, maximum: most })
    .register(WRITTEN, { most });
}

const tooLate = (value: number): Rule => {
  const { year, unit, date } = readingsOf(value);
  return rule("time_range", year, unit, date);
};

/** Unix seconds that a caller writes. */
export const writtenTime = bounded(LATEST, tooLate);
/** Seconds that something lasts. */
export const writtenSpan = bounded(LONGEST, (value) => rule("span_range", Math.floor(value / 86_400)));

/** Unix seconds in the query of a request that changes something. */
export const queryTime = z
  .string()
  .superRefine((text, context) => {
    if (!/^-?\d{1,32}$/.test(text)) context.addIssue({ code: "custom", ...rule("whole_number") });
    else if (Number(text) < 0) context.addIssue({ code: "custom", ...rule("too_small", 0) });
    else if (Number(text) > LATEST) context.addIssue({ code: "custom", ...tooLate(Number(text)) });
  })
  .meta({ type: "integer", minimum: 0, maximum: LATEST })
  .register(WRITTEN, { most: LATEST })
  .transform(Number);

/** Whether a body or query takes a moment or span. */
export function takesTime(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined) return false;
  if (WRITTEN.get(schema)) return true;
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(takesTime);
  if (schema instanceof z.ZodArray) return takesTime(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.some(takesTime);
  const inner = innerOf(schema);
  return inner !== undefined && takesTime(inner);
}
