// What every field and parameter means, said once for each name. A feature brings the words of its own fields
// (`words`), and a schema may describe itself (`.describe`), which goes first.
//
// A key is a name, as one name means one thing; or, where it does not, the name with what is around it:
// `UserSummary.online`, `memory.total`. The longest key that fits is taken. Around a parameter is its operation:
// `listUsers.online`.
import type { Json } from "./components.ts";
import { COMMON_WORDS, type DerivedSet, type Word, type Words } from "./common-words.ts";

export class Glossary {
  readonly #words: Words;
  readonly #sets: Readonly<Record<DerivedSet, readonly string[]>>;
  /** Fields and parameters that nothing describes. */
  readonly missing: string[] = [];

  constructor(words: Words, sets: Readonly<Record<DerivedSet, readonly string[]>>) {
    this.#words = { ...COMMON_WORDS, ...words };
    this.#sets = sets;
  }

  /** A field's or a parameter's schema with what is said of it: the last of these names, which is within the others. */
  told(schema: Json, path: readonly string[]): Json {
    const word = this.#find(path);
    const says = typeof word === "string" ? word : word?.says;
    const described =
      typeof schema["description"] === "string" || says === undefined ? schema : { ...schema, description: says };
    if (described["description"] === undefined) this.missing.push(path.join("."));
    if (word === undefined || typeof word === "string") return described;
    return limited(described, typeof word.choices === "string" ? this.#sets[word.choices] : word.choices);
  }

  /** A named schema with what is said of it as a whole, and of its fields. */
  component(name: string, schema: Json): Json {
    const described = this.describe(schema, [name.replace(/Input$/, "")]);
    const word = this.#words[name];
    return described["description"] === undefined && typeof word === "string"
      ? { ...described, description: word }
      : described;
  }

  #find(path: readonly string[]): Word | undefined {
    for (let from = 0; from < path.length; from++) {
      const word = this.#words[path.slice(from).join(".")];
      if (word !== undefined) return word;
    }
    return undefined;
  }

  /** A schema with a description of every field; `path`: what it is within. */
  describe(schema: Json, path: readonly string[]): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([key, member]) => [
        key,
        key === "properties" && isObject(member) ? this.#properties(member, path) : this.#within(key, member, path),
      ]),
    );
  }

  #properties(properties: Json, path: readonly string[]): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        if (!isObject(member)) return [name, member];
        const inside = [...path, name];
        return [name, this.told(this.describe(member, inside), inside)];
      }),
    );
  }

  /** Parts of a schema that are schemas themselves; everything else is a value. */
  #within(key: string, member: unknown, path: readonly string[]): unknown {
    if (["items", "additionalProperties"].includes(key) && isObject(member)) return this.describe(member, path);
    if (!["anyOf", "oneOf", "allOf", "prefixItems"].includes(key) || !Array.isArray(member)) return member;
    return member.map((part: unknown) => (isObject(part) ? this.describe(part, path) : part));
  }
}

/** A text, or a list of texts, that is one of the choices; what says so itself is left as it is. */
function limited(schema: Json, choices: readonly string[]): Json {
  const { items } = schema;
  if (schema["type"] === "array" && isObject(items)) return { ...schema, items: limited(items, choices) };
  return schema["type"] === "string" && schema["enum"] === undefined ? { ...schema, enum: choices } : schema;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
