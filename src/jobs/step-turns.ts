// How many steps of jobs this panel carries out at a time, and whose is next. A place is lent for one step, however
// long its job is, so nobody's job waits for another's end.
//
// Who goes first: a main admin, where no step of one is under way (so there is always one place that others cannot keep
// them from, and one alone); then whoever has the fewest steps under way; then whoever was served longest ago, and of
// one account the job that was. One account leaves a place for others, whatever it has.
import { setTimeout as pause } from "node:timers/promises";

/** The job and the account of a step. */
export interface Whose {
  readonly job: number;
  readonly account: number;
  /** A main admin's. */
  readonly main: boolean;
}

/** A place that is lent; it must be given back. */
export interface Place {
  /** Nobody was waited for. */
  readonly atOnce: boolean;
  giveBack(): void;
  /** Lets others have it for so long, and waits until it is lent again; shorter where the job leaves. */
  rest(ms: number): Promise<void>;
}

interface Waiter extends Whose {
  readonly lend: () => void;
  /** Looks for a place that ended without one for it. */
  passedOver: number;
}

/** Accounts, and jobs, of which is known when they were served last. */
const REMEMBERED = 20_000;

export class Turns {
  readonly #most: number;
  readonly #lent = new Set<Whose>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #accounts = new LastServed();
  readonly #jobs = new LastServed();
  #looking = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Somebody waits: what is read before its turn comes may be old by then. */
  get crowded(): boolean {
    return this.#waiting.size > 0;
  }

  /** How many wait for a place, and how many have one. */
  get depth(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.#waiting.size, running: this.#lent.size };
  }

  /** Resolves to a place for a step; undefined where the job left before (`left`). */
  async place(whose: Whose, left: AbortSignal): Promise<Place | undefined> {
    let waiter = await this.#take(whose, left);
    if (!waiter) return undefined;
    const giveBack = () => {
      if (waiter) this.#giveBack(waiter);
      waiter = undefined;
    };
    return {
      atOnce: waiter.passedOver === 0,
      giveBack,
      rest: async (ms) => {
        giveBack();
        // A job that leaves goes on at once, and finds that it left.
        await pause(ms, undefined, { signal: left }).catch(() => {});
        waiter = await this.#take(whose, left);
      },
    };
  }

  #take(whose: Whose, left: AbortSignal): Promise<Waiter | undefined> {
    if (left.aborted) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Waiter | undefined>();
    const leave = () => {
      this.#waiting.delete(waiter);
      resolve(undefined);
    };
    const lend = () => {
      left.removeEventListener("abort", leave);
      resolve(waiter);
    };
    const waiter: Waiter = { ...whose, lend, passedOver: 0 };
    left.addEventListener("abort", leave, { once: true });
    this.#waiting.add(waiter);
    this.#look();
    return promise;
  }

  #giveBack(waiter: Waiter): void {
    this.#lent.delete(waiter);
    this.#look();
  }

  /** At the end of the tick, so that a job which goes on stands in line with the others. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    queueMicrotask(() => {
      this.#looking = false;
      for (let next = this.#next(); next; next = this.#next()) {
        this.#waiting.delete(next);
        this.#lent.add(next);
        this.#accounts.note(next.account);
        this.#jobs.note(next.job);
        next.lend();
      }
      for (const waiter of this.#waiting) waiter.passedOver++;
    });
  }

  #next(): Waiter | undefined {
    if (this.#lent.size >= this.#most) return undefined;
    const under = new Map<number, number>();
    for (const { account } of this.#lent) under.set(account, (under.get(account) ?? 0) + 1);
    const mainFirst = ![...this.#lent].some(({ main }) => main);
    let first: { readonly waiter: Waiter; readonly rank: readonly number[] } | undefined;
    for (const waiter of this.#waiting) {
      const { job, account, main } = waiter;
      const own = under.get(account) ?? 0;
      if (own >= this.#most - 1) continue;
      const rank = [mainFirst && main ? 0 : 1, own, this.#accounts.of(account), this.#jobs.of(job)];
      if (!first || isBefore(rank, first.rank)) first = { waiter, rank };
    }
    return first?.waiter;
  }
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  for (const [at, value] of one.entries()) if (value !== other[at]) return value < (other[at] ?? 0);
  return false;
}

/** In which order ids were served last; 0: never, or so long ago that it is forgotten. */
class LastServed {
  readonly #at = new Map<number, number>();
  #count = 0;

  of(id: number): number {
    return this.#at.get(id) ?? 0;
  }

  note(id: number): void {
    this.#at.delete(id);
    this.#at.set(id, ++this.#count);
    const [oldest] = this.#at.size > REMEMBERED ? this.#at.keys() : [];
    if (oldest !== undefined) this.#at.delete(oldest);
  }
}
