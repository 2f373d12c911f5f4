// Which failures are worth another attempt, and when. A write is repeated only because it carries an Idempotency-Key:
// the panel then answers the first attempt's result and does nothing twice.
import { ApiError } from "./api-error.ts";

export interface Patience {
  /** Attempts of one call, the first included. */
  readonly attempts: number;
  /** Longest wait before one attempt, in milliseconds. A longer `Retry-After` ends the call with its refusal. */
  readonly longestWait: number;
}

export const PATIENCE: Patience = { attempts: 12, longestWait: 65_000 };

const FIRST_WAIT = 250;
const LONGEST_GUESS = 8_000;

/**
 * Milliseconds to wait before the next attempt; undefined = the failure is final. `failed` counts failed attempts, from
 * 1. `chance` is from 0 to 1: half of a guessed wait is random, so that many clients do not return at once.
 *
 * Repeated: no answer, 429 and 503 (after `Retry-After`), 502 and 504 of a proxy in front of the panel, and 409 while
 * the first attempt still runs. A 502 of the panel itself (`upstream`) is its answer and final.
 */
export function waitBefore(error: unknown, failed: number, patience: Patience, chance: number): number | undefined {
  if (!(error instanceof ApiError) || failed >= patience.attempts || !isWorthRepeating(error)) return undefined;
  const guess = Math.min(LONGEST_GUESS, FIRST_WAIT * 2 ** (failed - 1));
  if (error.retryAfter === undefined) return guess / 2 + chance * (guess / 2);
  const told = error.retryAfter * 1000;
  return told > patience.longestWait ? undefined : told + chance * FIRST_WAIT;
}

function isWorthRepeating({ status, code, body }: ApiError): boolean {
  switch (status) {
    case 0:
    case 429:
    case 503:
    case 504:
      return true;
    case 502:
      return code === undefined;
    case 409:
      return body.inProgress === true;
    default:
      return false;
  }
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("The call was aborted", "AbortError");
}
