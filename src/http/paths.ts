// The table of paths: from declarations to the router's spelling, and which methods a path knows (405).
import type { Method } from "./route.ts";

/** `/users/{id}` as the router writes it: `/users/:id`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** Names of a path's parameters, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

export class PathTable {
  readonly #paths: { readonly pattern: RegExp; readonly method: Method }[];

  constructor(routes: readonly { readonly path: string; readonly method: Method }[]) {
    this.#paths = routes.map(({ path, method }) => ({ method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }));
  }

  /** Methods that `path` (relative to the prefix) answers; empty for an unknown one. */
  methodsOf(path: string): string[] {
    const methods = this.#paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    const all: string[] = methods.includes("GET") ? [...methods, "HEAD"] : methods;
    return [...new Set(all)].toSorted();
  }
}
