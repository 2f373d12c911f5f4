// One request after the gate: validation, confirmation, idempotency, the handler, and the answer's bytes.
import { Readable } from "node:stream";
import type { z } from "zod";
import type { Outgoing } from "./answers/replies.ts";
import type { Committer } from "../db/index.ts";
import { sha256Hex } from "../lib/ids.ts";
import type { Origin } from "../lib/origin.ts";
import { answerPage, askedList, askedParameters, isPage } from "./asked-list.ts";
import { callerKey, originOf, sameReach, type Caller } from "./caller.ts";
import { decideChange, render } from "./change.ts";
import { requirePaid, requireRefusalPaid, requireSolvent, type Payer } from "./limits/charges.ts";
import { Refusal } from "./refusals/errors.ts";
import { cookieText, credentialOf } from "./request/facts.ts";
import {
  OtherAnswer,
  RawAnswer,
  Rendered,
  type Context,
  type Extra,
  type RequestFacts,
  type RouteUnit,
} from "./context.ts";
import { refuseUncovered } from "./gate.ts";
import type { Claim, Idempotency, StoredAnswer } from "./idempotency/idempotency.ts";
import type { ListQuery } from "./list-query.ts";
import type { BudgetState, TokenBudgets } from "./limits/limits.ts";
import { refuseUntriable, refuseVoidParameters } from "./request/parameters.ts";
import type { HttpPorts } from "./ports.ts";
import { isStrict, refuseUnknown, SetupToken } from "./request/strict.ts";
import { checked } from "./refusals/checking.ts";
import { extrasOf, takesKeys, type Route } from "./route.ts";

/** What the exchange needs of the server. */
export interface ExchangeDeps {
  readonly commits: Committer;
  readonly ports: HttpPorts;
  readonly idempotency: Idempotency;
  readonly budgets: TokenBudgets;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly cookiePath: string;
}

/** The request as it came through the gate. */
export interface Incoming {
  readonly route: Route;
  readonly facts: RequestFacts;
  readonly caller: Caller | undefined;
  readonly params: unknown;
  /** What the route's `admit` read, where it was asked before. */
  readonly admitted: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Bytes of the body as sent. */
  readonly rawBody: Uint8Array;
  /** Path and query string as sent. */
  readonly path: string;
  readonly rawQuery: string;
  /** On routes that take their body unread. */
  readonly stream: Readable | undefined;
  /** Aborted once nobody waits for the answer. */
  readonly signal: () => AbortSignal;
  /** Told a token's budget where it is used beyond the request itself. */
  readonly onBudget: (state: BudgetState) => void;
}

const JSON_TYPE = "application/json; charset=utf-8";
const KEY_HEADER = "idempotency-key";
/** Where the route takes no body unread. */
const NO_STREAM = Readable.from([]);

/** Whether the request's idempotency key counts. */
export function isKeyed(route: Route, facts: RequestFacts): boolean {
  return takesKeys(route) && facts.header(KEY_HEADER) !== undefined;
}

/**
 * An absent body is an empty object to a schema that does not accept its absence, so that the refusal names the missing
 * fields.
 */
function checkedBody(schema: z.ZodType | undefined, body: unknown): unknown {
  if (schema === undefined) return undefined;
  if (body !== undefined) return checked(schema, body);
  const absent = schema.safeParse(undefined);
  return absent.success ? absent.data : checked(schema, {});
}

/**
 * An operation that stopped part way says so in its own `error`; it is not stored, so that a retry finishes the job.
 */
function carriesError(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "error" in answer && Boolean(answer.error);
}

export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly #incoming: Incoming;
  readonly #headers: Record<string, string> = {};
  readonly #cookies: string[] = [];
  readonly #after: (() => void | Promise<void>)[] = [];
  #claim: Claim | undefined;
  #stored = false;

  constructor(deps: ExchangeDeps, incoming: Incoming) {
    this.#deps = deps;
    this.#incoming = incoming;
  }

  /** Carries out the request. Throws what refuses it; its key is free again by then. */
  async run(): Promise<Outgoing> {
    const { route, caller, rawBody } = this.#incoming;
    // A name that was written wrong is that first, whatever its value.
    if (isStrict(this.#incoming.facts.header("prefer"))) this.#refuseUnknown();
    refuseVoidParameters(this.#incoming.query, route);
    refuseUntriable(this.#incoming.query, route);
    const list = askedList(this.#incoming);
    const query = route.query && checked(route.query, this.#incoming.query);
    const body = checkedBody(route.body, this.#incoming.body);
    if (route.sensitive === true) this.#requireConfirmed(caller);
    this.#refuseOddKey();
    // What comes unread has a digest when it was read.
    const replay = route.stream === true ? undefined : await this.#takeClaim(() => sha256Hex(rawBody));
    if (replay) return this.#outgoing(replay.status, replay.body, { "idempotent-replay": "true" });
    try {
      let { admitted } = this.#incoming;
      if (this.#claim && caller) admitted = await route.admit?.(caller, this.#incoming.params);
      const result = await route.handle(this.#context(query, body, list, admitted));
      return await this.#answer(result, list);
    } catch (error) {
      if (error instanceof Refusal && error.detail.charge !== undefined)
        await requireRefusalPaid(this.#payer(), error.detail.charge);
      throw error;
    } finally {
      if (this.#claim) await (this.#stored ? this.#claim.finished() : this.#claim.release());
    }
  }

  #refuseUnknown(): void {
    const { route, query, body } = this.#incoming;
    const read = route.stream === true ? {} : { body, bodySchema: route.body };
    const setup = route.auth === "open" ? SetupToken : undefined;
    refuseUnknown({ query, parameters: [askedParameters(this.#incoming), route.query, setup], ...read });
  }

  #requireConfirmed(caller: Caller | undefined): void {
    if (caller?.via !== "session" || !caller.twoFactor) return;
    if (caller.confirmedUntil * 1000 <= this.#deps.now()) throw new Refusal("confirm", { extra: { confirm: "totp" } });
  }

  #payer(): Payer {
    const { caller, onBudget } = this.#incoming;
    if (!caller) throw new Error("an open route charges nobody");
    const { budgets, now } = this.#deps;
    return { caller, budgets, now, onBudget };
  }

  #requireExtra(caller: Caller | undefined, asked: Extra | undefined): void {
    const declared = extrasOf(this.#incoming.route);
    const extra = asked === undefined && declared.length === 1 ? declared[0] : declared.find((each) => each === asked);
    if (!extra || !caller) throw new Error("a route asks for what it does not declare");
    refuseUncovered(caller, extra.also ?? []);
    if (extra.sensitive === true) this.#requireConfirmed(caller);
  }

  async #recheck(caller: Caller | undefined): Promise<void> {
    const { facts } = this.#incoming;
    const credential = credentialOf(facts);
    const now = credential && (await this.#deps.ports.authenticate(credential, facts, false));
    if (!now) throw new Refusal("unauthenticated");
    if (!caller || !sameReach(caller, now)) throw new Refusal("forbidden", { message: "rights changed meanwhile" });
  }

  #refuseOddKey(): void {
    const { route, facts } = this.#incoming;
    const key = facts.header(KEY_HEADER);
    if (key !== undefined && isKeyed(route, facts) && (key === "" || key.length > 255))
      throw new Refusal("validation", {
        message: "Idempotency-Key must have 1 to 255 characters",
        field: "Idempotency-Key",
      });
  }

  /** See `Context.repeated`. */
  async #repeated(bodyDigest: string): Promise<Rendered<never> | undefined> {
    if (this.#claim) throw new Error("a request claims its key once");
    const replay = await this.#takeClaim(() => bodyDigest);
    if (!replay) return undefined;
    this.#headers["idempotent-replay"] = "true";
    return new Rendered<unknown>(undefined, replay.body, replay.status) as Rendered<never>;
  }

  /** Claims the request's idempotency key, where it has one. Resolves to the first request's answer. */
  async #takeClaim(bodyDigest: () => string): Promise<StoredAnswer | undefined> {
    const { route, facts, caller, path, rawQuery } = this.#incoming;
    const key = facts.header(KEY_HEADER);
    if (key === undefined || !caller || !isKeyed(route, facts)) return undefined;
    const { adminId: account } = caller;
    const request = {
      caller: callerKey(caller),
      account,
      key,
      method: route.method,
      path,
      query: rawQuery,
      bodyDigest: bodyDigest(),
    };
    const claimed = await this.#deps.idempotency.claim(request, route.secretAnswer === true);
    if ("replay" in claimed) return claimed.replay;
    this.#claim = claimed.claim;
    return undefined;
  }

  #context(query: unknown, body: unknown, list: ListQuery | undefined, admitted: unknown): never {
    const { facts, caller, params, stream, signal } = this.#incoming;
    const place = () => ({ path: this.#deps.cookiePath, secure: facts.tls });
    const given = { list, admitted };
    const context: Context<unknown, unknown, unknown, unknown, Caller | undefined> & typeof given = {
      ...given,
      caller,
      origin: this.#origin(),
      params,
      query,
      body,
      request: facts,
      stream: stream ?? NO_STREAM,
      signal,
      repeated: (bodyDigest) => this.#repeated(bodyDigest),
      recheck: () => this.#recheck(caller),
      commit: (unit) => this.#commit(unit),
      // What it answers is checked against `accepted`, when it is rendered.
      accept: (unit) => this.#commit(unit, 202) as Promise<Rendered<never>>,
      submit: (unit) => this.#deps.commits.submit(unit),
      requireExtra: (extra) => this.#requireExtra(caller, extra),
      requireSolvent: (requests) => requireSolvent(this.#payer(), requests),
      requirePaid: (requests) => requirePaid(this.#payer(), requests),
      setHeader: (name, value) => {
        this.#headers[name.toLowerCase()] = value;
      },
      setCookie: (name, value, maxAge) => {
        this.#cookies.push(cookieText(name, value, place(), maxAge));
      },
      clearCookie: (name) => {
        this.#cookies.push(cookieText(name, "", place(), 0));
      },
      afterResponse: (action) => {
        this.#after.push(action);
      },
    };
    // What the handler's own type promises is what its schemas gave above.
    return context as never;
  }

  #origin(): Origin {
    const { caller, facts } = this.#incoming;
    return caller ? originOf(caller, facts.ip) : { via: "system", actor: "", adminId: 0, tokenId: 0, ip: facts.ip };
  }

  /** The change, its audit record and the stored answer, in one transaction. */
  async #commit(unit: RouteUnit<unknown>, status = this.#incoming.route.status): Promise<Rendered<unknown>> {
    const { route } = this.#incoming;
    const claim = this.#claim;
    const committed = await this.#deps.commits.submit({
      name: unit.name ?? `${route.method} ${route.path}`,
      locks: [...unit.locks, ...(claim?.locks ?? [])],
      decide: (draft) => {
        const { answer, body } = decideChange(draft, this.#deps.ports, route, unit, status, this.#origin());
        const keeps = claim !== undefined && !carriesError(answer);
        if (keeps) claim.settle(draft, { status, body });
        return { rendered: new Rendered(answer, body, status), keeps };
      },
    });
    this.#stored ||= committed.keeps;
    return committed.rendered;
  }

  async #answer(result: unknown, list: ListQuery | undefined): Promise<Outgoing> {
    const { route } = this.#incoming;
    if (result instanceof RawAnswer) {
      return {
        ...this.#outgoing(result.status, "", result.headers),
        contentType: result.contentType,
        body: result.body,
      };
    }
    if (result instanceof Rendered) return this.#outgoing(result.status, result.body);
    if (result instanceof OtherAnswer && route.otherwise)
      return this.#outgoing(200, JSON.stringify(route.otherwise.parse(result.answer)));
    if (list && isPage(result)) {
      const page = answerPage(this.#incoming, result, list);
      return this.#outgoing(200, page.body, page.headers);
    }
    const body = render(route, result);
    if (this.#claim && !this.#stored && !carriesError(result))
      await this.#store(this.#claim, { status: route.status, body });
    return this.#outgoing(route.status, body);
  }

  /** Stores the answer of a handler that committed nothing with it. */
  async #store(claim: Claim, answer: StoredAnswer): Promise<void> {
    await this.#deps.commits.submit({
      name: "http.answer",
      locks: claim.locks,
      decide: (draft) => claim.settle(draft, answer),
    });
    this.#stored = true;
  }

  #outgoing(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Outgoing {
    return {
      status,
      contentType: JSON_TYPE,
      body,
      headers: { ...this.#headers, ...headers },
      cookies: this.#cookies,
      after: this.#after,
    };
  }
}
