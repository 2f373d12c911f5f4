// What no parameter of a query string may be, whatever it is called: refused before anything asks for it.
import { invalid } from "../refusals/errors.ts";
import { rule } from "../refusals/rules.ts";
import type { Route } from "../route.ts";
import { refuseUnknown } from "./strict.ts";

/** In these an empty text says something. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["q", "cursor"]);

/**
 * No database stores or finds a NUL; in bodies it is refused too (body.ts). A parameter without a value says nothing: a
 * filter that was left empty by mistake would select everything. Three may: `q`, since every text holds the empty one,
 * `cursor`, which is where a list begins before its first page, and those of open routes, whose addresses other parties
 * make (identity providers).
 */
export function refuseVoidParameters(query: unknown, { auth }: Pick<Route, "auth">): void {
  for (const [name, value] of Object.entries(query ?? {})) {
    const texts = [value].flat();
    if (texts.some((text) => String(text).includes("\u0000"))) invalid(name, rule("unstorable_text"));
    if (auth !== "open" && !MAY_BE_EMPTY.has(name) && texts.some((text) => text === "")) invalid(name, rule("empty"));
  }
}

/**
 * A change that is only to be tried is never made: where a route has no dry run, `dryRun` is refused, whatever its
 * value (rule http.dry.1).
 */
export function refuseUntriable(query: unknown, { method, query: schema }: Pick<Route, "method" | "query">): void {
  if (method === "GET") return;
  const asked = Object.entries(query ?? {}).filter(([name]) => name === "dryRun");
  refuseUnknown({ query: Object.fromEntries(asked), parameters: [schema] });
}
