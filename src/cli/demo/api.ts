// The panel's HTTP API as an integration uses it: JSON over fetch, a bearer token, answers parsed, a refusal as a
// sentence.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

/** Of one request; between two lies a second. */
const MOST_TRIES = 30;

const Refused = z.object({ error: z.string() });

/** A request that the panel refused. The message names the request, the status and the panel's own words. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly status: number;

  constructor(request: string, status: number, text: string) {
    super(`${request} answered ${status}: ${text}`);
    this.status = status;
  }
}

export interface ApiRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Api {
  /** Address of the panel, without a slash at the end. */
  readonly url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  /** Once `signal` is aborted every request rejects with its reason. `token`: empty for open routes. */
  constructor(url: string, token: string, signal: AbortSignal) {
    this.url = url;
    this.#token = token;
    this.#signal = signal;
  }

  /** The same panel, as the holder of a token. */
  as(token: string): Api {
    return new Api(this.url, token, this.#signal);
  }

  /** `path` below `/api`. Throws `ApiRefusal` unless the answer is a 2xx that `answer` accepts. */
  async call<T>(method: string, path: string, answer: z.ZodType<T>, request: ApiRequest = {}): Promise<T> {
    const { body } = await this.exchange(method, path, request);
    const parsed = answer.safeParse(body);
    if (!parsed.success)
      throw new Error(`${method} /api${path} answered something else: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  }

  /** As `call`, with the answer's headers and its body as it came. */
  async exchange(
    method: string,
    path: string,
    { body, headers = {} }: ApiRequest = {},
  ): Promise<{ body: unknown; headers: Headers }> {
    const response = await this.#patient(method, path, {
      headers: {
        ...(method === "GET" ? {} : { "idempotency-key": randomUUID() }),
        ...(this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new ApiRefusal(`${method} /api${path}`, response.status, refusalText(text));
    return { body: JSON.parse(text), headers: response.headers };
  }

  /** A panel that restarts answers 503 with `Retry-After`; then the same request is sent again. */
  async #patient(method: string, path: string, init: RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await this.#fetch(method, path, init);
      if (response.status !== 503 || tries === MOST_TRIES) return response;
      await response.arrayBuffer();
      await delay(Number(response.headers.get("retry-after") ?? 1) * 1000, undefined, { signal: this.#signal });
    }
  }

  async #fetch(method: string, path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}/api${path}`, { ...init, method, signal: this.#signal });
    } catch (error) {
      if (this.#signal.aborted) throw error;
      const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new Error(`${method} /api${path} got no answer: ${why}`, { cause: error });
    }
  }

  /** Whether the panel serves (`/healthz`); false while nothing listens. */
  async isServing(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/healthz`, { signal: this.#signal });
      await response.arrayBuffer();
      return response.ok;
    } catch (error) {
      if (this.#signal.aborted) throw error;
      // Nothing listens yet, or not any more: that is the answer.
      return false;
    }
  }
}

function refusalText(text: string): string {
  try {
    return Refused.parse(JSON.parse(text)).error;
  } catch {
    // Not one of the panel's own refusals: shown as it came.
    return text.slice(0, 200);
  }
}
