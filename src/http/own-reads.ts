// A read of the API without a request: what a GET of `/api/v1` answers to a main admin. The command line shows records
// by it, so that both always say the same.
import { z } from "zod";
import type { Caller } from "./caller.ts";
import { Refusal } from "./refusals/errors.ts";
import type { ListQuery, Page } from "./list-query.ts";
import { parseListQuery } from "./listing.ts";
import { pathParameters } from "./request/paths.ts";
import { validationRefusal } from "./refusals/refusals.ts";
import { hasOwnCursor, type AnyContext, type Method, type Route } from "./route.ts";
import { SCOPES } from "./scopes.ts";

/** A person who may run the command line may see everything. */
export const COMMAND_LINE: Caller = {
  via: "session",
  adminId: 0,
  username: "command line",
  role: "sudo",
  base: "sudo",
  owner: false,
  scopes: new Set(SCOPES),
  sessionId: 0,
  tokenId: 0,
  rateLimit: 0,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
};

/**
 * The answer of a GET to `target` (path below the prefix, with its query) by one of `routes`; a list comes in the
 * envelope of `/api/v1`. Throws what the API would refuse with. Only for routes that read, and that of their context
 * ask for input and caller alone.
 */
export async function readRoute(routes: readonly Route[], target: string): Promise<unknown> {
  const { route, values, given, path } = routeAt(routes, "GET", target);
  try {
    const list: ListQuery | undefined =
      route.list && parseListQuery(route.list, { surface: "v1", name: path, ownCursor: hasOwnCursor(route) }, given);
    const params = route.params?.parse(values);
    // What the handler's own type promises is what its schemas give here; a read asks for nothing else of its context.
    const context = {
      params,
      admitted: await route.admit?.(COMMAND_LINE, params),
      query: route.query?.parse(given),
      list,
      caller: COMMAND_LINE,
    } as unknown as AnyContext;
    const result = await route.handle(context);
    if (!list) return route.answer.parse(result);
    const { rows, total } = result as Page<unknown>;
    return { items: rows.map((row) => route.answer.parse(row)), total, limit: list.limit, offset: list.offset };
  } catch (error) {
    throw error instanceof z.ZodError ? validationRefusal(error, { ...values, ...given }) : error;
  }
}

/** A route and what a target gives it: the texts of its path's parameters, and of its query. */
interface Aimed {
  readonly route: Route;
  readonly values: Readonly<Record<string, string>>;
  readonly given: Readonly<Record<string, string>>;
  readonly path: string;
}

/** The one of `routes` that a target (path below the prefix, with its query) means; 404 for none. */
export function routeAt(routes: readonly Route[], method: Method, target: string): Aimed {
  const { pathname: path, searchParams } = new URL(target, "http://panel");
  for (const route of routes) {
    if (route.method !== method) continue;
    const match = new RegExp(`^${route.path.replace(/\{\w+\}/g, "([^/]+)")}$`).exec(path);
    if (!match) continue;
    const values = pathParameters(route.path).map(
      (name, index) => [name, decodeURIComponent(match[index + 1] ?? "")] as const,
    );
    return { route, values: Object.fromEntries(values), given: Object.fromEntries(searchParams), path };
  }
  throw new Refusal("not_found", { message: `there is no ${method} ${path} for the command line` });
}
