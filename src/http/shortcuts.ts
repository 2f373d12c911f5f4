// Requests that are answered before the framework sees them. What clients ask for all day (a subscription that is kept
// in memory) is answered with one look-up; the framework's router, its request and its hooks cost as much as the whole
// answer. A shortcut answers exactly as its routes do, and leaves to them whatever it is not sure of.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AddressList } from "../lib/addresses.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal } from "../lib/signals.ts";
import { SECURITY_HEADERS } from "./answers/replies.ts";
import { outsideOf } from "./request/arrivals.ts";
import { clientAddress } from "./request/client-address.ts";
import { proxiedOrigin, type ProxiedOrigin } from "./request/proxied-origin.ts";
import type { UntrustedProxies } from "./request/untrusted-proxies.ts";
import { requestIdFor } from "./request/request-id.ts";

/** An answer as it goes to the socket. */
export interface ShortAnswer {
  readonly status: number;
  /** See `headOf`. */
  readonly head: readonly string[];
  /** A buffer is UTF-8. */
  readonly body: string | Buffer;
  /** It is for whoever knows of the panel: outside a hidden base path it is as if nothing were there. */
  readonly hidden?: true;
}

/** What a shortcut is told of a request. */
export interface ShortRequest {
  /** The path and the query, as they were sent. */
  readonly url: string;
  readonly method: "GET" | "HEAD";
  readonly headers: IncomingMessage["headers"];
  /** The client's address, see `clientAddress`. */
  readonly ip: () => string;
  /** Where a trusted proxy says that it was asked, see `proxiedOrigin`. */
  readonly proxied: () => ProxiedOrigin | undefined;
}

export interface Shortcut {
  /** Whether the address is one of its own, as far as this process knows. Nothing is counted for it. */
  takes(url: string): boolean;
  /** The answer; undefined: the routes answer, and nothing was counted for the request. */
  answer(request: ShortRequest): ShortAnswer | undefined | Promise<ShortAnswer | undefined>;
}

export interface ShortcutOptions {
  /** Whether requests are answered as usual: neither at the start nor at the end, and no line is written for each. */
  readonly open: () => boolean;
  /** See `HttpOptions.caughtUp`. */
  readonly caughtUp: (() => Promise<void> | undefined) | undefined;
  readonly trustedProxies: () => AddressList;
  readonly untrusted?: UntrustedProxies | undefined;
  readonly onError: (error: unknown) => void;
  /** Hears of what was answered here, as the route `(plugin)`. */
  readonly requests?: Signal<SignalTable["http.request"]>;
}

/**
 * The headers of an answer with those that every answer has: names in lower case and values, one after the other. The
 * length of the body and the name of the request come with each answer.
 */
export function headOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const all = new Map<string, string>(Object.entries(SECURITY_HEADERS));
  for (const [name, value] of Object.entries(headers)) all.set(name.toLowerCase(), value);
  return [...all].flat();
}

/** The same by the framework, for what a shortcut left to it. */
export function sendShort(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, head, body, hidden }: ShortAnswer,
): void {
  const outside = hidden && outsideOf(request.raw);
  if (outside) {
    reply.hijack();
    return void outside.answer(request.raw, reply.raw);
  }
  for (let at = 0; at < head.length; at += 2) reply.header(head[at] ?? "", head[at + 1]);
  reply.code(status).send(body);
}

export class Shortcuts {
  readonly #options: ShortcutOptions;
  readonly #all: Shortcut[] = [];

  constructor(options: ShortcutOptions) {
    this.#options = options;
  }

  add(shortcut: Shortcut): void {
    this.#all.push(shortcut);
  }

  /** Answers what it can, and hands everything else on as it came. */
  before(routes: RequestListener): RequestListener {
    return (request, response) => {
      const shortcut = this.#for(request);
      if (!shortcut) return routes(request, response);
      const onward = (error: unknown): void => {
        // The routes meet the same error, and say it as they say all errors.
        if (!response.headersSent) return routes(request, response);
        this.#options.onError(error);
        response.destroy();
      };
      try {
        const caughtUp = this.#options.caughtUp?.();
        if (caughtUp) caughtUp.then(() => this.#answer(shortcut, request, response, routes)).catch(onward);
        else this.#answer(shortcut, request, response, routes)?.catch(onward);
      } catch (error) {
        onward(error);
      }
    };
  }

  #for({ method, headers, url = "" }: IncomingMessage): Shortcut | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const shortcut = this.#all.find((each) => each.takes(url));
    // A body is for the routes, which know what to do with one that nobody reads.
    if (!shortcut || headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      return undefined;
    return this.#options.open() ? shortcut : undefined;
  }

  #answer(
    shortcut: Shortcut,
    request: IncomingMessage,
    response: ServerResponse,
    routes: RequestListener,
  ): Promise<void> | undefined {
    const { url = "", headers } = request;
    const asked: ShortRequest = {
      url,
      method: request.method === "HEAD" ? "HEAD" : "GET",
      headers,
      ip: () => clientAddress(request, this.#options.trustedProxies, this.#options.untrusted),
      proxied: () => proxiedOrigin(request, this.#options.trustedProxies),
    };
    const begun = this.#options.requests?.begun();
    // What waited may find the panel at its end.
    const answered = this.#options.open() ? shortcut.answer(asked) : undefined;
    if (answered instanceof Promise)
      return answered.then((found) => this.#send(found, request, response, routes, begun));
    this.#send(answered, request, response, routes, begun);
    return undefined;
  }

  #send(
    answer: ShortAnswer | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    routes: RequestListener,
    begun: number | undefined,
  ): void {
    if (!answer) return routes(request, response);
    const { status, head, body, hidden } = answer;
    const outside = hidden && outsideOf(request);
    if (outside) return void outside.answer(request, response);
    const id = requestIdFor(request.headers["x-request-id"]);
    const length = String(typeof body === "string" ? Buffer.byteLength(body) : body.length);
    // In the order in which the framework writes them.
    response.writeHead(status, ["x-request-id", id, ...head, "content-length", length]).end(body);
    const { requests } = this.#options;
    if (requests && begun !== undefined)
      requests.tell({
        method: request.method === "HEAD" ? "HEAD" : "GET",
        route: "(plugin)",
        status,
        ms: requests.since(begun),
      });
  }
}
