// Shards shared out among the processes on a database: each holds its part by leases, which it renews; what a dead one
// held is free when they have run out.
//
// Invariants:
// - Who holds a shard here has its lease in the database, with the token of its row: a holder that could not renew
//   gives up by its own monotonic clock, counted from before the statement that took or renewed the lease, a second
//   before anybody else can take it.
// - What is given up is let go of by the listeners first and then in the database.
// - A holder that was stopped in between (paused, cut off) may act for a moment after its lease: its token is smaller
//   than the next holder's, so the receiver can tell them apart.
import { Facts, type Committer, type Processes, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { SHARDS_MOVED } from "./facts.ts";
import { ShardLeases } from "./shards-rows.ts";
import { ShardListeners, SHARDS, shardOf, type ShardChange, type Shards } from "./shards.ts";

/** Milliseconds. */
export interface ShardTimes {
  /** How long a lease lasts; the same for every process on the database. */
  readonly lease: number;
  /**
   * How long a holder believes in a lease that it could not renew: less than `lease`, by more than it takes to let go.
   */
  readonly own: number;
  readonly renew: number;
  readonly poll: number;
}
const TIMES: ShardTimes = { lease: 8000, own: 7000, renew: 2000, poll: 1000 };

/** The fact that shards were given back or wanted: the other processes look at once. */

export interface LeasedShardsOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Milliseconds that only ever grow, whatever becomes of the wall clock (`performance.now`). */
  readonly monotonic: () => number;
  /** Started: among how many the shards are shared out. */
  readonly processes: Processes;
  readonly onError: (error: unknown) => void;
  readonly times?: ShardTimes;
}

export class LeasedShards implements Shards {
  readonly #options: LeasedShardsOptions;
  readonly #times: ShardTimes;
  readonly #leases: ShardLeases;
  readonly #listeners: ShardListeners;
  /** Tokens of the shards held. */
  readonly #held = new Map<number, number>();
  /** When the last renewal was begun, and until when the leases are believed in; monotonic. */
  #renewedAt = 0;
  #validUntil = 0;
  #cancelPoll: Cancel = () => {};
  #cancelLapse: Cancel = () => {};
  #stopListening: () => void = () => {};
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #stopped = true;

  constructor(options: LeasedShardsOptions) {
    const { commits, reads, processes, onError, times = TIMES } = options;
    this.#options = options;
    this.#times = times;
    this.#leases = new ShardLeases({ commits, reads, boot: processes.boot, leaseMs: times.lease });
    this.#listeners = new ShardListeners(onError);
  }

  holds(id: number): boolean {
    return this.token(id) !== undefined;
  }

  token(id: number): number | undefined {
    return this.#options.monotonic() < this.#validUntil ? this.#held.get(shardOf(id)) : undefined;
  }

  onChange(listener: (change: ShardChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Rejects when the database is away. Where others hold what this process should have, that comes within seconds
   * afterwards.
   */
  async start(): Promise<void> {
    this.#stopped = false;
    const { commits, processes } = this.#options;
    await this.#leases.prepare();
    await processes.takeShards(true);
    this.#stopListening = commits.onCommit(({ facts, remote }) => {
      if (remote && facts.has(SHARDS_MOVED)) this.#look();
    });
    await commits.tell("shards.join", new Facts().add(SHARDS_MOVED, processes.boot));
    this.#look();
    await this.#looking;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopListening();
    this.#cancelPoll();
    this.#lose([...this.#held.keys()]);
    await this.#looking;
    const { processes, onError } = this.#options;
    // A database that is away must not keep the panel from stopping: the leases run out by themselves.
    try {
      await processes.takeShards(false);
      await this.#leases.releaseAll(new Facts().add(SHARDS_MOVED, processes.boot));
    } catch (error) {
      onError(error);
    }
  }

  /** Renews, releases and takes leases, and schedules the next round. */
  #look(): void {
    if (this.#stopped) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#cancelPoll();
    this.#lookAgain = false;
    this.#looking = this.#balance()
      .catch(this.#options.onError)
      .finally(() => {
        this.#looking = undefined;
        if (this.#stopped) return;
        if (this.#lookAgain) this.#look();
        else this.#cancelPoll = this.#options.clock.after(this.#times.poll, () => this.#look());
      });
  }

  async #balance(): Promise<void> {
    const { monotonic, processes } = this.#options;
    this.#lapse();
    // Half a poll early rather than half a poll late.
    if (this.#held.size > 0 && monotonic() - this.#renewedAt >= this.#times.renew - this.#times.poll / 2)
      await this.#renew();
    const { sharing, free } = await this.#leases.survey(processes.alive, this.#held);
    const share = Math.ceil(SHARDS / Math.max(1, sharing));
    if (this.#held.size > share) await this.#giveBack(this.#held.size - share);
    else if (this.#held.size < share && free > 0) await this.#claim(share - this.#held.size);
  }

  async #renew(): Promise<void> {
    const began = this.#options.monotonic();
    const before = new Map(this.#held);
    const kept = await this.#leases.renew(before);
    // What lapsed meanwhile was given up, and is taken again with another token.
    if (this.#held.size === 0) return;
    const lost = [...before].filter(([shard, token]) => this.#held.get(shard) === token && kept.get(shard) !== token);
    this.#believeFrom(began);
    this.#lose(lost.map(([shard]) => shard));
  }

  /**
   * Evenly over all that are held: a small fleet's actors have neighbouring ids, and should not all stay with one
   * process.
   */
  async #giveBack(count: number): Promise<void> {
    const held = [...this.#held.keys()].toSorted((a, b) => a - b);
    const surplus = Array.from({ length: count }, (_, index) => held[Math.floor((index * held.length) / count)] ?? 0);
    this.#lose(surplus);
    await this.#leases.release(surplus, new Facts().add(SHARDS_MOVED, this.#options.processes.boot));
  }

  async #claim(wanted: number): Promise<void> {
    const { monotonic } = this.#options;
    const began = monotonic();
    const taken = await this.#leases.claim(wanted, this.#held);
    // An answer that came too late to be believed: they are free for this process as well as for others.
    if (this.#stopped || taken.size === 0 || monotonic() >= began + this.#times.own) return;
    // If leases were already held, the time of their last renewal stays valid for all.
    const first = this.#held.size === 0;
    for (const [shard, token] of taken) this.#held.set(shard, token);
    if (first) this.#believeFrom(began);
    this.#listeners.tell({ gained: new Set(taken.keys()) });
  }

  #believeFrom(began: number): void {
    this.#renewedAt = began;
    this.#validUntil = began + this.#times.own;
    this.#lapse();
  }

  /** Gives everything up when the time is over, else comes back when it is. */
  #lapse(): void {
    this.#cancelLapse();
    if (this.#held.size === 0) return;
    const left = this.#validUntil - this.#options.monotonic();
    if (left <= 0) this.#lose([...this.#held.keys()]);
    else this.#cancelLapse = this.#options.clock.after(left, () => this.#lapse());
  }

  #lose(shards: readonly number[]): void {
    const lost = new Set(shards.filter((shard) => this.#held.delete(shard)));
    if (lost.size === 0) return;
    if (this.#held.size === 0) this.#cancelLapse();
    this.#listeners.tell({ lost });
  }
}
