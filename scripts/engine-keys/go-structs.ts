// The structs of a Go package with the JSON names of their fields: enough of Go to read option structs that gofmt has
// written.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface GoField {
  /** The name in Go; empty for an embedded struct, whose fields are the outer one's. */
  readonly name: string;
  /** The key in JSON; empty where the field has none (`json:"-"`, embedded). */
  readonly key: string;
  /** The type without pointers, slices, maps and generic wrappers; with its package where it is another's. */
  readonly type: string;
  /** Whether the key stands in a tag: a struct without one is not read from JSON. */
  readonly tagged: boolean;
}

/**
 * What a struct's own reader of JSON picks by the value of one field: `switch r.Type { case C.X: v = &r.XOptions }`.
 */
export interface GoChoice {
  /** The Go name of the field that decides. */
  readonly by: string;
  /** The Go name of the field that holds the options, by value; empty where nothing more is read. */
  readonly of: Readonly<Record<string, string>>;
}

export interface GoPackage {
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  /** `type X Y` and `type X = Y`. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly choices: ReadonlyMap<string, GoChoice>;
  readonly source: string;
}

/** Text constants of a package by name. */
export function textConstants(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", value = ""] of sourceOf(directory).matchAll(
    /^\s*(?:const )?(\w+)\s*(?:string\s*)?= "([^"]*)"$/gm,
  ))
    found.set(name, value);
  return found;
}

export function readGoPackage(directory: string, constants: ReadonlyMap<string, string>): GoPackage {
  const source = sourceOf(directory);
  const structs = new Map<string, GoField[]>();
  for (const [, , name = "", body = ""] of source.matchAll(/^(\t*)type (\w+) struct ?\{(?:\}|\n([\s\S]*?)^\1\})$/gm))
    structs.set(name, fieldsOf(body));
  const aliases = new Map<string, string>();
  for (const [, name = "", type = ""] of source.matchAll(/^type (\w+) =? ?([\w.]+)$/gm)) aliases.set(name, bare(type));
  return { structs, aliases, choices: choicesIn(source, constants), source };
}

/** The struct that a type names, through its aliases; undefined for a plain value. */
export function structOf(
  type: string,
  { structs, aliases }: Pick<GoPackage, "structs" | "aliases">,
): string | undefined {
  for (
    let name: string | undefined = type, depth = 0;
    name !== undefined && depth < 8;
    name = aliases.get(name), depth += 1
  )
    if (structs.has(name)) return name;
  return undefined;
}

function sourceOf(directory: string): string {
  const files = readdirSync(directory).filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  return files
    .toSorted()
    .map((file) => readFileSync(join(directory, file), "utf8"))
    .join("\n");
}

function fieldsOf(body: string): GoField[] {
  return body.split("\n").flatMap((line): GoField[] => {
    const text = line.replace(/\/\/.*$/, "").trim();
    const embedded = /^\*?([\w.]+)$/.exec(text);
    if (embedded) return [{ name: "", key: "", type: bare(embedded[1] ?? ""), tagged: false }];
    const field = /^(\w+)\s+([^`]+?)\s*(?:`json:"([^",]*)[^`]*`)?$/.exec(text);
    if (!field) return [];
    const [, name = "", type = "", key] = field;
    return [
      { name, key: key === "-" ? "" : (key ?? name), type: bare(type), tagged: key !== undefined && key !== "-" },
    ];
  });
}

/** `*X`, `[]X`, `map[string]X`, `pkg.Listable[X]` and `pkg.TypedMap[string, X]` as `X`. */
function bare(type: string): string {
  const inner =
    /^(?:\*|\[\d*\])+(.+)$/.exec(type) ?? /^map\[[^\]]*\](.+)$/.exec(type) ?? /^[\w.]+\[(?:.*, )?(.+)\]$/.exec(type);
  return inner ? bare(inner[1] ?? "") : type;
}

function choicesIn(source: string, constants: ReadonlyMap<string, string>): Map<string, GoChoice> {
  const choices = new Map<string, GoChoice>();
  const readers = source.matchAll(
    /^func \((\w+) \*(\w+)\) UnmarshalJSON(?:Context)?\([^)]*\) error \{\n([\s\S]*?)^\}$/gm,
  );
  for (const [, self = "", owner = "", body = ""] of readers) {
    const decision = new RegExp(`switch ${self}\\.(\\w+) \\{\\n([\\s\\S]*?)\\n\\t\\}`).exec(body);
    if (!decision) continue;
    const of: Record<string, string> = {};
    for (const [, cases = "", rest = ""] of (decision[2] ?? "").matchAll(/^\tcase (.*):\n((?:\t\t.*(?:\n|$))*)/gm)) {
      const field = new RegExp(`v = &${self}\\.(\\w+)`).exec(rest)?.[1];
      if (field === undefined && !/v = nil/.test(rest)) continue;
      for (const name of cases.split(", ")) {
        const value = name === '""' ? undefined : constants.get(name.replace(/^.*\./, ""));
        if (value !== undefined) of[value] = field ?? "";
      }
    }
    if (Object.keys(of).length > 0) choices.set(owner, { by: decision[1] ?? "", of });
  }
  return choices;
}
