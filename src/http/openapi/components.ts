// The named schemas of the description: bodies, answers and what they consist of, each once.
import { z } from "zod";

export type Json = Record<string, unknown>;
export type Direction = "input" | "output";

const PREFIX = "#/components/schemas/";

/** What other languages' regular expressions do not read alike: properties, escapes of code points, look-around. */
const UNPORTABLE = /\\[pPu]|\(\?/;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every object within, each replaced by what `change` makes of it; inner ones first. */
export function mapped(value: unknown, change: (node: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, change)])));
}

/** A schema as other languages read it. Answers stay open to further members. */
function portable(direction: Direction): (node: Json) => Json {
  return (node) => {
    const { id, ...rest } = node;
    // Zod repeats an id inside its schema; a member that is called so is a schema.
    const made: Json = typeof id === "string" ? rest : { ...node };
    if (typeof made["pattern"] === "string" && UNPORTABLE.test(made["pattern"])) delete made["pattern"];
    // Zod says the pattern of a UUID beside its format.
    if (typeof made["format"] === "string") delete made["pattern"];
    // A check whose pattern was left out is empty now: it is left out too.
    if (Array.isArray(made["allOf"])) {
      const parts = made["allOf"].filter((part) => !isObject(part) || Object.keys(part).length > 0);
      if (parts.length === 0) delete made["allOf"];
      else made["allOf"] = parts;
    }
    // Generators do not read a list whose places differ: of such a list only the number of its items is said.
    if (made["prefixItems"] !== undefined) {
      delete made["prefixItems"];
      made["items"] = {};
    }
    if (direction === "output" && made["additionalProperties"] === false) delete made["additionalProperties"];
    if (made["type"] === "integer" && made["format"] === undefined && isWide(made)) made["format"] = "int64";
    return made;
  };
}

function isWide({ minimum, maximum, enum: choices, const: only }: Json): boolean {
  if (choices !== undefined || only !== undefined) return false;
  return !(typeof minimum === "number" && typeof maximum === "number" && maximum < 2 ** 31 && minimum >= -(2 ** 31));
}

/**
 * Collects components while schemas are converted. A request's and an answer's of one id may differ (defaults,
 * transforms): then the request's is `<Id>Input`.
 */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** A reference to the schema, which is named by its own id or else by `name`. */
  named(schema: z.ZodType, direction: Direction, name: string): Json {
    const { $schema: _, $defs, ...root }: Json = this.#converted(schema, direction);
    this.#keepAll($defs, direction);
    const id = schema.meta()?.id ?? name;
    this.#keep(id, root, direction);
    return { $ref: this.#reference(id, direction) };
  }

  /** The members of an object as schemas, and which of them are required. */
  members(schema: z.ZodType, direction: Direction): { properties: Record<string, Json>; required: readonly string[] } {
    const { $schema: _, $defs, ...root }: Json = this.#converted(schema, direction);
    this.#keepAll($defs, direction);
    const { $ref, ...plain } = this.#relinked(root, direction);
    const whole = typeof $ref === "string" ? this.#schemas.get($ref.slice(PREFIX.length)) : plain;
    const { properties = {}, required = [] } = (whole ?? {}) as Partial<ReturnType<Components["members"]>>;
    return { properties, required };
  }

  /** A schema that is written here, not declared by a route. */
  add(name: string, schema: Json): Json {
    if (!this.#schemas.has(name)) this.#schemas.set(name, schema);
    return { $ref: `${PREFIX}${name}` };
  }

  /** All of them by name, and `rename`: what must be done to every reference outside. */
  finished(): { readonly schemas: Json; readonly rename: (value: unknown) => unknown } {
    let schemas = new Map(this.#schemas);
    const names = new Map<string, string>();
    const rename = (value: unknown): unknown =>
      mapped(value, (node) => {
        const target = typeof node["$ref"] === "string" ? names.get(node["$ref"]) : undefined;
        return target === undefined ? node : { ...node, $ref: target };
      });
    // One that is the same both ways is one; that may make another so.
    for (let before = -1; before !== names.size;) {
      before = names.size;
      for (const [key, schema] of schemas) {
        const plain = /^(.+)Input$/.exec(key)?.[1];
        if (plain === undefined) continue;
        const answer = schemas.get(plain);
        if (answer !== undefined && JSON.stringify(answer) !== JSON.stringify(schema)) continue;
        names.set(PREFIX + key, PREFIX + plain);
        schemas.delete(key);
        schemas.set(plain, schema);
      }
      schemas = new Map([...schemas].map(([key, schema]) => [key, rename(schema) as Json]));
    }
    const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { schemas: Object.fromEntries(sorted), rename };
  }

  #converted(schema: z.ZodType, direction: Direction): Json {
    return z.toJSONSchema(schema, { io: direction, unrepresentable: "any", reused: "inline" });
  }

  #keepAll(definitions: unknown, direction: Direction): void {
    for (const [name, definition] of Object.entries(isObject(definitions) ? definitions : {}))
      if (isObject(definition)) this.#keep(name, definition, direction);
  }

  #keep(name: string, definition: Json, direction: Direction): void {
    const key = componentName(name, direction);
    if (!this.#schemas.has(key)) this.#schemas.set(key, this.#relinked(definition, direction));
  }

  #reference(name: string, direction: Direction): string {
    return PREFIX + componentName(name, direction);
  }

  /** Points zod's local references at the components. */
  #relinked(value: Json, direction: Direction): Json {
    const clean = portable(direction);
    return mapped(value, (node) => {
      const local = typeof node["$ref"] === "string" ? /^#\/\$defs\/(.+)$/.exec(node["$ref"])?.[1] : undefined;
      return local === undefined ? clean(node) : { ...node, $ref: this.#reference(local, direction) };
    }) as Json;
  }
}

function componentName(id: string, direction: Direction): string {
  return direction === "input" ? `${id}Input` : id;
}
