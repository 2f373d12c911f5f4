// The accounts whose subscriptions were fetched lately, in memory: a client that polls costs no read. On SQLite every
// change passes this process, so an account is forgotten by the commit that may have changed it. Of PostgreSQL other
// processes change the counters and say nothing of it: there an account is read for each request.
import { defineFact, sql, type Committed, type Committer, type Reader, type Row } from "../../db/index.ts";
import { SizedCache } from "../../lib/sized-cache.ts";
import { UserDeviceRows, type UserDeviceRow } from "../devices/device.entity.ts";
import { UserRows, UserUsageRows } from "../users/user.entity.ts";
import type { UserState } from "../users/user-change.ts";

/**
 * The accounts that the set-based statements of a commit change, as far as subscriptions show it. A commit without it
 * whose statements name a table of accounts may have changed each of them.
 */
export const ACCOUNTS_COUNTED = defineFact<readonly number[]>("accounts.counted");

/** Bytes of all kept accounts and answers together, about. */
const CAPACITY = 64 * 1024 * 1024;
/** What a row of an account takes, about. */
const ROW_SIZE = 3000;
const TABLES: readonly string[] = [UserRows.name, UserUsageRows.name, UserDeviceRows.name];

/** An account, and what was made of it for clients. */
export interface KnownAccount<A> {
  readonly key: string;
  readonly state: UserState;
  /** Null: it has no devices. Undefined: they were not read yet. */
  devices: UserDeviceRow | null | undefined;
  readonly answers: Map<string, A>;
}

export class KnownAccounts<A> {
  readonly #reads: Reader;
  readonly #keys = new Map<number, Set<string>>();
  readonly #known: SizedCache<string, KnownAccount<A>>;
  readonly #keeps: boolean;
  readonly #stopListening: () => void;
  /** Counts the commits that may have changed an account: a read that one of them overtook is not kept. */
  #changes = 0;

  constructor(reads: Reader, commits: Pick<Committer, "onCommit">, capacity = CAPACITY) {
    this.#reads = reads;
    this.#keeps = reads.dialect === "sqlite";
    this.#known = new SizedCache(capacity, (key, { state: { row } }) => {
      const keys = this.#keys.get(row.id);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(row.id);
    });
    this.#stopListening = this.#keeps ? commits.onCommit((committed) => this.#follow(committed)) : () => {};
  }

  /** The account of a key, where it is in memory and is still what it was. */
  get(key: string): KnownAccount<A> | undefined {
    return this.#known.get(key);
  }

  /** The account of a key; undefined for a key of nobody. */
  async find(key: string): Promise<KnownAccount<A> | undefined> {
    const known = this.#known.get(key);
    if (known) return known;
    const changes = this.#changes;
    // A token is never guessed: where one account's chosen id equals another's token, the token's owner is meant.
    // One statement for both; what both have is the account's.
    const [found] = await this.#reads.query(
      sql<Row>`select g.*, u.* from users u join user_usage g on g.id = u.id where u.sub_id = ${key} or u.sub_token = ${key}
        order by case when u.sub_token = ${key} then 0 else 1 end limit 1`,
    );
    if (!found) return undefined;
    const state = { row: this.#reads.decode(UserRows, found), usage: this.#reads.decode(UserUsageRows, found) };
    const account: KnownAccount<A> = { key, state, devices: undefined, answers: new Map() };
    if (this.#keeps && changes === this.#changes) {
      this.#known.set(key, account, ROW_SIZE);
      const keys = this.#keys.get(state.row.id);
      if (keys) keys.add(key);
      else this.#keys.set(state.row.id, new Set([key]));
    }
    return account;
  }

  /** The account's devices; undefined where it has none. */
  async devicesOf(account: KnownAccount<A>): Promise<UserDeviceRow | undefined> {
    if (account.devices !== undefined) return account.devices ?? undefined;
    const changes = this.#changes;
    const devices = await this.#reads.find(UserDeviceRows, account.state.row.id);
    if (changes === this.#changes) account.devices = devices ?? null;
    if (devices) this.#known.grow(account.key, JSON.stringify(devices.devices).length);
    return devices;
  }

  /** Keeps an answer with its account, for as long as that is kept. */
  keep(account: KnownAccount<A>, form: string, answer: A, size: number): void {
    account.answers.set(form, answer);
    if (this.#known.get(account.key) === account) this.#known.grow(account.key, size);
  }

  /** Accounts in memory. */
  get count(): number {
    return this.#known.count;
  }

  stop(): void {
    this.#stopListening();
  }

  #follow({ changes, facts, statements = [] }: Committed): void {
    for (const { table, id, after } of changes) {
      if (!TABLES.includes(table)) continue;
      this.#changes++;
      this.#forget(Number(id));
      if (table !== UserRows.name || !after) continue;
      // A key that is another account's from now on.
      const { subId, subToken } = after as unknown as UserState["row"];
      this.#known.delete(subId);
      this.#known.delete(subToken);
    }
    if (!statements.some((text) => TABLES.some((table) => text.includes(table)))) return;
    this.#changes++;
    if (!facts.has(ACCOUNTS_COUNTED)) this.#known.clear();
    else for (const ids of facts.of(ACCOUNTS_COUNTED)) for (const id of ids) this.#forget(id);
  }

  #forget(id: number): void {
    for (const key of this.#keys.get(id) ?? []) this.#known.delete(key);
  }
}
