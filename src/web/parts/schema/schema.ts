// A JSON Schema, as far as the panel's description uses it.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | boolean;
  /** A password or private key. */
  readonly writeOnly?: boolean;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Schemas of schemas: further down nothing is checked. */
const DEEPEST = 8;

/** A schema with the schemas that it names instead of references. */
export function inlined(schema: Schema, named: Readonly<Record<string, Schema>>, depth = 0): Schema {
  if (depth > DEEPEST) return {};
  const inner = (each: Schema) => inlined(each, named, depth + 1);
  const { $ref, ...own } = schema;
  if ($ref !== undefined) return { ...inner(named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}), ...own };
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = own;
  return {
    ...own,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(typeof items === "object" && { items: inner(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
  };
}

/** A choice of objects that one key tells apart (`type`): its name, and the way for each value. */
export interface Union {
  readonly by: string;
  readonly ways: ReadonlyMap<string, Schema>;
  /** The way that is meant where the key is not there. */
  readonly absent: string | undefined;
}

export function unionOf({ oneOf, anyOf }: Schema): Union | undefined {
  const schemas = oneOf ?? anyOf ?? [];
  const [first] = schemas;
  if (schemas.length < 2 || !first) return undefined;
  const isName = (each: Schema | undefined) => typeof each?.const === "string";
  const by = Object.keys(first.properties ?? {}).find((key) => schemas.every((each) => isName(each.properties?.[key])));
  if (by === undefined) return undefined;
  const ways = new Map(schemas.map((each) => [String(each.properties?.[by]?.const), each]));
  const absent = [...ways].find(([, each]) => !each.required?.includes(by))?.[0];
  return { by, ways, absent };
}

/** The way that a value takes: by its key, or the one that is meant without. */
export function wayOf({ by, ways, absent }: Union, value: unknown): Schema | undefined {
  const stated = isJson(value) ? value[by] : undefined;
  return ways.get(typeof stated === "string" ? stated : (absent ?? ""));
}
