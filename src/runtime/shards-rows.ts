// The rows of the shards' leases, each change one statement. By the database's clock alone: those of the processes may
// differ.
import { databaseNow, sql, type Committer, type Facts, type Query, type Reader } from "../db/index.ts";
import { SHARDS } from "./shards.ts";

export interface ShardLeasesOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly boot: string;
  readonly leaseMs: number;
}

/** Shards with the tokens of their leases. */
type Held = ReadonlyMap<number, number>;

export class ShardLeases {
  readonly #options: ShardLeasesOptions;
  readonly #now: Query<number>;
  readonly #skipLocked: Query;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
    this.#now = databaseNow(options.reads.dialect);
    this.#skipLocked = options.reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
  }

  /** Makes the rows, where this is the first process of all. */
  async prepare(): Promise<void> {
    const [found] = await this.#options.reads.query<{ rows: number }>(sql`select count(*) as rows from shards`);
    if (found?.rows === SHARDS) return;
    const rows = Array.from({ length: SHARDS }, (_, shard) => sql`(${shard}, '', 0, 0)`);
    await this.#run(
      "prepare",
      sql`insert into shards (id, owner, token, expires_at) values ${sql.join(rows)} on conflict (id) do nothing`,
    );
  }

  /**
   * Among how many processes the shards are shared out (`alive`: condition on their rows), and how many shards can be
   * taken.
   */
  async survey(alive: Query<boolean>, held: Held): Promise<{ sharing: number; free: number }> {
    const [found] = await this.#options.reads.query<{ sharing: number; free: number }>(
      sql`select (select count(*) from processes where takes_shards and ${alive}) as sharing,
        (select count(*) from shards where ${this.#free(held)}) as free`,
    );
    return found ?? { sharing: 0, free: 0 };
  }

  /**
   * Takes up to `wanted` free shards, scattered over all of them, with new tokens. `held`: those that are this
   * process's own.
   */
  claim(wanted: number, held: Held): Promise<Map<number, number>> {
    const { boot, leaseMs } = this.#options;
    const scattered = sql`id * 37 % ${sql.lit(SHARDS)}`;
    // Materialized: PostgreSQL would otherwise be free to look for free ones again for every row, and lock more than
    // are wanted.
    return this.#run(
      "claim",
      sql`with free as materialized (select id from shards where ${this.#free(held)} order by ${scattered} limit ${wanted} ${this.#skipLocked})
        update shards set owner = ${boot}, token = ${this.#nextToken()}, expires_at = ${this.#now} + ${leaseMs}
        where id in (select id from free) returning id, token`,
    );
  }

  /** Extends the leases of these shards. Resolves to those that this process still has. */
  renew(held: Held): Promise<Map<number, number>> {
    const { boot, leaseMs } = this.#options;
    return this.#run(
      "renew",
      sql`update shards set expires_at = ${this.#now} + ${leaseMs}
        where owner = ${boot} and id in (${sql.join([...held.keys()])}) returning id, token`,
    );
  }

  async release(shards: readonly number[], facts: Facts): Promise<void> {
    await this.#run("release", sql`${this.#freed()} and id in (${sql.join([...shards])})`, facts);
  }

  async releaseAll(facts: Facts): Promise<void> {
    await this.#run("release", this.#freed(), facts);
  }

  #freed(): Query {
    return sql`update shards set owner = '', expires_at = 0 where owner = ${this.#options.boot}`;
  }

  /**
   * Can be taken: nobody's, run out, or this process's own without its knowledge (the answer to a claim was lost). A
   * lease that ends later than any lease can is of a clock that was set back since, and would bar the shard for as
   * long.
   */
  #free(held: Held): Query {
    const { boot, leaseMs } = this.#options;
    const unknown = held.size === 0 ? sql`` : sql`and id not in (${sql.join([...held.keys()])})`;
    return sql`(owner = '' or expires_at <= ${this.#now} or expires_at > ${this.#now} + ${2 * leaseMs} or (owner = ${boot} ${unknown}))`;
  }

  /**
   * Larger than all before it, and not smaller than the time in seconds: a database restored from a backup still gives
   * larger ones than agents have seen.
   */
  #nextToken(): Query {
    const seconds = sql`${this.#now} / 1000`;
    return sql`case when token + 1 > ${seconds} then token + 1 else ${seconds} end`;
  }

  async #run(name: string, statement: Query, facts?: Facts): Promise<Map<number, number>> {
    const { commits, reads } = this.#options;
    const [result] = await commits.execute({
      name: `shards.${name}`,
      statements: [reads.statement(name, statement)],
      ...(facts && { facts }),
    });
    return new Map((result?.rows ?? []).map((row) => [row["id"] as number, row["token"] as number]));
  }
}
