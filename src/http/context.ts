// What a handler is given and what it gives back: the facts of the request, its caller, and the one commit that carries
// its change.
import type { Readable } from "node:stream";
import type { Draft, Lock, Unit } from "../db/index.ts";
import type { ProxiedOrigin } from "./request/proxied-origin.ts";
import type { Origin } from "../lib/origin.ts";
import type { AuditAction } from "./audit.schema.ts";
import type { Caller } from "./caller.ts";
import type { ListQuery } from "./list-query.ts";
import type { Scope } from "./scopes.ts";

/**
 * What only some requests of a route need: the handler finds out which, and asks for it with `context.requireExtra`. A
 * route with several names the one that it asks for.
 */
export interface Extra {
  /** Completes "needed": "to change `address`". */
  readonly when: string;
  readonly also?: readonly Scope[];
  readonly sensitive?: boolean;
}

/**
 * What a change says for the audit log. `before` alone = deleted, `after` alone = created, both = only the fields that
 * differ; `obj` = as given.
 */
export interface AuditNote {
  readonly entityId: string | number;
  readonly before?: object;
  readonly after?: object;
  readonly obj?: Readonly<Record<string, unknown>>;
  /** In place of the declaration's, where what happens depends on the request. */
  readonly key?: string;
  readonly action?: AuditAction;
  /** The origin of the change, on open routes where the request has no caller. */
  readonly origin?: Origin;
}

/**
 * What `decide` gives back. `audit: null` = deliberately nothing to record; absent = a record without detail, where the
 * route declares `audit`.
 */
export interface Decision<A> {
  readonly answer: A;
  readonly audit?: AuditNote | null;
}

/** The change of a request. `decide` as in db's `Unit`: synchronous, pure, may run twice. */
export interface RouteUnit<A> {
  /** For logs; method and path unless said. */
  readonly name?: string;
  readonly locks: readonly Lock[];
  decide(draft: Draft): Decision<A>;
}

/** An answer whose bytes were fixed inside its transaction. Return it from the handler as it is. */
export class Rendered<A> {
  readonly answer: A;
  readonly body: string;
  readonly status: number;
  constructor(answer: A, body: string, status: number) {
    this.answer = answer;
    this.body = body;
    this.status = status;
  }
}

/** An answer that is not JSON: a document, a download, a redirect. The route must declare `produces`. */
export class RawAnswer {
  readonly contentType: string;
  readonly body: string | Uint8Array | Readable;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    contentType: string,
    body: string | Uint8Array | Readable,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType;
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** The answer of a list to requests that ask for another one than a page (`otherwise`). */
export class OtherAnswer<A> {
  readonly answer: A;
  constructor(answer: A) {
    this.answer = answer;
  }
}

/** Facts of the request that are neither caller nor input. */
export interface RequestFacts {
  /** Client address, with `X-Forwarded-For` believed from trusted proxies only. */
  readonly ip: string;
  /** `host[:port]` as the client wrote it. */
  readonly host: string;
  /** Whether the client's connection is TLS, also at a trusted proxy. */
  readonly tls: boolean;
  /** Where a trusted proxy says that it was asked; undefined: none is in between, or it says nothing. */
  readonly proxied: ProxiedOrigin | undefined;
  readonly userAgent: string;
  /** What the panel is served under: `` or `/segment[/segment…]`. */
  readonly basePath: string;
  readonly prefix: "/api" | "/api/v1";
  readonly header: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
}

/**
 * What a handler gets. `commit` must be the last change of the request: it carries the audit record and the stored
 * answer.
 */
export interface Context<P, Q, B, A, C = Caller> {
  readonly caller: C;
  readonly origin: Origin;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: RequestFacts;
  /** The body as it arrives, on routes that declare `stream`. */
  readonly stream: Readable;
  /** Carries out the request's change. Resolves after it is on disk. */
  readonly commit: (unit: RouteUnit<A>) => Promise<Rendered<A>>;
  /** The same for a request whose work goes on after its answer: it is answered 202 with what `accepted` says. */
  readonly accept: (unit: RouteUnit<unknown>) => Promise<Rendered<never>>;
  /**
   * Carries out an earlier part of work that needs several transactions; nothing of the request's answer rides along.
   */
  readonly submit: <T>(unit: Unit<T>) => Promise<T>;
  /**
   * Refuses what does not meet the route's `extra`, or the one given of several: 403 `scope`, then 428. Throws inside
   * `decide` too, where stored values say whether the request needs it.
   */
  readonly requireExtra: (extra?: Extra) => void;
  /**
   * Before something is looked at whose refusal (`charge`) costs this many requests: 429 for a session whose account
   * could not pay.
   */
  readonly requireSolvent: (requests: number) => void;
  /** Charges the caller for refusals that the answer itself tells; 429 where the budget does not cover them. */
  readonly requirePaid: (requests: number) => Promise<void>;
  /**
   * Made for who waits: aborted when the caller has left, or the panel stops. Nothing is waited for any longer then.
   */
  readonly signal: () => AbortSignal;
  /**
   * On routes that declare `stream`, once the body was read and before it is acted on: claims the request's idempotency
   * key. Resolves to the answer of the first request under it, to be returned as it is.
   */
  readonly repeated: (bodyDigest: string) => Promise<Rendered<never> | undefined>;
  /** For what waited: throws 401 or 403 where the caller's rights are no longer those that it came with. */
  readonly recheck: () => Promise<void>;
  readonly setHeader: (name: string, value: string) => void;
  /** `maxAge` in seconds; absent = until the browser closes. HttpOnly, SameSite=Lax, Path and Secure are set. */
  readonly setCookie: (name: string, value: string, maxAge?: number) => void;
  readonly clearCookie: (name: string) => void;
  /** Runs after the answer was handed to the socket. Errors are logged. */
  readonly afterResponse: (action: () => void | Promise<void>) => void;
}

/** The parameters of a list, in addition to the context. */
export interface ListContext<P, Q, S extends string> extends Omit<
  Context<P, Q, undefined, never>,
  "commit" | "accept" | "submit" | "repeated" | "stream" | "body" | "requireSolvent" | "requirePaid"
> {
  readonly list: ListQuery<S>;
}
