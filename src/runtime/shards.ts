// Shards: which process runs which actors. Every actor belongs to one of 64 shards. The process that holds a shard runs
// the residents of its actors and is the first to run their timers and effects. Commands need no shard: each process
// executes any command.
import { sql, type Query } from "../db/index.ts";

export const SHARDS = 64;

export const shardOf = (id: number): number => id % SHARDS;

export interface ShardChange {
  /** Numbers of shards, see `shardOf`. */
  readonly gained: ReadonlySet<number>;
  readonly lost: ReadonlySet<number>;
}

export interface Shards {
  /** Whether this process holds the shard of the actor `id` at this moment. */
  holds(id: number): boolean;
  /**
   * The fencing token of the actor's shard, undefined where it is not held. Every lease has a larger one than all
   * before it: an external receiver can refuse a process that lost its lease and does not know it yet.
   */
  token(id: number): number | undefined;
  /** Takes shards. Listeners have heard of the first ones when it resolves. */
  start(): Promise<void>;
  /** Gives all of them up, listeners first; never rejects. */
  stop(): Promise<void>;
  /**
   * Calls `listener` when shards come or go. Of those lost it must let go before it returns: another process may have
   * them a moment later. Returns the way to stop.
   */
  onChange(listener: (change: ShardChange) => void): () => void;
}

const NONE: ReadonlySet<number> = new Set();
const ALL: ReadonlySet<number> = new Set(Array.from({ length: SHARDS }, (_, shard) => shard));

/** Listeners for gained and lost shards. If one throws, the others are still called. */
export class ShardListeners {
  readonly #listeners = new Set<(change: ShardChange) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(listener: (change: ShardChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell({ gained = NONE, lost = NONE }: Partial<ShardChange>): void {
    for (const listener of this.#listeners) {
      try {
        listener({ gained, lost });
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** Reserves `count` ids of a sequence, durably; resolves to the first (`Store.reserve`). */
export type Reserve = (sequence: string, count: number) => Promise<number>;

/** The sequence of reserved ids from which a process that is alone takes its tokens. */
const SEQUENCE = "link_fence";

/**
 * Takes a token for a process that is alone, once, at its start: durable, larger than every one taken from this
 * database before, and not smaller than the time (`now`, Unix milliseconds) in seconds. The sequence keeps it growing
 * when the clock is set back; the time keeps it growing when the database is restored from a backup that has not seen
 * the last starts: with the sequence alone every agent would refuse the restored panel.
 */
export async function takeFence(reserve: Reserve, now: number): Promise<number> {
  const next = await reserve(SEQUENCE, 1);
  const missing = Math.floor(now / 1000) - next;
  if (missing <= 0) return next;
  return (await reserve(SEQUENCE, missing)) + missing - 1;
}

/** All shards in one hand: where no other process can be on the database (SQLite). */
export class SoleShards implements Shards {
  readonly #reserve: Reserve;
  readonly #now: () => number;
  readonly #listeners: ShardListeners;
  #token: number | undefined;

  constructor({ reserve, now, onError }: { reserve: Reserve; now: () => number; onError: (error: unknown) => void }) {
    this.#reserve = reserve;
    this.#now = now;
    this.#listeners = new ShardListeners(onError);
  }

  holds(): boolean {
    return this.#token !== undefined;
  }

  token(): number | undefined {
    return this.#token;
  }

  async start(): Promise<void> {
    this.#token = await takeFence(this.#reserve, this.#now());
    this.#listeners.tell({ gained: ALL });
  }

  async stop(): Promise<void> {
    if (this.#token === undefined) return;
    this.#token = undefined;
    this.#listeners.tell({ lost: ALL });
  }

  onChange(listener: (change: ShardChange) => void): () => void {
    return this.#listeners.add(listener);
  }
}

/**
 * How rows of actors divide between this process and the others, as conditions on the column that names the actor.
 * Undefined: no row is on that side.
 */
export function divided(
  shards: Shards,
  column: string,
): { readonly mine: Query | undefined; readonly others: Query | undefined } {
  const held = [...ALL].filter((shard) => shards.holds(shard));
  if (held.length === SHARDS) return { mine: sql`true`, others: undefined };
  if (held.length === 0) return { mine: undefined, others: sql`true` };
  const among = sql`${sql.ref(column)} % ${sql.lit(SHARDS)} in (${sql.join(held)})`;
  return { mine: among, others: sql`not (${among})` };
}
