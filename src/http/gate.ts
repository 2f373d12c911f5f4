// The refusals before a handler, in their order (rule http.error.2): setup, authentication 401, scope and ownership
// 403/404, rate limit 429. Validation 400 and state 402/409/428 follow once the body is there (exchange.ts).
import type { Caller } from "./caller.ts";
import { refuseForNow } from "./limits/charges.ts";
import { Refusal } from "./refusals/errors.ts";
import { credentialOf, type Credential } from "./request/facts.ts";
import { refuseForeignPage } from "./request/own-pages.ts";
import type { AddressLimit, BudgetState, TokenBudgets } from "./limits/limits.ts";
import type { HttpPorts } from "./ports.ts";
import { check, checked } from "./refusals/checking.ts";
import type { RequestFacts } from "./context.ts";
import type { Route, Socket } from "./route.ts";
import type { Scope } from "./scopes.ts";

export interface GateDeps {
  readonly ports: HttpPorts;
  readonly budgets: TokenBudgets;
  readonly openLimit: AddressLimit;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What passed: the caller (none on open routes without a credential) and the checked path parameters. */
export interface Admitted {
  readonly caller: Caller | undefined;
  readonly params: unknown;
  /** What the route's `admit` read; undefined where it was not asked. */
  readonly admitted?: unknown;
}

type Guarded =
  | Pick<Route, "auth" | "scope" | "or" | "also" | "tiers" | "params" | "reach" | "admit" | "tokenStatus">
  | Socket;

export interface GateRequest {
  readonly facts: RequestFacts;
  readonly setupToken: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly writes: boolean;
  /**
   * It carries an idempotency key: ownership is decided after the replay (exchange.ts), since a repeated deletion finds
   * nothing to own.
   */
  readonly keyed: boolean;
}

/** `onBudget` is told the token's budget as soon as it is known, so that refusals carry the headers too. */
export async function passGate(
  guarded: Guarded,
  request: GateRequest,
  deps: GateDeps,
  onBudget: (state: BudgetState) => void,
): Promise<Admitted> {
  const { facts } = request;
  await deps.ports.admitDuringSetup(request.setupToken, facts.ip);
  const credential = credentialOf(facts);
  if (guarded.auth === "open") {
    const wait = deps.openLimit.take(facts.ip);
    if (wait > 0) throw new Refusal("rate_limited", { retryAfter: wait });
    const caller = await knownCaller(credential, facts, deps);
    if (caller?.via === "token") onBudget(deps.budgets.peek(caller.tokenId, caller.rateLimit));
    if (request.writes) refuseForeignPage(facts, caller);
    return { caller, params: checkedParams(guarded, request.params) };
  }
  const caller = credential && (await deps.ports.authenticate(credential, facts, true));
  if (!caller) throw new Refusal("unauthenticated");
  if (caller.via === "token") onBudget(deps.budgets.peek(caller.tokenId, caller.rateLimit));
  const params = guarded.params && check(guarded.params, request.params);
  let admitted: unknown;
  try {
    refuseUnreached(guarded, caller, request.writes);
    if ("reach" in guarded) guarded.reach?.(caller, request.query);
    if (request.writes) refuseForeignPage(facts, caller);
    if (params?.refusal === undefined && !request.keyed) admitted = await guarded.admit?.(caller, params?.data);
  } catch (error) {
    // This refusal comes before the check of the budget but is counted, so a caller who tries out credentials uses up
    // their budget.
    await useBudget(caller, deps, onBudget);
    throw error;
  }
  if (!(await useBudget(caller, deps, onBudget)))
    refuseForNow(deps.budgets.peek(caller.tokenId, caller.rateLimit), deps.now());
  if (params?.refusal) throw params.refusal;
  return { caller, params: params?.data, admitted };
}

/** The caller on an open route or an unknown path; an invalid credential is ignored. */
export async function knownCaller(
  credential: Credential | undefined,
  facts: RequestFacts,
  deps: { readonly ports: Pick<HttpPorts, "authenticate"> },
): Promise<Caller | undefined> {
  if (credential === undefined) return undefined;
  try {
    return await deps.ports.authenticate(credential, facts, false);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Tier, scopes, and what is closed to this kind of credential. */
export function refuseUnreached(
  guarded: Pick<Guarded, "auth" | "scope" | "or" | "also" | "tiers"> & { tokenStatus?: 400 | 403 },
  caller: Caller,
  writes: boolean,
): void {
  if (guarded.auth === "session" && caller.via === "token")
    throw new Refusal(guarded.tokenStatus === 400 ? "token_refused" : "token_closed");
  if (guarded.tiers && !guarded.tiers.includes(caller.base)) throw new Refusal("forbidden");
  const { scope, or, also = [] } = guarded;
  const enough = scope === "" || scope === "-" || (or !== undefined && caller.scopes.has(or));
  refuseUncovered(caller, enough ? also : [scope, ...also]);
  if (writes && caller.expired) throw new Refusal("account_expired");
  if (writes && scope === "users:write" && caller.usersReadOnly === true)
    throw new Refusal("forbidden", { message: "this account may only read users" });
}

/** 403 that names the first of `scopes` that the caller does not hold. */
export function refuseUncovered(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  if (missing !== undefined)
    throw new Refusal("scope", { message: `the scope ${missing} is needed`, extra: { scope: missing } });
}

function checkedParams(guarded: Guarded, params: unknown): unknown {
  return guarded.params && checked(guarded.params, params);
}

/** Counts a request of a token; false when its budget is used up. */
export async function useBudget(
  caller: Caller,
  { budgets }: Pick<GateDeps, "budgets">,
  onBudget: (state: BudgetState) => void,
): Promise<boolean> {
  if (caller.via !== "token") return true;
  const granted = await budgets.take(caller.tokenId, caller.rateLimit);
  onBudget(budgets.peek(caller.tokenId, caller.rateLimit));
  return granted;
}
