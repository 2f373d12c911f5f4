// YAML 1.2 text in block style. Every text is written in double quotes, so no name, password or path can be read as
// anything else (`on`, `1e3`, `- a`, `*alias`) or leave its line. No library: the documents are plain JSON data, and
// only written.

/** Plain JSON data. Members that are undefined are left out. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/** What YAML takes for a line break or does not take at all, though JSON leaves it as it is. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/** A text in double quotes: JSON's escapes are YAML's too. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    UNPRINTABLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** What fits behind `key: ` or `- `; undefined for what needs lines of its own. */
function inline(value: unknown): string | undefined {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return value.length === 0 ? "[]" : undefined;
  return Object.keys(value).length === 0 ? "{}" : undefined;
}

function lines(value: unknown, indent: string): string[] {
  const single = inline(value);
  if (typeof value !== "object" || value === null || single !== undefined) return [`${indent}${single ?? ""}`];
  if (isList(value)) {
    return value.flatMap((item) => {
      const [first = "", ...more] = lines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...more];
    });
  }
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) => {
    if (item === undefined) return [];
    const key = PLAIN_KEY.test(name) ? name : quoted(name);
    const text = inline(item);
    return text === undefined ? [`${indent}${key}:`, ...lines(item, `${indent}  `)] : [`${indent}${key}: ${text}`];
  });
}

/** The document in block style, ending with a line break. `value` is plain JSON data. */
export function yamlText(value: YamlValue | Readonly<Record<string, unknown>>): string {
  return `${lines(value, "").join("\n")}\n`;
}
