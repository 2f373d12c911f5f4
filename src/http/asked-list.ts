// A list as a request asks for it: its parameters, and the page that answers with the way to the next one.
import { z } from "zod";
import type { RequestFacts } from "./context.ts";
import { cursorOf } from "./keyset.ts";
import type { ListQuery, Page } from "./list-query.ts";
import { listParameters, parseListQuery, type Surface } from "./listing.ts";
import { validationRefusal } from "./refusals/refusals.ts";
import { hasOwnCursor, type Route } from "./route.ts";

/** The parts of a request that decide; `Incoming` says what each is. */
interface Asking {
  readonly route: Route;
  readonly facts: RequestFacts;
  readonly params: unknown;
  readonly query: unknown;
  readonly path: string;
  readonly rawQuery: string;
}

/** The parameters that the route's list takes; undefined: it has none. */
export function askedParameters({ route, facts }: Asking) {
  return route.list && listParameters(route.list, surfaceOf(facts), hasOwnCursor(route));
}

/** Reads the parameters of the route's list; undefined: it has none. Throws 400. */
export function askedList(asking: Asking): ListQuery | undefined {
  const { route, facts, query } = asking;
  if (!route.list) return undefined;
  try {
    const place = { surface: surfaceOf(facts), name: nameOf(asking), ownCursor: hasOwnCursor(route) };
    return parseListQuery(route.list, place, query);
  } catch (error) {
    throw error instanceof z.ZodError ? validationRefusal(error, query) : error;
  }
}

export function isPage(value: unknown): value is Page<unknown> {
  return typeof value === "object" && value !== null && "rows" in value && "total" in value;
}

/** Envelope under `/api/v1`, bare array under `/api`; the total is a header on both. */
export function answerPage(asking: Asking, { rows, total }: Page<unknown>, list: ListQuery) {
  const items = rows.map((row) => asking.route.answer.parse(row));
  const enveloped = surfaceOf(asking.facts) === "v1";
  const body = JSON.stringify(enveloped ? { items, total, limit: list.limit, offset: list.offset } : items);
  const next = nextPage(asking, { rows, total }, list);
  return { body, headers: { "x-total-count": String(total), ...(next === undefined ? {} : { link: next }) } };
}

/** Where the rest of a list is: after the last row, or, of lists that have no keys, so many rows further on. */
function nextPage(asking: Asking, { rows, total }: Page<unknown>, list: ListQuery): string | undefined {
  const { path, rawQuery, query } = asking;
  const { keyset, limit, offset } = list;
  const rest = new URLSearchParams(rawQuery);
  if (keyset?.next) {
    rest.delete("offset");
    rest.set("cursor", cursorOf(nameOf(asking), query, keyset.next));
  } else {
    if (keyset?.after !== undefined || limit === undefined || offset + rows.length >= total) return undefined;
    rest.set("offset", String(offset + rows.length));
  }
  return `<${path}?${rest.toString()}>; rel="next"`;
}

/** The list's path, to which its cursors are bound. */
function nameOf({ route, params }: Asking): string {
  return JSON.stringify([route.path, params ?? null]);
}

function surfaceOf({ prefix }: RequestFacts): Surface {
  return prefix === "/api/v1" ? "v1" : "api";
}
