// `Prefer: handling=strict` (RFC 7240): what a route does not know is refused by name, where it would be passed over
// otherwise. For callers who would rather hear of a name that they wrote wrong.
import { z } from "zod";
import { Refusal, refusedField, type RefusedField } from "../refusals/errors.ts";
import { rule } from "../refusals/rules.ts";

/** On every answer to a request that asked so. */
export const STRICT_APPLIED = { "preference-applied": "handling=strict" } as const;

/** Whether a request wants to be handled strictly. Of preferences of one name the first counts. */
export function isStrict(prefer: string | undefined): boolean {
  if (prefer === undefined) return false;
  const handling = prefer
    .split(",")
    .map((preference) => /^\s*handling\s*=\s*"?([a-z]+)"?\s*(?:;|$)/i.exec(preference)?.[1]?.toLowerCase())
    .find((value) => value !== undefined);
  return handling === "strict";
}

/** What a request gave, and the schemas that say what its route takes; undefined: it takes nothing there. */
export interface Given {
  readonly query: unknown;
  readonly parameters: readonly (z.ZodType | undefined)[];
  /** Undefined also where the body is a stream. */
  readonly body?: unknown;
  readonly bodySchema?: z.ZodType | undefined;
}

const LATER = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** An item that the handler checks by itself, so that one which does not fit spares the others. */
export function checkedLater(schema: z.ZodType): z.ZodUnknown {
  const anything = z.unknown();
  LATER.set(anything, schema);
  return anything;
}

/** What any open route takes: while setup is pending, its token. */
export const SetupToken = z.object({ t: z.string().optional() });

/** Throws a 400 that names every parameter and every member of the body, at any depth, that the route does not know. */
export function refuseUnknown({ query, parameters, body, bodySchema }: Given): void {
  const known = parameters.map((schema) => new Set(unknownIn(schema, query).map(nameOf)));
  const strays = Object.keys(query ?? {}).filter((name) => known.every((unknown) => unknown.has(name)));
  const paths = [...strays.map((name) => [name]), ...(body === undefined ? [] : unknownIn(bodySchema, body))];
  const issues = paths.map((path): RefusedField => refusedField(nameOf(path), rule("unknown", path.at(-1) ?? "body")));
  const [first] = issues;
  if (!first) return;
  throw new Refusal("validation", { message: `${first.path}: ${first.message}`, field: first.path, issues });
}

type Path = readonly string[];

const nameOf = (path: Path): string => (path.length === 0 ? "body" : path.join("."));

/** Where `value` has members that `schema` does not name. What does not fit at all is for the schema itself to say. */
function unknownIn(schema: z.ZodType | undefined, value: unknown): Path[] {
  if (schema !== undefined) return walk(schema, value, []);
  return isObject(value) ? Object.keys(value).map((name) => [name]) : [[]];
}

function walk(schema: z.core.$ZodType, value: unknown, path: Path): Path[] {
  if (value === null || typeof value !== "object") return [];
  if (schema instanceof z.ZodObject) return isObject(value) ? inObject(schema, value, path) : [];
  if (schema instanceof z.ZodArray) return inItems(value, path, () => schema.element);
  if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def;
    return inItems(value, path, (index) => items[index] ?? rest ?? undefined);
  }
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([name, member]) => walk(schema.valueType, member, [...path, name]));
  if (schema instanceof z.ZodUnion) return inChoices(schema.options, value, path);
  if (schema instanceof z.ZodIntersection) {
    const left = new Set(walk(schema.def.left, value, path).map(nameOf));
    return walk(schema.def.right, value, path).filter((each) => left.has(nameOf(each)));
  }
  const inner = LATER.get(schema) ?? innerOf(schema);
  return inner ? walk(inner, value, path) : [];
}

function inObject({ shape, def }: z.ZodObject, value: Readonly<Record<string, unknown>>, path: Path): Path[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, name];
    const known = Object.hasOwn(shape, name) ? shape[name] : def.catchall;
    // A strict object's `never` says the same by itself, in its own order.
    if (known === undefined || known instanceof z.ZodNever) return [place];
    return walk(known, member, place);
  });
}

function inItems(value: object, path: Path, schemaOf: (index: number) => z.core.$ZodType | undefined): Path[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    const schema = schemaOf(index);
    return schema ? walk(schema, item, [...path, String(index)]) : [];
  });
}

/** Of the choices that take the value, the one that knows most of it. */
function inChoices(choices: readonly z.core.$ZodType[], value: object, path: Path): Path[] {
  const fitting = choices.filter((choice) => z.safeParse(choice, value).success);
  const found = fitting.map((choice) => walk(choice, value, path));
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** What a schema wraps: the shape is what is sent, not what is made of it. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
