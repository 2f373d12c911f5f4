// Cuts the words of a feature by what they are for. A feature has all of its words of a language in one file, but a
// visit needs only some: titles at once, sentences of charts in the inspector alone. So a module that imports names of
// another module of words gets a copy of it that exports these names and nothing else: `jobs/words/en.ts?words=titles`.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import type { ESTree, Plugin } from "vite";

const WORDS = /\/words\/(?:[\w-]+\/)*(?:en|fa|ru|zh)\.ts(?:\?words=[\w,]+)?$/;
const COPY = /^(.*\.ts)\?words=([\w,]+)$/;
/** What modules of words import from: others of their language. */
const OTHER = /\/(?:en|fa|ru|zh)\.ts$/;
/** How a list loads words: `(await import("./users/words/en.ts")).page`. */
const LOADS = /\(await import\("([^"?]+\/(?:en|fa|ru|zh)\.ts)"\)\)\.(\w+)/g;

export function cutWords(): Plugin {
  return {
    name: "cut-words",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: COPY },
      handler(id) {
        const [, file = ""] = COPY.exec(id) ?? [];
        this.addWatchFile(file);
        return { code: readFileSync(file, "utf8"), moduleType: "ts" };
      },
    },
    transform: {
      filter: { id: WORDS },
      handler(code, id) {
        const [, file = id, names] = COPY.exec(id) ?? [];
        const parse = (text: string) => this.parse(text, { lang: "ts" });
        const exportsOf = (from: string) =>
          parse(readFileSync(join(dirname(file), from), "utf8")).body.flatMap(exportedBy);
        return { code: cut(code, parse(code), exportsOf, names?.split(",")), map: null };
      },
    },
  };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The code without what `names` leaves out; what is imported from other words is named. `exportsOf`: of another module.
 * Without `names` everything stays.
 */
export function cut(
  code: string,
  { body }: ESTree.Program,
  exportsOf: (from: string) => readonly string[],
  names?: readonly string[],
): string {
  const edits = body.flatMap((statement): Edit[] => {
    const { start, end } = statement;
    const instead = (text: string) => [{ start, end, text }];
    const isExport = statement.type === "ExportNamedDeclaration";
    if (isExport && names && !exportedBy(statement).some((name) => names.includes(name))) return instead("");
    if (!("source" in statement) || !statement.source || !OTHER.test(statement.source.value)) return [];
    if ("importKind" in statement && statement.importKind === "type") return [];
    const { source } = statement;
    if (statement.type === "ExportAllDeclaration" && statement.exported && names)
      return instead(wholeOf(nameOf(statement.exported), source.value, exportsOf(source.value), names));
    const wanted = importedBy(statement) ?? names;
    return wanted ? [{ start: source.start, end: source.end, text: JSON.stringify(copyOf(source.value, wanted)) }] : [];
  });
  const kept = edits
    .toReversed()
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
  return kept.replace(
    LOADS,
    (_whole, from: string, name: string) => `(await import("${copyOf(from, [name])}")).${name}`,
  );
}

/** `export * as users from …`, with these names alone and as a plain object; nothing for a module that has none. */
function wholeOf(whole: string, from: string, has: readonly string[], names: readonly string[]): string {
  const kept = names.filter((name) => has.includes(name));
  if (kept.length === 0) return "";
  const imported = kept.map((name) => `${name} as ${whole}_${name}`).join(", ");
  const fields = kept.map((name) => `${name}: ${whole}_${name}`).join(", ");
  return `import { ${imported} } from ${JSON.stringify(copyOf(from, kept))}; export const ${whole} = { ${fields} };`;
}

function copyOf(file: string, names: readonly string[]): string {
  return `${file}?words=${names.toSorted().join(",")}`;
}

function exportedBy(statement: ESTree.Statement | ESTree.ModuleDeclaration): string[] {
  if (statement.type !== "ExportNamedDeclaration") return [];
  const { declaration, specifiers } = statement;
  if (declaration?.type === "VariableDeclaration")
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  return specifiers.map(({ exported }) => nameOf(exported));
}

/** The names that a statement takes from another module; undefined where it takes the module as a whole. */
function importedBy(statement: ESTree.Statement | ESTree.ModuleDeclaration): string[] | undefined {
  if (statement.type === "ExportNamedDeclaration") return statement.specifiers.map(({ local }) => nameOf(local));
  if (statement.type !== "ImportDeclaration") return undefined;
  const names = statement.specifiers.flatMap((each) =>
    each.type === "ImportSpecifier" ? [nameOf(each.imported)] : [],
  );
  return names.length === statement.specifiers.length && names.length > 0 ? names : undefined;
}

function nameOf(name: ESTree.ModuleExportName): string {
  return "name" in name ? name.name : name.value;
}
