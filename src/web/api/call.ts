// The one way to the API: relative to the base path, with the session's cookie, refusals as `ApiError`.
// Handles failures that a retry or the user can fix: an ended session, a required second factor, a first request that
// still runs.
import { ApiError } from "../../client/api-error.ts";
import { apiUrl, exchange, newKey, type Method, type QueryValue } from "../../client/exchange.ts";
import { pause } from "../../client/patience.ts";
import { passHurdle, type Hurdle } from "./hurdles.ts";
import { noteReached, noteUnreached } from "./panel-reach.ts";

export { ApiError } from "../../client/api-error.ts";
export { newKey, type Method, type QueryValue } from "../../client/exchange.ts";

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Sent as it is, in place of a body. Such a request has no idempotency key. */
  readonly file?: Blob;
  /** What the route takes in its header. Letters past latin1 cannot stand in one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The same key for every attempt of one change; a new one where none is given. */
  readonly idempotencyKey?: string;
  /** Asks what would happen: nothing changes, so it carries no key and the panel keeps no answer. */
  readonly dry?: true;
  /** `false`: a refusal is the caller's to show, no dialog is opened for it. */
  readonly hurdles?: false;
}

/** How often a request whose first try still runs is asked for again. */
const PATIENCE = 20;

/**
 * `path` without prefix: `/users/7`. Rejects with `ApiError`. A 401 opens the sign-in over the page and a 428 the
 * question for the second factor; the call then goes on under the same Idempotency-Key.
 */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const idempotencyKey = options.idempotencyKey ?? newKey();
  for (let tries = 0; ; tries++) {
    try {
      return (await send(method, path, { ...options, idempotencyKey })) as T;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.body.inProgress === true && tries < PATIENCE) {
        await pause((error.retryAfter ?? 1) * 1000, options.signal);
        continue;
      }
      const hurdle = options.hurdles === false ? undefined : hurdleOf(error);
      if (hurdle === undefined || !(await passHurdle(hurdle))) throw error;
      options.signal?.throwIfAborted();
    }
  }
}

/** A record with its version. */
export type Versioned<T> = T & { readonly updatedAt: number };

/** The record of a version conflict, which has the form of the route's answers. */
export function currentOf<T>(error: ApiError): Versioned<T> | undefined {
  return error.code === "version_conflict" ? (error.body["current"] as Versioned<T>) : undefined;
}

/** Wrong codes and passwords are 401 too; those are answers, not hurdles. */
function hurdleOf({ status, code }: ApiError): Hurdle | undefined {
  if (status === 401 && code === "unauthenticated") return "session";
  return status === 428 ? "factor" : undefined;
}

async function send(
  method: Method,
  path: string,
  options: CallOptions & { readonly idempotencyKey: string },
): Promise<unknown> {
  const url = apiUrl(document.baseURI, path, options.query);
  // A read has no header of its own: the browser reuses an answer that the page told it of only when it is asked for in
  // the very same way.
  const headers: Record<string, string> = { ...options.headers };
  const { file } = options;
  if (method !== "GET" && options.dry !== true && !file) headers["idempotency-key"] = options.idempotencyKey;
  try {
    const { body } = await exchange((to, init) => fetch(to, file ? { ...init, body: file } : init), {
      method,
      url,
      headers,
      body: options.body,
      signal: options.signal,
      init: { credentials: "same-origin", cache: "no-store" },
    });
    noteReached();
    return body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) noteUnreached();
    else if (error instanceof ApiError) noteReached();
    throw error;
  }
}
