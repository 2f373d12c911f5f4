// The table of paths: from declarations to the router's spelling, and which methods a path knows (405).
import type { Route } from "../route.ts";

type Path = Pick<Route, "path" | "method" | "audit">;

/**
 * HEAD is answered as GET is, without the body; but not where a GET changes something (the way back from an identity
 * provider): looking at a link must not use it up.
 */
export function answersHead({ method, audit }: Omit<Path, "path">): boolean {
  return method === "GET" && audit === undefined;
}

/** `/users/{id}` as the router writes it: `/users/:id`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** Names of a path's parameters, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

export class PathTable {
  readonly #paths: { readonly pattern: RegExp; readonly methods: readonly string[] }[];

  constructor(routes: readonly Path[]) {
    this.#paths = routes.map((route) => ({
      methods: answersHead(route) ? [route.method, "HEAD"] : [route.method],
      pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  }

  /** Methods that `path` (relative to the prefix) answers; empty for an unknown one. */
  methodsOf(path: string): string[] {
    return [
      ...new Set(this.#paths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
    ].toSorted();
  }
}
