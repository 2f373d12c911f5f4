// A panel as a program uses it: calls by the names of the description's operations, pages as one sequence, events that
// go on where the program stopped.
import { apiUrl, exchange, newKey, type Answer, type Fetch, type Method, type Query } from "./exchange.ts";
import { OPERATIONS, type Answers, type PanelEvent, type Inputs, type OperationId } from "./operations.ts";
import { PATIENCE, pause, waitBefore, type Patience } from "./patience.ts";

/** Operations that answer pages. */
export type ListId = {
  [Id in OperationId]: Answers[Id] extends { readonly items: readonly unknown[]; readonly total: number } ? Id : never;
}[OperationId];
/** One row of a list. */
export type ItemOf<Id extends ListId> = Answers[Id] extends { readonly items: readonly (infer Item)[] } ? Item : never;

export interface PanelOptions {
  /** The panel's address, with its base path where it has one: `https://panel.example.com/hidden`. */
  readonly url: string | URL;
  /** An API token. Absent: the session's cookie, in a page of the panel itself. */
  readonly token?: string;
  /** What carries requests; the global `fetch` unless given. */
  readonly fetch?: Fetch;
  /** True: unknown fields and parameters are refused instead of ignored (`Prefer: handling=strict`). */
  readonly strict?: boolean;
  /** How often a call is repeated, and how long it waits for its turn. */
  readonly patience?: Partial<Patience>;
  /** Milliseconds for one attempt; 60,000 unless given. */
  readonly timeout?: number;
  /** Once it is aborted, every call rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Under this key the panel carries a write out once, however often it is sent, for 24 hours. Give the order's own
   * number and a program that was killed can repeat the call; a random key unless given.
   */
  readonly idempotencyKey?: string;
}

/** An event, and where to go on after it: store `cursor` once the event is handled. */
export interface Followed {
  readonly event: PanelEvent;
  readonly cursor: string;
}

export interface FollowOptions {
  /** Where to go on; absent or empty: the oldest event that is kept. */
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** What any operation may take. */
interface LooseInput {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Query;
  readonly body?: unknown;
}

interface EventPage {
  readonly cursor: string;
  readonly items: readonly PanelEvent[];
}

/** Seconds for which the panel holds a question for events that has no answer yet. */
const HOLD = 25;
/** Milliseconds for one attempt; longer than the panel holds a question. */
const TIMEOUT = 60_000;

export class Panel {
  readonly #options: PanelOptions;
  readonly #send: Fetch;
  readonly #patience: Patience;

  constructor(options: PanelOptions) {
    this.#options = options;
    this.#send = options.fetch ?? ((url, init) => fetch(url, init));
    this.#patience = { ...PATIENCE, ...options.patience };
  }

  /**
   * Calls an operation, with its `path`, `query` and `body`. Resolves to the answer. Waits and repeats where that helps
   * (`patience.ts`); else rejects with `ApiError`.
   */
  async call<Id extends OperationId>(id: Id, input: Inputs[Id], options: CallOptions = {}): Promise<Answers[Id]> {
    const { body } = await this.exchange(id, input, options);
    // The panel's description says what it answers.
    return body as Answers[Id];
  }

  /** As `call`, with the answer's status and headers. */
  exchange<Id extends OperationId>(id: Id, input: Inputs[Id], { signal, idempotencyKey }: CallOptions = {}) {
    const [method, template] = OPERATIONS[id];
    const { path = {}, query, body }: LooseInput = input;
    const filled = template.replaceAll(/\{(\w+)\}/g, (_match: string, name: string) =>
      encodeURIComponent(path[name] ?? ""),
    );
    const key = method === "GET" ? undefined : (idempotencyKey ?? newKey());
    return this.#ask({ method, url: apiUrl(this.#options.url, filled, query), body, key, signal });
  }

  /** The rows of a list, page after page; a page is asked for when the rows before it are used up. */
  async *items<Id extends ListId>(id: Id, input: Inputs[Id], { signal }: CallOptions = {}): AsyncGenerator<ItemOf<Id>> {
    let page = await this.exchange(id, input, signal === undefined ? {} : { signal });
    for (;;) {
      yield* (page.body as { readonly items: readonly ItemOf<Id>[] }).items;
      const next = nextOf(page.headers.get("link"));
      if (next === undefined) return;
      // Only the query is taken over: a proxy in front of the panel may have another address than the panel knows.
      const url = apiUrl(this.#options.url, OPERATIONS[id][1]);
      url.search = new URL(next, url).search;
      page = await this.#ask({ method: "GET", url, signal });
    }
  }

  /**
   * What happens, in order, from `cursor` on, until `signal` is aborted. No event is left out: after a restart of
   * either side or a lost connection it continues where it was. An event comes again when the program ended before it
   * stored the cursor; the event's `id` tells. Rejects with 410 `cursor_expired` where the events after `cursor` are no
   * longer kept, or a backup was restored: read the records again, then follow without a cursor.
   */
  async *followEvents({ cursor = "", signal }: FollowOptions = {}): AsyncGenerator<Followed> {
    let at = cursor;
    for (;;) {
      const url = apiUrl(this.#options.url, "/events/log", { wait: HOLD });
      url.searchParams.set("cursor", at);
      const { body } = await this.#ask({ method: "GET", url, signal });
      const page = body as EventPage;
      const last = page.items.length - 1;
      // Only the page has a cursor: within it, the one before the page is where to continue.
      for (const [index, event] of page.items.entries()) yield { event, cursor: index === last ? page.cursor : at };
      at = page.cursor;
    }
  }

  /** Sends a request until it is answered or its failure is final (`patience.ts`). */
  async #ask({ method, url, body, key, signal: own }: Asked): Promise<Answer> {
    const { token, strict, timeout = TIMEOUT } = this.#options;
    const signal = either(this.#options.signal, own);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(strict === true ? { prefer: "handling=strict" } : {}),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    for (let failed = 1; ; failed++) {
      // An attempt that takes too long is a lost one; the caller's signal ends the call.
      const ends = AbortSignal.timeout(timeout);
      const send: Fetch = (to, init) => this.#send(to, { ...init, signal: either(signal, ends) ?? ends });
      try {
        return await exchange(send, { method, url, headers, body, signal });
      } catch (error) {
        const wait = waitBefore(error, failed, this.#patience, Math.random());
        if (wait === undefined) throw error;
        await pause(wait, signal);
      }
    }
  }
}

interface Asked {
  readonly method: Method;
  readonly url: URL;
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

/** The address of the next page, in a `Link` header. */
export function nextOf(link: string | null): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1];
}
