// How a code of the agent's notices is declared: which values belong to it, and its sentence in English. The sentence
// is made from the code here and nowhere else; pages have words of their own for each code.

/** `texts`: any number of texts, at the end alone. */
export type Shape = "text" | "count" | "texts";

export type ValuesOf<S extends readonly Shape[]> = S extends readonly [
  infer First,
  ...infer Rest extends readonly Shape[],
]
  ? First extends "texts"
    ? string[]
    : [First extends "count" ? number : string, ...ValuesOf<Rest>]
  : [];

export interface Declared<S extends readonly Shape[]> {
  readonly shape: S;
  readonly tell: (...values: ValuesOf<S>) => string;
}

export function declare<const S extends readonly Shape[]>(
  shape: S,
  tell: (...values: ValuesOf<S>) => string,
): Declared<S> {
  return { shape, tell };
}

/** A code without values. */
export function plain(sentence: string): Declared<readonly []> {
  return { shape: [], tell: () => sentence };
}

const NAMES: Readonly<Record<string, string>> = { xray: "Xray", embedded: "the embedded engine" };

export function engineName(engine: string): string {
  return Object.hasOwn(NAMES, engine) ? (NAMES[engine] ?? engine) : engine;
}

/** `a`, `a or b`, `a, b or c`. */
export function joined(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** The end of a sentence: which engines do what this one does not. `by`: their names, with commas between them. */
export function byOthers(by: string): string {
  const engines = by.split(",").filter((name) => name !== "");
  if (engines.length === 0) return "";
  return `; ${joined(engines.map(engineName), "and")} ${engines.length === 1 ? "does" : "do"}`;
}

/** `user 7`, `users 7, 9 and 3 more`. */
export function usersNamed(shown: string, more: number): string {
  return `${shown.includes(",") ? "users" : "user"} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}
