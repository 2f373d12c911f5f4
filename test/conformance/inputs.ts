// Inputs from schemas: what a schema allows, its boundaries, and one step beyond them.
import type { Chance } from "../simulation/chance.ts";
import type { Description, Schema } from "./described.ts";
import { HOSTILE_NAMES, hostileValue } from "./hostile.ts";

/**
 * Values that mean something to the panel, by the name of the field: without them no input would get past the first
 * checks.
 */
export type Hints = Readonly<Record<string, readonly unknown[]>>;

/** Texts among which one fits most patterns of the description. */
const TEXTS = [
  "a",
  "abc",
  "Zoë 1",
  "main-1",
  "1",
  "weekly",
  "https://hooks.example/x",
  "127.0.0.1",
  "2001:db8::1",
  "b".repeat(32),
];

/**
 * An input that the schema allows; optional members come and go, numbers and texts lie at their ends as often as
 * between them.
 */
export function allowed(
  schema: Schema,
  at: { readonly description: Description; readonly chance: Chance; readonly hints: Hints; readonly name?: string },
): unknown {
  const { description, chance, hints, name = "" } = at;
  const resolved = description.resolve(schema);
  const inner = (part: Schema, partName = name) => allowed(part, { ...at, name: partName });
  const hinted = hints[name];
  if (hinted !== undefined && chance.happens(0.6)) return chance.pick(hinted);
  const {
    const: fixed,
    enum: values,
    anyOf,
    oneOf,
    type,
  } = resolved as Schema & { enum?: unknown[]; anyOf?: Schema[]; oneOf?: Schema[] };
  if (fixed !== undefined) return fixed;
  if (values !== undefined) return chance.pick(values);
  const either = anyOf ?? oneOf;
  if (either !== undefined) return inner(chance.pick(either));
  switch (Array.isArray(type) ? chance.pick(type) : type) {
    case "string":
      return allowedText(resolved, at);
    case "integer":
    case "number":
      return allowedNumber(resolved, chance);
    case "boolean":
      return chance.happens(0.5);
    case "null":
      return null;
    case "array": {
      const {
        minItems = 0,
        maxItems = 3,
        items = {},
      } = resolved as { minItems?: number; maxItems?: number; items?: Schema };
      const length = chance.whole(minItems, Math.max(minItems, Math.min(maxItems, 3)));
      return Array.from({ length }, () => inner(items));
    }
    case "object":
      return allowedObject(resolved, chance, inner);
    default:
      return hostileValue(chance);
  }
}

function allowedObject(schema: Schema, chance: Chance, inner: (part: Schema, name: string) => unknown): object {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
    additionalProperties?: Schema | false;
  };
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) || chance.happens(0.4))
    .map(([name, part]): [string, unknown] => [name, inner(part, name)]);
  if (additionalProperties !== undefined && additionalProperties !== false && chance.happens(0.4)) {
    members.push([chance.pick([...HOSTILE_NAMES, "type", "email", "server"]), inner(additionalProperties, "")]);
  }
  return Object.fromEntries(members);
}

function allowedNumber(schema: Schema, chance: Chance): number {
  const { minimum = -10, maximum = 2 ** 53 - 1 } = schema as { minimum?: number; maximum?: number };
  return chance.pick([
    minimum,
    minimum + 1,
    Math.min(maximum, 1),
    Math.min(maximum, 30),
    Math.min(maximum, 86_400),
    maximum - 1,
    maximum,
  ]);
}

function allowedText(
  schema: Schema,
  { description, chance }: { readonly description: Description; readonly chance: Chance },
): string {
  const { minLength = 0, maxLength = 64 } = schema as { minLength?: number; maxLength?: number };
  const random = () => `${chance.pick(["u", "Ünder", "名", "x y"])}${chance.whole(0, 1_000_000)}`;
  const ends = ["x".repeat(Math.max(1, minLength)), "y".repeat(maxLength), random(), random(), random()];
  const fitting = [...ends, ...TEXTS].filter((text) => description.objection(schema, text) === undefined);
  return fitting.length === 0 ? random() : chance.pick(fitting);
}

/**
 * The input with one thing wrong: a value replaced, a member lost, renamed or added, or a value one step beyond its
 * bounds.
 */
export function mutated(value: unknown, chance: Chance): unknown {
  if (typeof value === "string" && chance.happens(0.3))
    return value + chance.pick(["\u0000", "\u0001", " ", "x".repeat(300), "\ud83d"]);
  if (typeof value === "number" && chance.happens(0.4))
    return chance.pick([value + 1, value - 1, -value, value + 0.5, value * 1e6, String(value)]);
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.happens(0.4))
      return chance.pick([
        [...(value as unknown[]), hostileValue(chance)],
        Object.assign({}, value),
        hostileValue(chance),
      ]);
    const index = chance.whole(0, value.length - 1);
    return value.map((item: unknown, n) => (n === index ? mutated(item, chance) : item));
  }
  if (typeof value === "object" && value !== null) return mutatedObject(Object.entries(value), chance);
  return hostileValue(chance);
}

function mutatedObject(members: readonly [string, unknown][], chance: Chance): unknown {
  if (members.length === 0 || chance.happens(0.1)) return hostileValue(chance);
  const index = chance.whole(0, members.length - 1);
  switch (chance.whole(0, 5)) {
    case 0:
      return Object.fromEntries(members.filter((_member, n) => n !== index));
    case 1:
      return Object.fromEntries([...members, [chance.pick(HOSTILE_NAMES), hostileValue(chance)]]);
    case 2:
      return Object.fromEntries(members.map(([name, value], n) => [name, n === index ? hostileValue(chance) : value]));
    default:
      return Object.fromEntries(
        members.map(([name, value], n) => [name, n === index ? mutated(value, chance) : value]),
      );
  }
}
