// Refusals that cost more than one request, so that what they tell is told seldom: a token pays from its budget, an
// account's sessions from one of their own (rule users.credential.4).
import type { Caller } from "../caller.ts";
import { Refusal } from "../refusals/errors.ts";
import type { BudgetState, TokenBudgets } from "./limits.ts";

/** Requests a minute with which all sessions of an account pay for such refusals. */
const SESSIONS_PER_MINUTE = 120;

export interface Payer {
  readonly caller: Caller;
  readonly budgets: TokenBudgets;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Told a token's budget when it was used. */
  readonly onBudget: (state: BudgetState) => void;
}

/** Under which number and with which limit a caller pays. Sessions have no token: their account's number, negative. */
function accountOf({ via, adminId, tokenId, rateLimit }: Caller): readonly [id: number, limit: number] {
  return via === "token" ? [tokenId, rateLimit] : [-adminId, SESSIONS_PER_MINUTE];
}

/** Charges the caller. False when the budget did not cover it; it is used up then. */
async function charge({ caller, budgets, onBudget }: Payer, requests: number): Promise<boolean> {
  const [id, limit] = accountOf(caller);
  // A token's request itself is counted already.
  const covered = await budgets.charge(id, limit, caller.via === "token" ? requests - 1 : requests);
  if (caller.via === "token") onBudget(budgets.peek(id, limit));
  return covered;
}

/**
 * Answers 429 for sessions whose budget is used up: otherwise further answers would cost them nothing. A token is
 * limited by its own budget.
 */
export function requireSolvent({ caller, budgets, now }: Payer, requests: number): void {
  if (caller.via === "token") return;
  const state = budgets.peek(...accountOf(caller));
  if (state.remaining < requests) refuseForNow(state, now());
}

/** 429 until the budget is whole again. */
export function refuseForNow({ reset }: Pick<BudgetState, "reset">, now: number): never {
  throw new Refusal("rate_limited", { retryAfter: Math.max(1, reset - Math.floor(now / 1000)) });
}

/**
 * Charges for a refusal before it is told; 429 instead where the budget does not cover it, since requests that run at
 * the same time would else be told more than is paid for. A token with a budget below the price pays all of it.
 */
export async function requireRefusalPaid(payer: Payer, requests: number): Promise<void> {
  const [, limit] = accountOf(payer.caller);
  await requirePaid(payer, Math.min(requests, limit));
}

/** Charges for several refusals told in one answer; 429 where the budget does not cover them. */
export async function requirePaid(payer: Payer, requests: number): Promise<void> {
  if (await charge(payer, requests)) return;
  refuseForNow(payer.budgets.peek(...accountOf(payer.caller)), payer.now());
}
