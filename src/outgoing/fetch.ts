// HTTP/1.1 to addresses that operators type: webhooks, identity providers, keys of clients (rules certificates.target).
//
// Invariants: each hop is a new connection by `connect.ts`, since a kept one could be to an address of before the
// check; every redirect is checked again; the whole exchange ends within its time, and an answer within its size. Plain
// http is allowed only where private targets are.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Signals } from "../lib/signals.ts";
import { chunksOf, collect, beginningOf, type Beginning } from "./answer-body.ts";
import type { Proxy } from "./connect.ts";
import { Deadline } from "./deadline.ts";
import { exchange, type RequestBody } from "./exchange.ts";
import { failureOf, OutgoingError } from "./failure.ts";
import { parseTarget, type Resolve } from "./target.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request whose answer is read as it comes. All times are milliseconds. */
export interface StreamRequest {
  readonly url: string;
  /** The setting `webhook_allow_private`: private and loopback targets, and plain http. */
  readonly allowPrivate: boolean;
  /** For everything: names, connections, redirects, both bodies. For a long poll it is long. */
  readonly timeout: number;
  /** Until a hop's connection is there; `timeout` unless given. */
  readonly connectTimeout?: number;
  /** Without a byte that moves while a body is sent or read; `timeout` unless given. */
  readonly idleTimeout?: number;
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** How many redirects to follow (GET and HEAD only). Default 0: a 3xx is the answer. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
  readonly proxy?: Proxy;
  /** Certificates (PEM) to trust in addition to the system's. */
  readonly ca?: string;
  /** Bytes of the answer's body; a longer one is `too_large`. */
  readonly maxBytes: number;
}

/** A request whose answer is kept whole. */
export interface OutgoingRequest extends Omit<StreamRequest, "maxBytes"> {
  /** Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * Resolve soon after the answer's head: with as much of the body as comes within so many milliseconds, of `bytes` at
   * most. How it goes on does not matter.
   */
  readonly beginning?: Beginning;
}

interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export interface OutgoingResponse extends Head {
  readonly body: Buffer;
}

export interface StreamedResponse extends Head {
  /** To be read once. Rejects with an OutgoingError. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the exchange, for a caller who reads no further. */
  end(): void;
}

export type Fetch = (request: OutgoingRequest) => Promise<OutgoingResponse>;
export type Stream = (request: StreamRequest) => Promise<StreamedResponse>;

const DEFAULT_MAX_BYTES = 1 << 20;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What is meant for one origin is not told to another. */
const CONFIDENTIAL = /^(authorization|proxy-authorization|cookie)$/i;

interface Answered {
  readonly head: Head;
  readonly incoming: IncomingMessage;
  readonly deadline: Deadline;
}

/** Makes both forms of the client. */
export function createFetch(resolve: Resolve, signals: Signals): { readonly fetch: Fetch; readonly stream: Stream } {
  const told = signals.of("outgoing.request");

  /** Resolves with the answer's head. The deadline ends with the body, or with whoever leaves it. */
  async function answerTo(request: Omit<StreamRequest, "maxBytes">): Promise<Answered> {
    const begun = told.begun();
    const tell = (status: number): void => {
      if (begun !== undefined) told.tell({ method: request.method ?? "GET", status, ms: told.since(begun) });
    };
    const deadline = new Deadline(request.timeout, request.signal);
    try {
      const answered = await follow(request, resolve, deadline);
      answered.incoming.once("close", () => deadline.end());
      tell(answered.head.status);
      return answered;
    } catch (error) {
      deadline.end();
      tell(0);
      throw failureOf(error);
    }
  }

  return {
    async fetch(request) {
      const { head, incoming, deadline } = await answerTo(request);
      if (request.beginning) return { ...head, body: await beginningOf(incoming, request.beginning) };
      const limits = { maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES, idle: request.idleTimeout };
      return { ...head, body: await collect(chunksOf(incoming, limits, deadline.signal)) };
    },
    async stream(request) {
      const { head, incoming, deadline } = await answerTo(request);
      const limits = { maxBytes: request.maxBytes, idle: request.idleTimeout };
      return {
        ...head,
        body: chunksOf(incoming, limits, deadline.signal),
        end: () => void incoming.destroy(),
      };
    },
  };
}

async function follow(
  request: Omit<StreamRequest, "maxBytes">,
  resolve: Resolve,
  deadline: Deadline,
): Promise<Answered> {
  const { allowPrivate, body, method = "GET", connectTimeout, idleTimeout, proxy, ca } = request;
  let url = parseTarget(request.url, allowPrivate);
  let headers = request.headers ?? {};
  const allowed = method === "GET" || method === "HEAD" ? (request.redirects ?? 0) : 0;
  for (let hop = 0; ; hop++) {
    const wish = { method, url, headers, body, allowPrivate, proxy, ca, connectTimeout, idle: idleTimeout };
    const incoming = await exchange(wish, resolve, deadline.signal);
    const head = { status: incoming.statusCode ?? 0, headers: incoming.headers, url: url.href };
    const location = incoming.headers.location;
    if (allowed === 0 || location === undefined || !REDIRECTS.includes(head.status))
      return { head, incoming, deadline };
    incoming.destroy();
    if (hop >= allowed) throw new OutgoingError("redirect", `more than ${allowed} redirects`);
    if (!URL.canParse(location, url.href))
      throw new OutgoingError("redirect", "redirected to something that is no URL");
    const next = parseTarget(new URL(location, url).href, allowPrivate);
    if (next.origin !== url.origin)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !CONFIDENTIAL.test(name)));
    url = next;
  }
}
