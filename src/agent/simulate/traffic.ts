// The traffic of one simulated node: every active user moves the same bytes a second, exactly, from the instant it is
// added to the instant it is removed.
import type { BucketPool, UserBuckets } from "./user-buckets.ts";

/** Other users are active every five minutes. */
const EPOCH_MS = 300_000;

export interface TrafficOptions {
  readonly pool: BucketPool;
  readonly users: UserBuckets;
  /** Bytes a second of an active user, up and down together. */
  readonly rate: number;
  /** Milliseconds: begin of the fleet. */
  readonly begin: number;
  readonly count: (userId: number, up: number, down: number) => void;
}

export class Traffic {
  readonly #options: TrafficOptions;
  /** Bytes that an active user has moved from `begin` to the last settlement. */
  #settled: number;
  #epoch: number;
  /** Users added since then, with what one who was there all along had moved by that time. */
  readonly #joined = new Map<number, number>();

  constructor(options: TrafficOptions, now: number) {
    this.#options = options;
    this.#settled = this.#moved(now);
    this.#epoch = Math.floor(now / EPOCH_MS);
  }

  /** Users that move traffic now. */
  get active(): number {
    const { pool, users } = this.#options;
    return users.all.reduce((sum, bucket) => sum + pool.active(bucket, this.#epoch).length, 0);
  }

  joined(userId: number, now: number): void {
    const moved = this.#moved(now);
    // Right after a settlement there is nothing to remember.
    if (moved !== this.#settled) this.#joined.set(userId, moved);
  }

  /** Counts what the user has moved; it moves nothing from now on. */
  left(userId: number, now: number): void {
    const from = this.#joined.get(userId) ?? this.#settled;
    this.#joined.delete(userId);
    if (this.#options.pool.isActive(userId, this.#epoch)) this.#count(userId, this.#moved(now) - from);
  }

  /** Counts for all users what they have moved since the last time. */
  settle(now: number): void {
    const { pool, users } = this.#options;
    const moved = this.#moved(now);
    const bytes = moved - this.#settled;
    if (bytes > 0) {
      for (const bucket of users.all) {
        for (const id of pool.active(bucket, this.#epoch)) {
          const joined = this.#joined.size === 0 ? undefined : this.#joined.get(id);
          this.#count(id, joined === undefined ? bytes : moved - joined);
        }
      }
    }
    this.skip(now);
  }

  /** Lets the time since the last settlement pass without traffic. */
  skip(now: number): void {
    this.#settled = this.#moved(now);
    this.#epoch = Math.floor(now / EPOCH_MS);
    this.#joined.clear();
  }

  /** Whole bytes from the begin on, so that no rounding adds up. */
  #moved(now: number): number {
    return Math.floor((this.#options.rate * Math.max(0, now - this.#options.begin)) / 1000);
  }

  #count(userId: number, bytes: number): void {
    if (bytes <= 0) return;
    const up = Math.floor(bytes / 5);
    this.#options.count(userId, up, bytes - up);
  }
}
