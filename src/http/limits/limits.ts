// Requests per minute: the budgets of API tokens, and the limit of open routes for each address (rules http.limit).
import { StoreUnavailable } from "../../db/index.ts";
import { sourceKey } from "../../lib/addresses.ts";

const MINUTE = 60_000;
/** A slice is at most an eighth of the limit, and of what others left of it. */
export const SLICES = 8;

/** What a token's answers carry in `X-RateLimit-*`. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the budget is whole again. */
  readonly reset: number;
}

/**
 * Where slices of a minute's budget come from. Several processes share one source, so that together they never grant
 * more than the budget.
 */
export interface SliceSource {
  /**
   * Takes up to `want` requests of the token's budget in a minute; resolves to what was granted and to all that was
   * taken so far, this included.
   */
  take(tokenId: number, minute: number, want: number, limit: number): Promise<{ granted: number; taken: number }>;
}

interface Budget {
  minute: number;
  limit: number;
  /** Granted to this process and not used yet. */
  left: number;
  /** Taken from the source by everybody, as last heard. */
  taken: number;
  refill: Promise<void> | undefined;
}

/** Budgets by calendar minute, taken from their source in slices. */
export class TokenBudgets {
  readonly #source: SliceSource | undefined;
  readonly #now: () => number;
  readonly #budgets = new Map<number, Budget>();

  /** Without a source this process is the only one: the whole budget is its own. */
  constructor(now: () => number, source?: SliceSource) {
    this.#now = now;
    this.#source = source;
  }

  /** The budget's state without using it. */
  peek(tokenId: number, limit: number): BudgetState {
    return this.#state(this.#current(tokenId, limit));
  }

  /** Uses one request; false when the budget is used up. */
  async take(tokenId: number, limit: number): Promise<boolean> {
    const budget = this.#current(tokenId, limit);
    while (budget.left === 0 && budget.taken < budget.limit) {
      budget.refill ??= this.#refill(tokenId, budget).finally(() => (budget.refill = undefined));
      await budget.refill;
    }
    if (budget.left === 0) return false;
    budget.left--;
    return true;
  }

  /** Uses that many requests, or as many as are left; false when they were fewer. */
  async charge(tokenId: number, limit: number, requests: number): Promise<boolean> {
    for (let used = 0; used < requests; used++) if (!(await this.take(tokenId, limit))) return false;
    return true;
  }

  async #refill(tokenId: number, budget: Budget): Promise<void> {
    const want = Math.ceil(budget.limit / SLICES);
    const slice = this.#source ? await this.#taken(this.#source, tokenId, budget, want) : undefined;
    if (slice === undefined) {
      budget.left = budget.limit - budget.taken;
      budget.taken = budget.limit;
    } else {
      budget.left += slice.granted;
      budget.taken = slice.granted === 0 ? budget.limit : slice.taken;
    }
  }

  /**
   * While nothing can be written each process counts for itself: what only reads must not fail for the sake of its
   * count.
   */
  async #taken(source: SliceSource, tokenId: number, { minute, limit, taken }: Budget, want: number) {
    try {
      return await source.take(tokenId, minute, want, limit);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { granted: Math.min(want, limit - taken), taken: Math.min(limit, taken + want) };
    }
  }

  #current(tokenId: number, limit: number): Budget {
    const minute = Math.floor(this.#now() / MINUTE);
    const known = this.#budgets.get(tokenId);
    if (known?.minute === minute && known.limit === limit) return known;
    // A token unused for a minute has its whole budget again: nothing to remember.
    if (known?.minute !== minute)
      for (const [id, old] of this.#budgets) if (old.minute < minute) this.#budgets.delete(id);
    const fresh: Budget = { minute, limit, left: 0, taken: 0, refill: undefined };
    this.#budgets.set(tokenId, fresh);
    return fresh;
  }

  #state(budget: Budget): BudgetState {
    return {
      limit: budget.limit,
      remaining: Math.max(0, budget.limit - budget.taken + budget.left),
      reset: (budget.minute + 1) * 60,
    };
  }
}

/** Sources that are remembered at a time. */
const SOURCES = 65_536;

/**
 * A count per source address (IPv6 by /64) in windows of a minute that begin with the first request. In memory: a
 * restart clears it. Windows are ordered by their start, so expired ones come first and each request checks at most two
 * of them. If there are too many sources, the oldest windows are dropped first.
 */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { start: number; count: number }>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts one request; resolves to 0 when it is within the limit, else to the seconds until the next one is. */
  take(address: string): number {
    const key = sourceKey(address);
    const now = this.#now();
    let window = this.#windows.get(key);
    if (!window || isOver(window.start, now)) {
      window = { start: now, count: 0 };
      // It takes its place at the end: a key that is set again would keep the old one.
      this.#windows.delete(key);
      this.#forgetOldest(now);
      this.#windows.set(key, window);
    }
    if (window.count >= this.#perMinute) return Math.max(1, Math.ceil((window.start + MINUTE - now) / 1000));
    window.count++;
    return 0;
  }

  /** Sources that are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  /**
   * Two windows that are over go for each that begins, so the table shrinks after a flood; in a full table the oldest
   * goes whatever it holds.
   */
  #forgetOldest(now: number): void {
    let looked = 0;
    for (const [key, { start }] of this.#windows) {
      if (looked++ === 2 || (this.#windows.size < SOURCES && !isOver(start, now))) return;
      this.#windows.delete(key);
    }
  }
}

/** Also of a window that begins in the future: the clock was set back since. */
function isOver(start: number, now: number): boolean {
  return now - start >= MINUTE || now < start;
}
