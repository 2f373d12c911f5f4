// The one HTTP client for addresses that operators type: webhooks, rule sets, ACME directories, identity providers
// (rules certificates.target).
//
// Invariants: a private target is refused unless allowed, checked on the addresses that a name resolved to, and the
// connection goes to exactly these; every redirect is checked again; the whole exchange ends within its time and its
// size. Plain http is allowed only where private targets are.
import { lookup as systemLookup } from "node:dns/promises";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPrivateAddress, isPrivateName } from "./private-addresses.ts";

/** What was wrong: `url`, `https`, `credentials` and `private` will not change by repeating; the others may. */
export type GuardedFailure =
  | "url"
  | "https"
  | "credentials"
  | "private"
  | "resolve"
  | "connect"
  | "timeout"
  | "too_large"
  | "redirect"
  | "aborted";

/** A request that was refused or got no whole answer. The message is a sentence that may be shown to the operator. */
export class GuardedFetchError extends Error {
  override readonly name = "GuardedFetchError";
  readonly reason: GuardedFailure;
  /** The host, for the reasons `resolve` and `private`; else empty. */
  readonly host: string;
  constructor(
    reason: GuardedFailure,
    message: string,
    { host = "", ...options }: ErrorOptions & { readonly host?: string } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.host = host;
  }
}

/** All addresses of a host name, as text. Rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface GuardedRequest {
  readonly url: string;
  /** The setting `webhook_allow_private`: private and loopback targets, and plain http. */
  readonly allowPrivate: boolean;
  /** Milliseconds for everything: name, connection, redirects, answer. */
  readonly timeout: number;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Bytes of the answer's body that are kept; a longer one is `too_large`. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * Resolve soon after the answer's head: with as much of the body as comes within so many milliseconds, of `bytes` at
   * most. How it goes on does not matter.
   */
  readonly beginning?: { readonly bytes: number; readonly within: number };
  /** How many redirects to follow (GET and HEAD only). Default 0: a 3xx is the answer. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
  /** Certificates to trust in addition to the system's. */
  readonly ca?: string;
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResponse>;

const DEFAULT_MAX_BYTES = 1 << 20;
/** Bytes that are read of an answer that nobody reads further, so that the other side can finish its write. */
const DRAINED_BYTES = 64 << 10;

/**
 * Addresses by the system's resolver, which also reads the hosts file. It occupies one of few threads for as long as it
 * takes, so requests for one name share one look-up.
 */
function systemResolver(): Resolve {
  const running = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const known = running.get(host);
    if (known) return known;
    const started = systemLookup(host, { all: true })
      .then((found) => found.map(({ address }) => address))
      .finally(() => running.delete(host));
    running.set(host, started);
    return started;
  };
}

/**
 * Parses an address that an operator typed; throws GuardedFetchError (`url`) with a sentence for what is no usable
 * http(s) URL.
 */
export function parseTarget(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new GuardedFetchError("url", "must be an absolute http or https URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new GuardedFetchError("url", "must be an absolute http or https URL");
  if (url.protocol === "http:" && !allowPrivate)
    throw new GuardedFetchError("https", "must be an https URL unless webhook_allow_private is true");
  if (url.username !== "" || url.password !== "")
    throw new GuardedFetchError("credentials", "must not carry a user name or password");
  return url;
}

/** The host of a URL as a resolver takes it: an IPv6 address without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The addresses that may be connected to. A name with even one private address is refused: which one answers is not
 * ours to choose.
 */
async function permittedAddresses(url: URL, allowPrivate: boolean, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url);
  // Such a name means this host or its network, whoever answers for it. It is refused even if it does not resolve now.
  if (!allowPrivate && isIP(host) === 0 && isPrivateName(host)) throw privateTarget(host);
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await resolve(host) : [host];
  } catch (cause) {
    throw new GuardedFetchError("resolve", `${host} does not resolve`, { host, cause });
  }
  if (addresses.length === 0) throw new GuardedFetchError("resolve", `${host} does not resolve`, { host });
  const hidden = allowPrivate ? undefined : addresses.find((address) => isPrivateAddress(address));
  if (hidden !== undefined) throw privateTarget(host);
  return addresses;
}

function privateTarget(host: string): GuardedFetchError {
  const message = `${host} is a private address; set webhook_allow_private to true to permit it`;
  return new GuardedFetchError("private", message, { host });
}

/**
 * Checks an address when it is written: throws GuardedFetchError (`url`, `private`). A name that does not resolve now
 * is accepted, since the check is made again at every use.
 */
export async function checkTarget(
  text: string,
  allowPrivate: boolean,
  resolve: Resolve = systemResolver(),
): Promise<void> {
  const url = parseTarget(text, allowPrivate);
  if (allowPrivate) return;
  try {
    await permittedAddresses(url, allowPrivate, resolve);
  } catch (error) {
    if (!(error instanceof GuardedFetchError && error.reason === "resolve")) throw error;
  }
}

/** Makes the client. `resolve` is the system's resolver unless a test brings its own. */
export function createGuardedFetch(resolve: Resolve = systemResolver()): GuardedFetch {
  return async (request) => {
    const time = AbortSignal.timeout(request.timeout);
    const signal = request.signal ? AbortSignal.any([time, request.signal]) : time;
    try {
      return await follow(request, resolve, signal);
    } catch (error) {
      throw failureOf(error, request, time);
    }
  };
}

async function follow(request: GuardedRequest, resolve: Resolve, signal: AbortSignal): Promise<GuardedResponse> {
  let url = parseTarget(request.url, request.allowPrivate);
  let headers = request.headers ?? {};
  const method = request.method ?? "GET";
  const allowed = method === "POST" ? 0 : (request.redirects ?? 0);
  for (let hop = 0; ; hop++) {
    const addresses = await abortable(permittedAddresses(url, request.allowPrivate, resolve), signal);
    const response = await exchange({ request, method, url, headers, addresses, signal });
    const location = response.headers.location;
    if (allowed === 0 || location === undefined || ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    if (hop >= allowed) throw new GuardedFetchError("redirect", `more than ${allowed} redirects`);
    if (!URL.canParse(location, url.href))
      throw new GuardedFetchError("redirect", "redirected to something that is no URL");
    const next = parseTarget(new URL(location, url).href, request.allowPrivate);
    // What was meant for one origin is not told to another.
    if (next.origin !== url.origin)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)));
    url = next;
  }
}

interface Exchange {
  readonly request: GuardedRequest;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * One request to addresses that were checked. A new connection each time: a kept one could be to an address of before
 * the check.
 */
function exchange({ request, method, url, headers, addresses, signal }: Exchange): Promise<GuardedResponse> {
  const body = request.body;
  const options: RequestOptions = {
    method,
    host: hostOf(url),
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...(body ? { "content-length": String(body.byteLength) } : {}) },
    agent: false,
    lookup: pinned(addresses),
    signal,
    ...(request.ca === undefined ? {} : { ca: request.ca }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(options);
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const head = { status: incoming.statusCode ?? 0, headers: incoming.headers, url: url.href };
      if (request.beginning) {
        void beginningOf(incoming, request.beginning).then((taken) => resolve({ ...head, body: taken }));
        return;
      }
      collect(incoming, request.maxBytes ?? DEFAULT_MAX_BYTES).then(
        (taken) => resolve({ ...head, body: taken }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

/** Answers every look-up of the socket with the addresses that were checked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  };
}

async function collect(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) throw new GuardedFetchError("too_large", `the answer is larger than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * The beginning of a body; what follows flows off, but not without end. The answer's head counts already, so a body
 * that ends badly is no failure; the request's time still bounds it.
 */
function beginningOf(
  incoming: IncomingMessage,
  { bytes, within }: NonNullable<GuardedRequest["beginning"]>,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (): void => {
      clearTimeout(waiting);
      resolve(Buffer.concat(parts).subarray(0, bytes));
    };
    const waiting = setTimeout(take, within);
    incoming.on("error", take);
    incoming.on("end", take);
    incoming.on("close", take);
    incoming.on("data", (part: Buffer) => {
      if (size < bytes) parts.push(part);
      size += part.length;
      if (size >= bytes) take();
      if (size > DRAINED_BYTES) incoming.destroy();
    });
  });
}

/** Rejects with the signal's reason as soon as it fires: name look-ups cannot be stopped, only left behind. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void =>
      reject(new GuardedFetchError("aborted", "the request was ended", { cause: signal.reason }));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function failureOf(error: unknown, request: GuardedRequest, time: AbortSignal): GuardedFetchError {
  if (error instanceof GuardedFetchError && error.reason !== "aborted") return error;
  if (request.signal?.aborted === true)
    return new GuardedFetchError("aborted", "the request was ended", { cause: error });
  if (time.aborted)
    return new GuardedFetchError("timeout", `no answer within ${request.timeout / 1000} s`, { cause: error });
  const text = error instanceof Error && error.message !== "" ? error.message : "connection failed";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : text;
  return new GuardedFetchError("connect", code, { cause: error });
}
