// The accounts whose subscriptions were fetched lately, in memory: a client that polls costs no read. On SQLite every
// change passes this process, so an account is forgotten by the commit that may have changed it. Of PostgreSQL other
// processes change the counters and say nothing of it: there an account is read for each request.
import { ACCOUNTS_COUNTED, UserDeviceRows, UserRows, UserUsageRows, type UserDeviceRow } from "../../accounts/index.ts";
import type { Committed, Committer, Reader } from "../../db/index.ts";
import { SizedCache } from "../../lib/sized-cache.ts";
import { Subscribers, type Subscriber, type SubscriberRow } from "./subscriber.ts";

/** Bytes, about. */
export interface Capacity {
  /** For all kept accounts. */
  readonly accounts: number;
  /**
   * For everything that was made from them. An answer takes some kilobytes: in one cache with answers, few accounts
   * would fit.
   */
  readonly answers: number;
}

const CAPACITY: Capacity = { accounts: 96 * 1024 * 1024, answers: 32 * 1024 * 1024 };
/** What an account takes without its own texts: measured with a hundred thousand of them. */
const ACCOUNT_SIZE = 600;
const TABLES: readonly string[] = [UserRows.name, UserUsageRows.name, UserDeviceRows.name];

/** An account, and what was made of it for clients. */
export interface KnownAccount<A> {
  readonly key: string;
  readonly state: Subscriber;
  /** Null: it has no devices. Undefined: they were not read yet. */
  devices: UserDeviceRow | null | undefined;
  /** By form. */
  answers: Map<string, A> | undefined;
}

interface Made<A> {
  readonly account: KnownAccount<A>;
  readonly form: string;
}

export class KnownAccounts<A extends object> {
  readonly #reads: Reader;
  readonly #subscribers: Subscribers;
  /** The keys of each account that is known. */
  readonly #rows = new Map<number, SubscriberRow>();
  readonly #known: SizedCache<string, KnownAccount<A>>;
  readonly #made: SizedCache<A, Made<A>>;
  readonly #keeps: boolean;
  readonly #stopListening: () => void;
  /** Counts the commits that may have changed an account: a read that one of them overtook is not kept. */
  #changes = 0;

  constructor(reads: Reader, commits: Pick<Committer, "onCommit">, capacity = CAPACITY) {
    this.#reads = reads;
    this.#subscribers = new Subscribers(reads);
    this.#keeps = reads.dialect === "sqlite";
    this.#known = new SizedCache(capacity.accounts, (key, account) => this.#dropped(key, account));
    this.#made = new SizedCache(capacity.answers, (_answer, { account, form }) => account.answers?.delete(form));
    this.#stopListening = this.#keeps ? commits.onCommit((committed) => this.#follow(committed)) : () => {};
  }

  /** The account of a key, where it is in memory and is still what it was. */
  get(key: string): KnownAccount<A> | undefined {
    return this.#known.get(key);
  }

  /** The account of a key (letters, digits, `-` and `_`); undefined for a key of nobody. */
  async find(key: string): Promise<KnownAccount<A> | undefined> {
    const known = this.#known.get(key);
    if (known) return known;
    const changes = this.#changes;
    const state = await this.#subscribers.find(key);
    if (!state) return undefined;
    const account: KnownAccount<A> = { key, state, devices: undefined, answers: undefined };
    if (this.#keeps && changes === this.#changes) {
      this.#rows.set(state.row.id, state.row);
      this.#known.set(key, account, ACCOUNT_SIZE + ownSize(state.row));
    }
    return account;
  }

  /** The account's devices; undefined where it has none. */
  async devicesOf(account: KnownAccount<A>): Promise<UserDeviceRow | undefined> {
    if (account.devices !== undefined) return account.devices ?? undefined;
    const changes = this.#changes;
    const devices = await this.#reads.find(UserDeviceRows, account.state.row.id);
    if (changes === this.#changes) account.devices = devices ?? null;
    if (devices && this.#known.get(account.key) === account)
      this.#known.grow(account.key, JSON.stringify(devices.devices).length);
    return devices;
  }

  /** What was made of an account for clients of a form. */
  answerOf(account: KnownAccount<A>, form: string): A | undefined {
    const answer = account.answers?.get(form);
    // It was used just now.
    return answer && (this.#made.get(answer), answer);
  }

  /** Keeps an answer with its account, for as long as that is kept. */
  keep(account: KnownAccount<A>, form: string, answer: A, size: number): void {
    if (this.#known.get(account.key) !== account) return;
    const before = account.answers?.get(form);
    if (before) this.#made.delete(before);
    account.answers ??= new Map();
    account.answers.set(form, answer);
    this.#made.set(answer, { account, form }, size);
  }

  /** A kept answer takes so many bytes more. */
  grown(answer: A, by: number): void {
    this.#made.grow(answer, by);
  }

  /** Accounts in memory, and what was made of them. */
  get count(): { readonly accounts: number; readonly answers: number } {
    return { accounts: this.#known.count, answers: this.#made.count };
  }

  stop(): void {
    this.#stopListening();
  }

  #dropped(key: string, { state: { row }, answers }: KnownAccount<A>): void {
    for (const answer of answers?.values() ?? []) this.#made.delete(answer);
    const other = key === row.subId ? row.subToken : row.subId;
    if (this.#known.peek(other)?.state.row.id !== row.id) this.#rows.delete(row.id);
  }

  #follow({ changes, facts, statements = [] }: Committed): void {
    for (const { table, id, after } of changes) {
      if (!TABLES.includes(table)) continue;
      this.#changes++;
      this.#forget(Number(id));
      if (table !== UserRows.name || !after) continue;
      // A key that is another account's from now on.
      const { subId, subToken } = after as unknown as SubscriberRow;
      this.#known.delete(subId);
      this.#known.delete(subToken);
    }
    if (!statements.some((text) => TABLES.some((table) => text.includes(table)))) return;
    this.#changes++;
    if (!facts.has(ACCOUNTS_COUNTED)) this.#known.clear();
    else for (const ids of facts.of(ACCOUNTS_COUNTED)) for (const id of ids) this.#forget(id);
  }

  #forget(id: number): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#known.delete(row.subId);
    this.#known.delete(row.subToken);
  }
}

/** The characters of an account's own texts. */
function ownSize({ name, remark, subId, subToken, config, templateIds, inboundIds }: SubscriberRow): number {
  const { uuid, password, ss16, ss32, by } = config;
  const texts = [name, remark, subId, subToken, uuid, password, ss16, ss32];
  const rare = by === undefined ? 0 : JSON.stringify(by).length;
  return (
    texts.reduce((size, text) => size + text.length, 0) + rare + 8 * (templateIds.length + (inboundIds?.length ?? 0))
  );
}
