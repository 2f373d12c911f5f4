// Values held to schemas. Issues that nobody is told are counted and not worked out: their sentences are most of what a
// refusal costs.
import { z } from "zod";
import { RECORD_SIZES } from "../wire.ts";
import { MOST_ISSUES, shortName, shortPath } from "./bounds.ts";
import { Refusal, refusedField } from "./errors.ts";
import { validationRefusal } from "./refusals.ts";
import { rule } from "./rules.ts";

/** What a schema makes of a value, or the 400 that names what it refuses. */
export type Checked<T> =
  | { readonly data: T; readonly refusal?: undefined }
  | { readonly data?: undefined; readonly refusal: Refusal };

/** Holds a value to a schema, as `safeParse` does; what is too long is refused before any part of it is looked at. */
export function check<S extends z.core.$ZodType>(schema: S, value: unknown): Checked<z.output<S>> {
  const oversized = oversizedIn(schema, value, []);
  if (oversized) return { refusal: oversized };
  const context = { async: false } as const;
  // What the schema's own `safeParse` calls; that one words every issue.
  // oxlint-disable-next-line no-underscore-dangle
  const result = schema._zod.run({ value, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  // A run without issues made what the schema promises.
  if (result.issues.length === 0) return { data: result.value as z.output<S> };
  const told = result.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => z.core.util.finalizeIssue(withShortNames(issue), context, z.core.config()));
  return { refusal: validationRefusal({ issues: told, count: result.issues.length }, value) };
}

/** Checks a value whose refusal is the answer. */
export function checked<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, refusal } = check(schema, value);
  if (refusal) throw refusal;
  return data;
}

/** The refusal of the first list or record that has more members than its schema lets it have. */
function oversizedIn(schema: z.core.$ZodType, value: unknown, path: readonly string[]): Refusal | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? oversizedList(schema, value, path) : undefined;
  if (schema instanceof z.ZodRecord) {
    const most = RECORD_SIZES.get(schema)?.most;
    return most !== undefined && Object.keys(value).length > most ? tooMany(path, most) : undefined;
  }
  if (schema instanceof z.ZodObject) {
    const members = value as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(schema.shape)) {
      const found = oversizedIn(member, members[name], [...path, name]);
      if (found) return found;
    }
    return undefined;
  }
  const inner = innerOf(schema);
  return inner && oversizedIn(inner, value, path);
}

function oversizedList(schema: z.ZodArray, value: readonly unknown[], path: readonly string[]): Refusal | undefined {
  // Where zod keeps what `max` said.
  // oxlint-disable-next-line no-underscore-dangle
  const most = schema._zod.bag["maximum"];
  if (typeof most === "number" && value.length > most) return tooMany(path, most);
  for (const [index, item] of value.entries()) {
    if (item === null || typeof item !== "object") continue;
    const found = oversizedIn(schema.element, item, [...path, String(index)]);
    if (found) return found;
  }
  return undefined;
}

function tooMany(path: readonly string[], most: number): Refusal {
  const field = path.join(".") || "body";
  const broken = rule("too_many", most);
  return new Refusal("validation", {
    message: `${shortPath(field)}: ${broken.message}`,
    field,
    issues: [refusedField(field, broken)],
  });
}

function withShortNames(issue: z.core.$ZodRawIssue): z.core.$ZodRawIssue {
  if (issue.code !== "unrecognized_keys") return issue;
  return { ...issue, keys: issue.keys.slice(0, MOST_ISSUES).map(shortName) };
}

/** What a schema wraps: the shape is what is sent, not what is made of it. */
export function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in;
  if (schema instanceof z.ZodLazy) return schema.def.getter();
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  )
    return schema.def.innerType;
  return undefined;
}
