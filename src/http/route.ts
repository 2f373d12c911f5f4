// A route is a declaration. From the table of declarations come both prefixes, validation, the OpenAPI document, `GET
// /api/scopes`, the audit record, idempotency, rate limit headers and the refusals in their order; a handler contains
// no rule that another route shares.
//
// A list (rows under both prefixes, rule http.list.1; filters in addition to the common parameters go into `query`):
//
//   listRoute({
//     path: "/tags", scope: "users:read", summary: "Tags", item: Tag,
//     list: {
//       q: ["name", "description"], updatedAt: "updated_at", order: "name, id",
//       sorts: { id: "id", name: "name" },
//     },
//     query: z.object({ colour: z.string().optional() }),
//     handle: async ({ list, query }) => {
//       const where = query.colour === undefined ? [] : [sql<boolean>`colour = ${query.colour}`];
//       const page = await pageOf(reads, TagRows, list, { where });
//       return { rows: page.rows.map(tagView), total: page.total };
//     },
//   })
//
// A create: the change, its audit record, and the answer that a repeat under the same Idempotency-Key replays are one
// transaction. `decide` is pure and may run twice; hash, encrypt and ask the network before it.
//
//   route({
//     method: "POST", path: "/tags", scope: "users:write", tiers: ["sudo", "admin"], summary: "Create a tag",
//     body: TagBody, answer: Tag, audit: { key: "tags", action: "create" }, statuses: [400],
//     handle: ({ body, commit }) =>
//       commit({
//         locks: [],
//         decide(draft) {
//           const row = { id: draft.nextId(TagRows.name), ...body, createdAt: draft.time, updatedAt: draft.time };
//           draft.insert(TagRows, row);
//           return { answer: tagView(row), audit: { entityId: row.id, after: row } };
//         },
//       }),
//   })
//
// A read by id; what is refused is thrown:
//
//   route({
//     method: "GET", path: "/tags/{id}", scope: "users:read", summary: "One tag", params: idParams, answer: Tag,
//     handle: async ({ params }) => tagView((await reads.find(TagRows, params.id)) ?? notFound("tag", params.id)),
//   })
import type { WebSocket } from "ws";
import { z } from "zod";
import type { AuditAction } from "./audit.schema.ts";
import type { Caller, Tier } from "./caller.ts";
import type { Context, Extra, ListContext, OtherAnswer, RawAnswer, Rendered, RequestFacts } from "./context.ts";
import type { ListColumns, ListQuery, Page } from "./list-query.ts";
import type { CloserCode } from "./refusals/code.schema.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Awaitable<T> = T | Promise<T>;
type Nothing = z.ZodUndefined;

interface Described {
  /** Relative to `/api`, parameters in braces: `/users/{id}`. */
  readonly path: `/${string}`;
  /** Scope that a caller needs; "" = every caller, "-" = sessions only, no token whatever its scopes. */
  readonly scope: Scope | "" | "-";
  /** A scope that is enough instead of `scope`; the handler finds out what such a caller may see. */
  readonly or?: Scope;
  /** Further scopes that every caller also needs. */
  readonly also?: readonly Scope[];
  /** Tiers that reach it; absent = all. */
  readonly tiers?: readonly Tier[];
  /** One line for the description document. */
  readonly summary: string;
  readonly description?: string;
  /**
   * Further statuses that it can answer, apart from success and those that every route shares (401, 403, 429, 500,
   * 503).
   */
  readonly statuses?: readonly number[];
  /** Codes of its refusals that say more than the refusal's name; their statuses count as named. */
  readonly codes?: readonly CloserCode[];
  /** The request must say in words that it means what it does; else 400 `confirm`. */
  readonly worded?: boolean;
}

interface Sessions {
  /**
   * A session with two-factor on whose second factor is older than ten minutes is answered 428. For only some requests
   * of a route: `extra`.
   */
  readonly sensitive?: boolean;
  readonly extra?: Extra | readonly Extra[];
  /**
   * Status for a token on a session-only route: 403, or 400 where it is about the session itself (rule admins.token.9).
   */
  readonly tokenStatus?: 400 | 403;
}

interface Names {
  /** NUL in a parameter of the path reaches the handler, which refuses it; else it names nothing (404). */
  readonly refusesNul?: true;
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
}

interface Change {
  /** Recorded with every answered write (rules admins.audit): `key` is the collection's wire name. */
  readonly audit?: { readonly key: string; readonly action: AuditAction };
  /** Bytes; unless said 1 MiB, and 16 KiB on open routes. */
  readonly bodyLimit?: number;
  /**
   * The body is handed over unread as `context.stream`, whatever its content type; no `body` schema and no idempotency
   * then.
   */
  readonly stream?: boolean;
  /** False: `Idempotency-Key` is ignored. */
  readonly idempotent?: boolean;
  /** The answer carries a secret: what is stored for replays is sealed. */
  readonly secretAnswer?: boolean;
  /**
   * Wire fields of unique columns, by property, where they differ: `{ usernameKey: "username" }`. For the `field` of a
   * duplicate.
   */
  readonly uniqueFields?: Readonly<Record<string, string>>;
}

interface Success<A extends z.ZodType> {
  /** JSON answer; members it does not name are not sent. */
  readonly answer: A;
  /** 200 unless said. */
  readonly status?: number;
  /** What a request is answered with 202 whose work goes on after the answer (`accept`). */
  readonly accepted?: z.ZodType;
  /** Content type of a `RawAnswer`, or all of them where it depends on the request. */
  readonly produces?: string | readonly string[];
}

export interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, M = void>
  extends Described, Sessions, Names, Input<P, Q, B>, Change, Success<A> {
  readonly method: Method;
  /** Rights beyond the scope that depend on the query (as it came, unchecked), decided with the scope: throws 403. */
  reach?(caller: Caller, query: unknown): void;
  /**
   * Ownership, decided before the rate limit and the body's validation (rule http.error.2): throws 403 or 404. What it
   * read for that is the handler's `admitted`.
   */
  admit?(caller: Caller, params: z.output<P>): Awaitable<M>;
  handle(
    context: Context<z.output<P>, z.output<Q>, z.output<B>, z.input<A>> & { readonly admitted: M },
  ): Awaitable<z.input<A> | Rendered<z.input<A>> | RawAnswer>;
}

export interface OpenRouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>
  extends Omit<Described, "scope" | "tiers">, Input<P, Q, B>, Change, Success<A> {
  readonly method: Method;
  handle(
    context: Context<z.output<P>, z.output<Q>, z.output<B>, z.input<A>, Caller | undefined>,
  ): Awaitable<z.input<A> | Rendered<z.input<A>> | RawAnswer>;
}

export interface ListRouteSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  I extends z.ZodType,
  S extends string,
  O extends z.ZodType = Nothing,
>
  extends Described, Pick<Sessions, "tokenStatus">, Input<P, Q, Nothing> {
  /** One row. */
  readonly item: I;
  readonly list: ListColumns<S>;
  admit?(caller: Caller, params: z.output<P>): Awaitable<void>;
  /** What some requests are answered instead of a page. */
  readonly otherwise?: O;
  handle(context: ListContext<z.output<P>, z.output<Q>, S>): Awaitable<Page<z.input<I>> | OtherAnswer<z.input<O>>>;
}

/** A context of any route. */
export type AnyContext = Context<never, never, never, never> & { readonly list: ListQuery; readonly admitted: never };

/** A declaration as the server reads it. Made by `route`, `openRoute` and `listRoute` only. */
export interface Route extends Described, Sessions, Names, Change {
  readonly method: Method;
  readonly auth: "open" | "any" | "session";
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  /** The answer, or one row of a list. */
  readonly answer: z.ZodType;
  readonly otherwise?: z.ZodType;
  readonly accepted?: z.ZodType;
  readonly status: number;
  readonly produces?: string | readonly string[];
  readonly list: ListColumns | undefined;
  reach?(caller: Caller, query: unknown): void;
  admit?(caller: Caller, params: unknown): Awaitable<unknown>;
  handle(context: AnyContext): Awaitable<unknown>;
}

/** What some requests of a route need, as a list. */
export function extrasOf({ extra }: Pick<Route, "extra">): readonly Extra[] {
  if (extra === undefined) return [];
  return "when" in extra ? [extra] : extra;
}

/** Whether `Idempotency-Key` counts on a route: every change by a known caller. */
export function takesKeys({ method, auth, idempotent }: Pick<Route, "method" | "auth" | "idempotent">): boolean {
  return method !== "GET" && auth !== "open" && idempotent !== false;
}

/** Whether a list's route reads a `cursor` that is not the list's. */
export function hasOwnCursor({ query }: Pick<Route, "query">): boolean {
  return query instanceof z.ZodObject && "cursor" in query.shape;
}

const common = { params: undefined, query: undefined, body: undefined, status: 200, list: undefined } as const;

/** Declares a route for authenticated callers. */
export function route<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodUnknown,
  M = void,
>(spec: RouteSpec<P, Q, B, A, M>): Route {
  // The server calls handlers and `admit` only with what the spec's own schemas gave.
  return { ...common, ...spec, auth: spec.scope === "-" ? "session" : "any" } as unknown as Route;
}

/** Declares a route that needs no credential. A caller that sends one is known to the handler. */
export function openRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  A extends z.ZodType = z.ZodUnknown,
>(spec: OpenRouteSpec<P, Q, B, A>): Route {
  return { ...common, ...spec, scope: "", auth: "open" } as unknown as Route;
}

/** Declares a list. */
export function listRoute<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  I extends z.ZodType = z.ZodUnknown,
  S extends string = string,
  O extends z.ZodType = Nothing,
>(spec: ListRouteSpec<P, Q, I, S, O>): Route {
  const { item, ...rest } = spec;
  return {
    ...common,
    ...rest,
    method: "GET",
    answer: item,
    auth: spec.scope === "-" ? "session" : "any",
  } as unknown as Route;
}

/** A WebSocket route: upgraded after the same checks as a GET; cookies only from the panel's own origin. */
export interface SocketSpec<P extends z.ZodType, Q extends z.ZodType> extends Described, Input<P, Q, Nothing> {
  /** What each frame from the panel is, as JSON. */
  readonly frames?: z.ZodType;
  admit?(caller: Caller, params: z.output<P>): Awaitable<void>;
  /**
   * The socket is closed when the credential ends (4401) or its rights change (4403): the caller is good for as long as
   * it is open. Listeners must be attached before the first await.
   */
  handle(socket: WebSocket, context: SocketContext<z.output<P>, z.output<Q>>): void;
}

export interface SocketContext<P, Q> {
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly request: RequestFacts;
}

export interface Socket extends Described {
  readonly frames?: z.ZodType;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly auth: "any" | "session";
  admit?(caller: Caller, params: unknown): Awaitable<void>;
  handle(socket: WebSocket, context: SocketContext<never, never>): void;
}

/** Declares a WebSocket route. */
export function socket<P extends z.ZodType = Nothing, Q extends z.ZodType = Nothing>(spec: SocketSpec<P, Q>): Socket {
  return {
    params: undefined,
    query: undefined,
    ...spec,
    auth: spec.scope === "-" ? "session" : "any",
  } as unknown as Socket;
}
