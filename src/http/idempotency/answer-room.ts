// How much of stored answers an account may pile up, and all accounts together (rule http.key.10).
//
// A key within its day is never forgotten: what was carried out once is not carried out again. Past the room for
// answers those of the account's oldest requests go, and their repeats are told so. Past the room for keys new ones are
// refused until old ones have had their day.
//
// Nobody adds a table up for a request. Each process counts what it stored itself, and looks at the account's rows
// after every `look` bytes; so the bound holds over all processes, and what they store beyond it meanwhile is that much
// for each.
import { sql, sweepRows, type Query, type SweepStore } from "../../db/index.ts";
import { Refusal } from "../refusals/errors.ts";

const MIB = 1024 * 1024;

/** What is kept. */
export interface AnswerLimits {
  /** Bytes of answers: of one account, of all. */
  readonly account: number;
  readonly all: number;
  /** Keys: of one account, of all. */
  readonly keys: number;
  readonly allKeys: number;
  /** Bytes that a process stores for an account, and for all, before it looks again. */
  readonly look: number;
  readonly lookAll: number;
}

export const ANSWER_LIMITS: AnswerLimits = {
  account: 64 * MIB,
  all: 1024 * MIB,
  keys: 250_000,
  allKeys: 2_000_000,
  look: 4 * MIB,
  lookAll: 64 * MIB,
};

/** What a key costs beside its answer. */
const KEY_BYTES = 512;
/** Part of the limit that is left when answers had to go, so that they need not go one by one. */
const TRIMMED = 0.75;
/** Answers that go in one commit. */
const AT_ONCE = 200;
/** How long an account whose keys are too many is refused before it is looked at again. */
const REFUSED_MS = 60_000;

export interface RoomDeps extends SweepStore {
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly limits?: AnswerLimits | undefined;
}

interface Account {
  /** Bytes that this process stored since it looked. */
  since: number;
  /** Unix milliseconds until which new keys are refused. */
  refusedUntil: number;
  looking: Promise<void> | undefined;
}

interface Held {
  readonly account: number;
  readonly keys: number;
  readonly bytes: number;
}

export class AnswerRoom {
  readonly #deps: RoomDeps;
  readonly #limits: AnswerLimits;
  readonly #accounts = new Map<number, Account>();
  #since = 0;
  #lookingAtAll: Promise<void> | undefined;

  constructor(deps: RoomDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? ANSWER_LIMITS;
  }

  /** An answer of so many bytes was stored. */
  stored(id: number, bytes: number): void {
    const account = this.#of(id);
    account.since += bytes + KEY_BYTES;
    this.#since += bytes + KEY_BYTES;
    if (account.since >= this.#limits.look) account.looking ??= this.#look(id, account);
    if (this.#since >= this.#limits.lookAll) this.#lookingAtAll ??= this.#lookAtAll();
  }

  /** Before a request under a key: waits where the account stores faster than is looked. */
  async ready(id: number): Promise<void> {
    const account = this.#accounts.get(id);
    if (account?.looking && account.since >= this.#limits.look) await account.looking;
    if (this.#lookingAtAll && this.#since >= this.#limits.lookAll) await this.#lookingAtAll;
  }

  /** Resolves when nothing is looked at any more. */
  async idle(): Promise<void> {
    await Promise.all([this.#lookingAtAll, ...[...this.#accounts.values()].map(({ looking }) => looking)]);
  }

  isRefused(id: number): boolean {
    return (this.#accounts.get(id)?.refusedUntil ?? 0) > this.#deps.now();
  }

  /** 429 for a new key. */
  refuse(): never {
    const message = "too many Idempotency-Keys of this account are kept, each for a day: send fewer, or none";
    throw new Refusal("rate_limited", { message, retryAfter: REFUSED_MS / 1000 });
  }

  /** Forgets what is past its day, some of it in each commit. */
  async prune(before: number): Promise<void> {
    for (const account of await this.#accountsWithKeys())
      await sweepRows(this.#deps, {
        name: "http.claims.prune",
        table: "idempotency_records",
        ids: sql`select id from idempotency_records where account = ${account} and claimed_at < ${before}
          order by claimed_at`,
        atOnce: AT_ONCE,
      });
    for (const [id, { since, looking }] of this.#accounts)
      if (since === 0 && looking === undefined && !this.isRefused(id)) this.#accounts.delete(id);
  }

  #of(id: number): Account {
    let account = this.#accounts.get(id);
    if (!account) {
      account = { since: 0, refusedUntil: 0, looking: undefined };
      this.#accounts.set(id, account);
    }
    return account;
  }

  async #look(id: number, account: Account): Promise<void> {
    try {
      account.since = 0;
      const [held] = await this.#held(sql`where account = ${id}`);
      if (held) await this.#keepWithin(held, this.#limits.account, this.#limits.keys);
    } catch (error) {
      this.#deps.onError(error);
    } finally {
      account.looking = undefined;
    }
  }

  /** Looks at all accounts: those with the most give way first. */
  async #lookAtAll(): Promise<void> {
    try {
      this.#since = 0;
      const held = await this.#held(sql``);
      const { account, all, keys, allKeys } = this.#limits;
      const most = Math.min(
        account,
        levelOf(
          held.map(({ bytes }) => bytes),
          all,
        ),
      );
      const mostKeys = Math.min(
        keys,
        levelOf(
          held.map((each) => each.keys),
          allKeys,
        ),
      );
      for (const each of held) await this.#keepWithin(each, most, mostKeys);
    } catch (error) {
      this.#deps.onError(error);
    } finally {
      this.#lookingAtAll = undefined;
    }
  }

  async #keepWithin({ account, keys, bytes }: Held, most: number, mostKeys: number): Promise<void> {
    if (keys >= mostKeys) this.#of(account).refusedUntil = this.#deps.now() + REFUSED_MS;
    if (bytes > most) await this.#trim(account, most * TRIMMED);
  }

  /** Lets the answers of an account's oldest requests go, but not their keys. */
  async #trim(account: number, most: number): Promise<void> {
    const [from] = await this.#deps.reads.query<{ at: number | string }>(
      sql`select claimed_at as at from (
        select claimed_at, sum(size) over (order by claimed_at desc, id rows unbounded preceding) as total
        from idempotency_records where account = ${account} and size > 0) newest
      where total > ${Math.floor(most)} order by claimed_at desc limit 1`,
      { scans: true },
    );
    if (!from) return;
    await sweepRows(this.#deps, {
      name: "http.answers.trim",
      table: "idempotency_records",
      ids: sql`select id from idempotency_records
        where account = ${account} and size > 0 and claimed_at <= ${Number(from.at)} order by claimed_at`,
      set: sql`body = '', size = 0, status = 0`,
      atOnce: AT_ONCE,
    });
  }

  async #held(which: Query): Promise<Held[]> {
    const rows = await this.#deps.reads.query<Record<"account" | "keys" | "bytes", number | string>>(
      sql`select account, count(*) as keys, sum(size) as bytes from idempotency_records ${which} group by account`,
      { scans: true },
    );
    return rows.map(({ account, keys, bytes }) => ({
      account: Number(account),
      keys: Number(keys),
      bytes: Number(bytes),
    }));
  }

  /** One step in the index for each. */
  async #accountsWithKeys(): Promise<number[]> {
    const rows = await this.#deps.reads.query<{ account: number | string | null }>(
      sql`with recursive known as (
        select min(account) as account from idempotency_records
        union all
        select (select min(r.account) from idempotency_records r where r.account > known.account)
        from known where known.account is not null)
      select account from known where account is not null`,
    );
    return rows.map(({ account }) => Number(account));
  }
}

/** The most that each may have so that all together have no more than `total`: who has less keeps it. */
function levelOf(amounts: readonly number[], total: number): number {
  let left = total;
  const sorted = amounts.toSorted((one, other) => one - other);
  for (const [index, amount] of sorted.entries()) {
    const level = left / (sorted.length - index);
    if (amount > level) return level;
    left -= amount;
  }
  return Infinity;
}
