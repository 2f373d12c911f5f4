// `Prefer: handling=strict` (RFC 7240): what a route does not know is refused by name, where it would be passed over
// otherwise. For callers who would rather hear of a name that they wrote wrong.
import { z } from "zod";
import { MOST_ISSUES, shortName, shortPath } from "../refusals/bounds.ts";
import { innerOf } from "../refusals/checking.ts";
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

/**
 * Throws a 400 that names the parameters and members of the body, at any depth, that the route does not know: the first
 * of them, and how many there are.
 */
export function refuseUnknown({ query, parameters, body, bodySchema }: Given): void {
  const known = parameters.map((schema) => new Set(unknownIn(schema, query, Infinity).first.map(nameOf)));
  const names = Object.keys(query ?? {}).filter((name) => known.every((unknown) => unknown.has(name)));
  const strays = new Strays(MOST_ISSUES);
  for (const name of names) strays.add({ above: undefined, name });
  if (body !== undefined) strays.take(unknownIn(bodySchema, body, MOST_ISSUES));
  const issues = strays.first.map((place): RefusedField => {
    const name = shortName(place?.name ?? "body");
    return refusedField(nameOf(place), rule("unknown", name));
  });
  const [first] = issues;
  if (!first) return;
  throw new Refusal("validation", {
    message: `${shortPath(first.path)}: ${first.message}`,
    field: first.path,
    issues,
    issueCount: strays.count,
  });
}

/** Where a member is. Linked upwards, since almost none of many is ever named; undefined: the value itself. */
type Place = { readonly above: Place; readonly name: string } | undefined;

function nameOf(place: Place): string {
  const names: string[] = [];
  for (let at = place; at; at = at.above) names.push(at.name);
  return names.length === 0 ? "body" : names.toReversed().join(".");
}

/** Members that nothing knows: all are counted, the first are kept. */
class Strays {
  readonly #most: number;
  readonly first: Place[] = [];
  count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(place: Place): void {
    this.count++;
    if (this.first.length < this.#most) this.first.push(place);
  }

  take({ first, count }: Pick<Strays, "first" | "count">): void {
    this.first.push(...first.slice(0, Math.max(0, this.#most - this.first.length)));
    this.count += count;
  }

  /** What the same look elsewhere finds. */
  apart(most = this.#most): Strays {
    return new Strays(most);
  }
}

/** Where `value` has members that `schema` does not name. What does not fit at all is for the schema itself to say. */
function unknownIn(schema: z.ZodType | undefined, value: unknown, most: number): Strays {
  const found = new Strays(most);
  if (schema !== undefined) walk(schema, value, undefined, found);
  else if (!isObject(value)) found.add(undefined);
  else for (const name of Object.keys(value)) found.add({ above: undefined, name });
  return found;
}

function walk(schema: z.core.$ZodType, value: unknown, place: Place, found: Strays): void {
  if (value === null || typeof value !== "object") return;
  if (schema instanceof z.ZodObject) {
    if (isObject(value)) inObject(schema, value, place, found);
  } else if (schema instanceof z.ZodArray) inItems(value, place, () => schema.element, found);
  else if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def;
    inItems(value, place, (index) => items[index] ?? rest ?? undefined, found);
  } else if (schema instanceof z.ZodRecord) {
    for (const [name, member] of Object.entries(value)) walk(schema.valueType, member, { above: place, name }, found);
  } else if (schema instanceof z.ZodUnion) inChoices(schema.options, value, place, found);
  else if (schema instanceof z.ZodIntersection) inBoth(schema, value, place, found);
  else {
    const inner = LATER.get(schema) ?? innerOf(schema);
    if (inner) walk(inner, value, place, found);
  }
}

function inObject(
  { shape, def }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  above: Place,
  found: Strays,
): void {
  for (const [name, member] of Object.entries(value)) {
    const place = { above, name };
    const known = Object.hasOwn(shape, name) ? shape[name] : def.catchall;
    // A strict object's `never` says the same by itself, in its own order.
    if (known === undefined || known instanceof z.ZodNever) found.add(place);
    else walk(known, member, place, found);
  }
}

function inItems(
  value: object,
  above: Place,
  schemaOf: (index: number) => z.core.$ZodType | undefined,
  found: Strays,
): void {
  if (!Array.isArray(value)) return;
  for (const [index, item] of value.entries()) {
    const schema = schemaOf(index);
    if (schema) walk(schema, item, { above, name: String(index) }, found);
  }
}

/** Takes over what one choice does not know: among the choices that accept the value, the one that knows most of it. */
function inChoices(choices: readonly z.core.$ZodType[], value: object, place: Place, found: Strays): void {
  const fitting = choices.filter((choice) => z.safeParse(choice, value).success);
  const each = fitting.map((choice) => {
    const apart = found.apart();
    walk(choice, value, place, apart);
    return apart;
  });
  const [best] = each.toSorted((one, other) => one.count - other.count);
  if (best) found.take(best);
}

/** What neither side knows. */
function inBoth({ def }: z.ZodIntersection, value: object, place: Place, found: Strays): void {
  const [left, right] = [found.apart(Infinity), found.apart(Infinity)];
  walk(def.left, value, place, left);
  walk(def.right, value, place, right);
  const names = new Set(left.first.map(nameOf));
  for (const each of right.first) if (names.has(nameOf(each))) found.add(each);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
