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

/** A path with the values that the router found for its parameters, however the request wrote them. */
export function filledPath(path: string, params: unknown): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values.get(name);
    return typeof value === "string" ? value : "";
  });
}

/** Names of a path's parameters, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

interface Known {
  readonly path: string;
  readonly pattern: RegExp;
  /** How many of its parts are parameters. */
  readonly open: number;
  readonly methods: readonly string[];
}

/** The known paths. If several match, those with the fewest parameters count: `/users/usage` is not `/users/{id}`. */
export class PathTable {
  readonly #paths: readonly Known[];

  constructor(routes: readonly Path[]) {
    this.#paths = routes.map((route) => ({
      path: route.path,
      pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`),
      open: pathParameters(route.path).length,
      methods: answersHead(route) ? [route.method, "HEAD"] : [route.method],
    }));
  }

  /** Methods that `path` (relative to the prefix) answers; empty for an unknown one. */
  methodsOf(path: string): string[] {
    const matching = this.#paths.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ open }) => open));
    return [...new Set(matching.filter(({ open }) => open === fewest).flatMap(({ methods }) => methods))].toSorted();
  }

  /**
   * Paths that this route would match too, and that are others' and do not know its method: the router gives it `PUT
   * /users/usage` as `PUT /users/{id}`, which is 405.
   */
  notOf({ path, method }: Path): readonly RegExp[] {
    const own = pathParameters(path).length;
    const within = this.#paths.filter(
      (other) => other.open < own && new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(other.path),
    );
    const knowing = new Set(within.filter(({ methods }) => methods.includes(method)).map((other) => other.path));
    return within.filter((other) => !knowing.has(other.path)).map(({ pattern }) => pattern);
  }
}
