// The one way to the API: relative to the base path, with the session's cookie, refusals as `ApiError`.
// What a person or a moment can mend is mended here: a session that ended, a second factor that is asked for, a first
// request that still runs.
import { ApiError, type RefusalBody } from "./api-error.ts";
import { passHurdle, type Hurdle } from "./hurdles.ts";
import { noteReached, noteUnreached } from "./reach.ts";

export { ApiError } from "./api-error.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type QueryValue = string | number | boolean | undefined | null;

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
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
  const url = new URL(`api/v1${path}`, document.baseURI);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
  }
  // No header of its own on a read: one that the browser was told of by the page is taken over only where it was asked
  // for in the very same way.
  const headers: Record<string, string> = {};
  if (options.body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET" && options.dry !== true) headers["idempotency-key"] = options.idempotencyKey;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      credentials: "same-origin",
      cache: "no-store",
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted === true) throw cause;
    noteUnreached();
    throw new ApiError(0, { error: "", code: "unreachable" }, { cause });
  }
  noteReached();
  if (response.ok) return text === "" ? undefined : JSON.parse(text);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  throw new ApiError(response.status, refusalIn(text), {
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

/** A body that is none of the API's (a proxy's page) is a refusal without words. */
function refusalIn(text: string): RefusalBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as RefusalBody) : {};
  } catch {
    return {};
  }
}

/** `crypto.randomUUID` is there over TLS and on loopback alone; a panel on plain http has keys too. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
