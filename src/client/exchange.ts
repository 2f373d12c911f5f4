// One request and its answer: how it is written, how a refusal is read. No retry happens here (`patience.ts`).
import { ApiError, type RefusalBody } from "./api-error.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type QueryValue = string | number | boolean | undefined | null;
export type Query = Readonly<Record<string, QueryValue | readonly (string | number)[]>>;

/** What carries a request: the global `fetch`, or one of the caller's with an agent or a proxy of its own. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface Exchange {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; absent = no body. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly init?: RequestInit;
}

export interface Answer {
  /** Parsed JSON; text where the answer is none; undefined where it is empty. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * Sends a request and reads its answer whole. Rejects with `ApiError`: of the panel's refusal, or with status 0 and
 * code `unreachable` where no answer came. An aborted `signal` rejects with its reason.
 */
export async function exchange(send: Fetch, { method, url, headers, body, signal, init }: Exchange): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await send(url, {
      ...init,
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new ApiError(0, { error: `${method} ${url.pathname}: no answer`, code: "unreachable" }, { cause });
  }
  if (response.ok) return { body: answerIn(response, text), status: response.status, headers: response.headers };
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  throw new ApiError(response.status, refusalIn(text), {
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

/** `base` is the panel's address with its base path; `path` has no prefix: `/users/7`. Empty values are left out. */
export function apiUrl(base: string | URL, path: string, query: Query = {}): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/api/v1${path}`;
  url.search = "";
  url.hash = "";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    url.searchParams.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return url;
}

/** `crypto.randomUUID` exists over TLS and on loopback only; a page of a panel on plain HTTP needs keys too. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function answerIn(response: Response, text: string): unknown {
  if (text === "") return undefined;
  return /\bjson\b/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}

/** A body that is not the API's (a proxy's error page) is a refusal without words. */
function refusalIn(text: string): RefusalBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as RefusalBody) : {};
  } catch {
    return {};
  }
}
