// A client as the API asks for: every write under an Idempotency-Key, and one repetition of what was refused with 5xx
// or broke off.
import { randomUUID } from "node:crypto";
import { afterQuiet } from "../stopwatch.ts";
import type { Answer } from "./api.ts";

export interface Outcome {
  readonly answer: Answer | undefined;
  /** Why it had to be repeated; undefined when the first try was enough. */
  readonly repeated: string | undefined;
  /** Why the repetition failed as well. */
  readonly failed: string | undefined;
}

export class RetryingClient {
  readonly #url: string;
  readonly #token: string;
  readonly #pauseMs: number;

  /** `pauseMs`: between the first try and the second, on a quiet machine. */
  constructor(url: string, token: string, pauseMs: number) {
    this.#url = url;
    this.#token = token;
    this.#pauseMs = pauseMs;
  }

  /** Never rejects. */
  async send(method: string, path: string, body?: unknown): Promise<Outcome> {
    const key = method === "GET" ? undefined : randomUUID();
    const first = await this.#try(method, path, body, key);
    if (typeof first !== "string") return { answer: first, repeated: undefined, failed: undefined };
    await new Promise<void>((resolve) => afterQuiet(this.#pauseMs, resolve));
    const second = await this.#try(method, path, body, key);
    if (typeof second !== "string") return { answer: second, repeated: first, failed: undefined };
    return { answer: undefined, repeated: first, failed: `${method} ${path}: ${first}, then ${second}` };
  }

  /** The answer, or why there is none that counts. */
  async #try(method: string, path: string, body: unknown, key: string | undefined): Promise<Answer | string> {
    try {
      const response = await fetch(`${this.#url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // The first try may still be running in a process that is going: that is no refusal.
      if (response.status >= 500 || (response.status === 409 && text.includes("inProgress")))
        return `${response.status} ${text.slice(0, 200)}`;
      return { status: response.status, body: /^[{[]/.test(text) ? JSON.parse(text) : text, headers: response.headers };
    } catch (error) {
      return error instanceof Error ? `${error.message} (${String(error.cause)})` : String(error);
    }
  }
}
