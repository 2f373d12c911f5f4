// A read of the API without a request: what a GET of `/api/v1` answers to a main admin. The command line shows actors
// by it, so that both always say the same.
import { z } from "zod";
import type { Caller } from "./caller.ts";
import { Refusal } from "./refusals/errors.ts";
import { parseListQuery, type ListQuery, type Page } from "./listing.ts";
import { pathParameters } from "./request/paths.ts";
import { validationRefusal } from "./refusals/refusals.ts";
import { hasOwnCursor, type AnyContext, type Route } from "./route.ts";
import { SCOPES } from "./scopes.ts";

/** A person who may run the command line may see everything. */
const mainAdmin: Caller = {
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
  const url = new URL(target, "http://panel");
  const found = find(routes, url.pathname);
  if (!found) throw new Refusal("not_found", { message: `there is no ${url.pathname} to read` });
  const { route, values } = found;
  const given = Object.fromEntries(url.searchParams);
  try {
    const list: ListQuery | undefined =
      route.list &&
      parseListQuery(route.list, { surface: "v1", name: url.pathname, ownCursor: hasOwnCursor(route) }, given);
    // What the handler's own type promises is what its schemas give here; a read asks for nothing else of its context.
    const context = {
      params: route.params?.parse(values),
      query: route.query?.parse(given),
      list,
      caller: mainAdmin,
    } as unknown as AnyContext;
    const result = await route.handle(context);
    if (!list) return route.answer.parse(result);
    const { rows, total } = result as Page<unknown>;
    return { items: rows.map((row) => route.answer.parse(row)), total, limit: list.limit, offset: list.offset };
  } catch (error) {
    throw error instanceof z.ZodError ? validationRefusal(error, { ...values, ...given }) : error;
  }
}

function find(routes: readonly Route[], path: string): { route: Route; values: Record<string, string> } | undefined {
  for (const route of routes) {
    if (route.method !== "GET") continue;
    const match = new RegExp(`^${route.path.replace(/\{\w+\}/g, "([^/]+)")}$`).exec(path);
    if (!match) continue;
    const values = pathParameters(route.path).map(
      (name, index) => [name, decodeURIComponent(match[index + 1] ?? "")] as const,
    );
    return { route, values: Object.fromEntries(values) };
  }
  return undefined;
}
