// Leaves out the component library's styles for components that no module of the build names: they come as one sheet
// for all of them.
//
// A class of the library is `m_` and a digest, and stands in the component's own module as a literal. One that no
// module has cannot be in the document.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { plainName } from "./chunks.ts";

const LIBRARY_CLASS = /\bm_[0-9a-f]+\b/g;
/** Rules stand in these; other at-rules have none to leave out. */
const CONDITION = /^@(media|supports|layer|container)\b/;

/**
 * Prunes the sheets of a build. The file name depends on what is left too: a permanently cached name never has two
 * contents.
 */
export function unusedStyles(): Plugin {
  const used = new Set<string>();
  return {
    name: "unused-styles",
    enforce: "post",
    apply: "build",
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            assetFileNames: ({ names, source }) => {
              if (!names.some((name) => name.endsWith(".css"))) return "assets/[name]-[hash][extname]";
              return `assets/${plainName((names[0] ?? "").replace(/\.css$/, ""))}-${digest(source, used)}[extname]`;
            },
          },
        },
      },
    }),
    transform(code, id) {
      if (!/\.css($|\?)/.test(id)) for (const name of code.match(LIBRARY_CLASS) ?? []) used.add(name);
    },
    generateBundle(_options, bundle) {
      for (const item of Object.values(bundle)) {
        if (item.type === "asset" && item.fileName.endsWith(".css")) item.source = prune(String(item.source), used);
      }
    },
  };
}

function digest(source: string | Uint8Array, used: ReadonlySet<string>): string {
  return createHash("sha256")
    .update(source)
    .update([...used].toSorted().join())
    .digest("base64url")
    .slice(0, 8);
}

/** `css` without the rules that need a class of the library which is not among `used`. */
export function prune(css: string, used: ReadonlySet<string>): string {
  let kept = "";
  for (let at = 0; at < css.length;) {
    const open = find(css, at, "{;");
    const prelude = css.slice(at, open);
    if (open === css.length || css[open] === ";") {
      kept += css.slice(at, open + 1);
      at = open + 1;
      continue;
    }
    const close = find(css, open + 1, "}");
    kept += pruneBlock(prelude, css.slice(open + 1, close), used);
    at = close + 1;
  }
  return kept;
}

function pruneBlock(prelude: string, body: string, used: ReadonlySet<string>): string {
  const name = prelude.trim();
  if (CONDITION.test(name)) {
    const inner = prune(body, used);
    return inner.trim() === "" ? "" : `${prelude}{${inner}}`;
  }
  if (name.startsWith("@")) return `${prelude}{${body}}`;
  const selectors = split(prelude).filter((selector) => canMatch(selector, used));
  return selectors.length === 0 ? "" : `${selectors.join(",")}{${body}}`;
}

/** What stands in parentheses (`:is`, `:where`, `:not`) lists alternatives and decides nothing. */
function canMatch(selector: string, used: ReadonlySet<string>): boolean {
  let bare = selector;
  for (let before = ""; before !== bare;) [before, bare] = [bare, bare.replace(/\([^()]*\)/g, "")];
  return (bare.match(LIBRARY_CLASS) ?? []).every((name) => used.has(name));
}

/** Selectors of a list. */
function split(list: string): string[] {
  const found: string[] = [];
  for (let at = 0; at <= list.length;) {
    const end = find(list, at, ",");
    found.push(list.slice(at, end));
    at = end + 1;
  }
  return found;
}

/**
 * Where the first of `marks` stands from `at` on, outside strings, brackets and inner blocks; the length of the text
 * where none does.
 */
function find(text: string, at: number, marks: string): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const character = text.charAt(index);
    if (depth === 0 && marks.includes(character)) return index;
    if (character === "\\") index++;
    else if (character === '"' || character === "'") index = endOfString(text, index);
    else if ("({[".includes(character)) depth++;
    else if (")}]".includes(character)) depth--;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  const quote = text.charAt(from);
  let index = from + 1;
  while (index < text.length && text.charAt(index) !== quote) index += text.charAt(index) === "\\" ? 2 : 1;
  return index;
}
