// The panel's API as a program with a token uses it.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { startStopwatch } from "../stopwatch.ts";

/** A restart is over long before. */
const PATIENCE_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** What the tests read of the records; everything else is passed over. */
export const NodeAnswer = z.object({
  id: z.number(),
  status: z.string(),
  message: z.string(),
  warnings: z.array(z.string()),
  up: z.number(),
  down: z.number(),
  lastStatusChange: z.number(),
});
export type NodeAnswer = z.output<typeof NodeAnswer>;

export const UserAnswer = z.object({
  id: z.number(),
  enable: z.boolean(),
  disabledReason: z.string(),
  expiry: z.number(),
  duration: z.number(),
  activatedAt: z.number(),
  subId: z.string(),
  config: z.object({ uuid: z.string(), password: z.string() }),
  up: z.number(),
  down: z.number(),
});
export type UserAnswer = z.output<typeof UserAnswer>;

/** A page of `/events/log`. */
export const Events = z.object({ items: z.array(z.object({ event: z.string() })) });

const Made = z.object({ id: z.number() });

export class Api {
  readonly #url: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.headers = headers;
  }

  /** Whatever the panel answers. Rejects only when it does not answer. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...this.headers, ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
      headers: response.headers,
    };
  }

  /** The body of a 200; anything else is thrown. */
  async ok(method: string, path: string, body?: unknown): Promise<unknown> {
    return (await this.done(method, path, body)).body;
  }

  /** As `ok`, with the headers. What is answered 503 is sent again when the answer says so, under the same key. */
  async done(method: string, path: string, body?: unknown): Promise<Answer> {
    const key = method === "GET" ? {} : { "idempotency-key": randomUUID() };
    const waited = startStopwatch();
    for (;;) {
      const answer = await this.request(method, `/api/v1${path}`, body, key);
      if (answer.status === 200) return answer;
      if (answer.status !== 503 || waited() > PATIENCE_MS)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await pause(Number(answer.headers.get("retry-after") ?? 1) * 1000);
    }
  }

  /** A body that is sent as it is. */
  async send(method: string, path: string, text: string): Promise<Answer> {
    const response = await fetch(`${this.#url}/api/v1${path}`, { method, headers: this.headers, body: text });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  async node(id: number): Promise<NodeAnswer> {
    return NodeAnswer.parse(await this.ok("GET", `/nodes/${id}`));
  }

  async user(id: number): Promise<UserAnswer> {
    return UserAnswer.parse(await this.ok("GET", `/users/${id}`));
  }

  /** Bytes counted on a user, both ways. */
  async used(userId: number): Promise<number> {
    const { up, down } = await this.user(userId);
    return up + down;
  }

  /** Creates a record; resolves to its id. */
  async make(
    collection: "inbounds" | "fronts" | "outbounds" | "templates" | "nodes" | "users",
    body: object,
  ): Promise<number> {
    return Made.parse(await this.ok("POST", `/${collection}`, body)).id;
  }
}
