// What lies outside a hidden base path: a web site, or nothing. Whatever is asked there, the panel itself never
// answers: no header and no word of it, whether or not something of it lies behind the address (rule http.hidden.1).
//
// On a further listener (`listeners/`) everything is outside, and only the answerers that it was opened for answer.
//
// Subscriptions have a path of their own outside. They answer a request that names the key of one; every other request
// gets what every unknown path gets, no sooner and no later.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { unmapped } from "../lib/addresses.ts";
import { sendFromSite } from "./interface/website.ts";
import { answerersFor, mainAnswerers, type AnswererName } from "./listeners/answerers.ts";
import type { WebsiteFolder } from "./ports.ts";
import { arrive, waited, type Elsewhere } from "./request/arrivals.ts";
import { faultOf, hasEndlessQuery, targetPath } from "./request/target.ts";
import { dropLeftover, refuseRequest } from "./answers/unreadable.ts";
import { Refusal } from "./refusals/errors.ts";

/**
 * Milliseconds from a request to the answer that nothing is there. A look into the database takes less, so that it
 * shows nowhere.
 */
const ANSWERED_AFTER = 10;
/** What proxies add: with one of these somebody else asks. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

export interface OutsideOptions {
  /** `` (nothing is hidden) or `/segment[/segment…]`. */
  readonly basePath: string;
  readonly website: WebsiteFolder | undefined;
  readonly pending: boolean;
  /** Whether the address is one of those that are served outside the base path. */
  readonly owns: (method: string, url: string) => boolean;
  /** Whether every answer ends its connection. */
  readonly leaving: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Whether a path is outside a base path. As it is written: the base path has one spelling. */
export function isOutside(basePath: string, path: string): boolean {
  return basePath !== "" && path !== basePath && !path.startsWith(`${basePath}/`);
}

/** Whether a request may become another protocol: inside, where WebSockets are. Others are asked as if they had not. */
export function mayUpgrade(basePath: string, request: IncomingMessage): boolean {
  return faultOf(request) === undefined && !isOutside(basePath, targetPath(request));
}

/** A program on this machine that asks for the panel's health without a base path. */
export function isLocalHealth(request: IncomingMessage): boolean {
  const { method, headers, socket } = request;
  if (targetPath(request) !== "/healthz" || (method !== "GET" && method !== "HEAD")) return false;
  const peer = unmapped(socket.remoteAddress ?? "");
  const isLoopback = peer === "::1" || (isIP(peer) === 4 && peer.startsWith("127."));
  return isLoopback && FORWARDING.every((name) => headers[name] === undefined);
}

export class Outside implements Elsewhere {
  readonly #options: OutsideOptions;
  /** The answerers of the main listener. */
  readonly #main: ReadonlySet<AnswererName>;

  constructor(options: OutsideOptions) {
    this.#options = options;
    this.#main = mainAnswerers(options.pending);
  }

  /** Answers what is outside, and hands everything else on, its address read. */
  before(routes: RequestListener): RequestListener {
    const { basePath, owns } = this.#options;
    return (request, response) => {
      const further = answerersFor(request);
      const answerers = further ?? this.#main;
      const fault = faultOf(request);
      const outside = further !== undefined || isOutside(basePath, targetPath(request));
      if (fault !== undefined)
        return outside
          ? sendBare(response, 400)
          : refuseRequest(request, response, new Refusal("bad_request", { message: fault }));
      if (!outside && hasEndlessQuery(request))
        return refuseRequest(request, response, new Refusal("bad_request", { message: "too many parameters" }));
      if (!outside) return routes(request, response);
      if (answerers.has("health") && isLocalHealth(request)) return routes(request, response);
      arrive(request, this);
      if (answerers.has("subscriptions") && owns(request.method ?? "", request.url ?? "")) routes(request, response);
      else void this.answer(request, response);
    };
  }

  /** The web site's file of the address, or nothing. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { leaving, onError } = this.#options;
    const website = (answerersFor(request) ?? this.#main).has("site") ? this.#options.website : undefined;
    response.once("finish", () => dropLeftover(request));
    clear(response);
    if (leaving()) response.setHeader("Connection", "close");
    try {
      if (website && (await sendFromSite(website, request, response))) return;
    } catch (error) {
      onError(error);
    }
    setTimeout(() => sendNothing(response), Math.max(0, ANSWERED_AFTER - waited(request)));
  }

  /** For what was to be looked up and could not be. */
  unavailable(request: IncomingMessage, response: ServerResponse): void {
    response.once("finish", () => dropLeftover(request));
    clear(response);
    sendBare(response, 503);
  }
}

/** The answer to what is not there, as any server gives it that has nothing. */
function sendNothing(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) response.writeHead(404, { "Content-Length": "0" }).end();
}

/** An answer without a word, after which the connection ends. */
export function sendBare(response: ServerResponse, status: 400 | 503): void {
  const retry = status === 503 ? { "Retry-After": "1" } : {};
  response.writeHead(status, { "Content-Length": "0", ...retry, Connection: "close" }).end();
}

/** What the panel had begun to say. */
function clear(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
}
