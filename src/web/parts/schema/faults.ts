// What is wrong with a value by its schema: each fault with its path and the code of the rule, in the form that the
// panel refuses in, so that both are told in the same words. Nothing is compiled: the page's policy allows no `eval`.
import type { RuleCode } from "../../../http/refusals/rule.schema.ts";
import { isJson, unionOf, wayOf, type Schema } from "./schema.ts";

export interface Fault {
  /** Joined by dots (`config.tls.alpn.0`); empty for the value itself. */
  readonly path: string;
  readonly code: RuleCode;
  readonly values: readonly (string | number)[];
}

/** Rules that the description says as a pattern alone. */
const PATTERNS: readonly (readonly [pattern: string, code: RuleCode])[] = [
  [String.raw`^\S(.*\S)?$`, "edge_spaces"],
  [String.raw`^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$`, "duration"],
  ["^([0-9a-fA-F]{2}){0,8}$", "hex"],
  ["^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "uuid"],
];
const PATTERN_VALUES: Partial<Record<RuleCode, readonly number[]>> = { hex: [16] };

export function faultsOf(schema: Schema, value: unknown, path = ""): readonly Fault[] {
  const fault = (code: RuleCode, ...values: (string | number)[]): Fault[] => [{ path, code, values }];
  for (const each of schema.allOf ?? []) {
    const found = faultsOf(each, value, path);
    if (found.length > 0) return found;
  }
  const union = unionOf(schema);
  if (union) {
    if (!isJson(value)) return fault("type", "object");
    const way = wayOf(union, value);
    if (way) return faultsOf(way, value, path);
    return [
      { path: below(path, union.by), code: "choice", values: [...union.ways.keys()].filter((key) => key !== "") },
    ];
  }
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return faultsOfAny(ways, value, path);
  if (schema.const !== undefined && value !== schema.const) return fault("choice", JSON.stringify(schema.const));
  if (schema.enum && !schema.enum.includes(value)) return fault("choice", ...schema.enum.map(String));
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return fault("type", types.join(", "));
  if (typeof value === "string")
    return textFaults(schema, value).flatMap(([code, ...values]) => fault(code, ...values));
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) return fault("too_small", minimum);
    return value > maximum ? fault("too_large", maximum) : [];
  }
  if (Array.isArray(value)) return itemFaults(schema, value, path);
  return isJson(value) ? fieldFaults(schema, value, path) : [];
}

/** None where one way fits; else those of the way that is meant: the one of the value's own type. */
function faultsOfAny(ways: readonly Schema[], value: unknown, path: string): readonly Fault[] {
  const found = ways.map((way) => faultsOf(way, value, path));
  if (found.some((each) => each.length === 0)) return [];
  const meant = ways.findIndex((way) => typesOf(way).some((type) => isOfType(value, type)));
  const types = ways.flatMap(typesOf).filter((type) => type !== "null");
  return found[meant] ?? [{ path, code: "type", values: [[...new Set(types)].join(", ")] }];
}

function textFaults({ minLength = 0, maxLength = Infinity, pattern }: Schema, text: string): [RuleCode, ...number[]][] {
  const { length } = text;
  if (length < minLength) return minLength === 1 ? [["empty"]] : [["too_short", minLength]];
  if (length > maxLength) return [["too_long", maxLength]];
  if (pattern === undefined || matches(pattern, text)) return [];
  const code = PATTERNS.find(([known]) => known === pattern)?.[1] ?? "unfit";
  return [[code, ...(PATTERN_VALUES[code] ?? [])]];
}

/** Patterns without case are said without it; letters of the other case are left to the panel. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text) || new RegExp(pattern, "iu").test(text);
  } catch {
    // Written for another engine: the panel decides.
    return true;
  }
}

function itemFaults({ items, minItems = 0, maxItems = Infinity }: Schema, list: readonly unknown[], path: string) {
  const at = (code: RuleCode, value: number): Fault[] => [{ path, code, values: [value] }];
  if (list.length < minItems) return at("too_few", minItems);
  if (list.length > maxItems) return at("too_many", maxItems);
  if (typeof items !== "object") return [];
  return list.flatMap((item, index) => faultsOf(items, item, below(path, String(index))));
}

function fieldFaults(schema: Schema, value: Readonly<Record<string, unknown>>, path: string): Fault[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required
    .filter((key) => value[key] === undefined)
    .map((key): Fault => ({
      path: below(path, key),
      code: "required",
      values: [typesOf(properties[key] ?? {})[0] ?? "string"],
    }));
  const present = Object.entries(value).flatMap(([key, each]): readonly Fault[] => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return each === undefined ? [] : faultsOf(known, each, below(path, key));
    if (additionalProperties === false) return [{ path: below(path, key), code: "forbidden_key", values: [] }];
    return typeof additionalProperties === "object" ? faultsOf(additionalProperties, each, below(path, key)) : [];
  });
  return [...missing, ...present];
}

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "object":
      return isJson(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
