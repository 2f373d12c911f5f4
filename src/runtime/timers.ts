// Fires due timers. The table's due index is the truth; memory holds only the near future.
//
// Modes: `resting` (one wake-up set, for the nearest known timer or the next poll) and `firing` (due timers are being
// given to their actors). Every timer in memory is in the database, committed; one that is due is fired until its row
// is gone, so a kill between firing and commit loses nothing, and a stale memory entry does nothing.
//
// With several processes, the one that holds an actor's shard reads its timers. A timer that was set here and is due
// immediately fires here, whichever process holds the shard. If two fire the same timer, the second finds it deleted.
import type { Reader } from "../db/index.ts";
import { sql } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import { TimerRows, type TimerRow } from "./actor.entity.ts";
import { AsideRows } from "./aside-rows.ts";
import { divided, shardOf, type Shards } from "./shards.ts";

/**
 * If a timer is overdue by this time, any process may fire it: the process that holds its actor's shard is dead or
 * overloaded.
 */
const LATE_MS = 2000;

export interface TimerOptions {
  readonly reads: Reader;
  readonly clock: Clock;
  readonly shards: Shards;
  /** The kinds of actors that are known here: timers of others are a newer panel's. */
  readonly kinds: () => readonly string[];
  /**
   * Gives a due timer to its actor. Resolves when that is committed or can wait for the next poll, to whether the row
   * stayed as it is for a newer panel; must not reject.
   */
  readonly fire: (timer: TimerRow) => Promise<boolean>;
  readonly signals: Signals;
  readonly onError: (error: unknown) => void;
  /** Poll interval: finds what set-based statements and other processes marked due. */
  readonly pollMs?: number;
  /** Timers being fired at once. */
  readonly inFlight?: number;
}

export class Timers {
  readonly #options: Required<TimerOptions>;
  /** Committed timers that fall due before the next poll, by id. */
  readonly #near = new Map<string, TimerRow>();
  readonly #firing = new Set<string>();
  readonly #aside = new AsideRows();
  readonly #fired: Signal<SignalTable["runtime.timer"]>;
  #cancelWake: Cancel | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #pollAt = 0;
  #polling = false;
  #pokedWhilePolling = false;
  /** Something due was not read or had no room: to be read once there is. */
  #more = false;
  #stopped = true;
  #stopListening: () => void = () => {};
  #idle: (() => void)[] = [];

  constructor(options: TimerOptions) {
    this.#options = { pollMs: 1000, inFlight: 1024, ...options };
    this.#fired = options.signals.of("runtime.timer");
  }

  start(): void {
    this.#stopped = false;
    this.#stopListening = this.#options.shards.onChange(({ gained, lost }) => {
      for (const [id, { actorId }] of this.#near) if (lost.has(shardOf(actorId))) this.#near.delete(id);
      if (gained.size > 0) this.poke();
    });
    void this.#poll();
  }

  /** No timer fires after this call. Resolves when the running ones are finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    this.#cancelWake?.();
    if (this.#firing.size > 0 || this.#polling) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** A commit armed this timer. One beyond the next poll is left to it. */
  armed(timer: TimerRow): void {
    if (this.#stopped) return;
    if (timer.dueAt >= this.#options.clock.now() + this.#options.pollMs) {
      this.#near.delete(timer.id);
      return;
    }
    this.#near.set(timer.id, timer);
    this.#wakeBy(timer.dueAt);
  }

  /** Something became due that no row told of (a set-based statement): look now. */
  poke(): void {
    if (!this.#stopped) void this.#poll();
  }

  #wakeBy(at: number): void {
    if (this.#stopped || at >= this.#wakeAt) return;
    this.#cancelWake?.();
    this.#wakeAt = at;
    this.#cancelWake = this.#options.clock.after(at - this.#options.clock.now(), () => this.#wake());
  }

  #wake(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const { clock, pollMs } = this.#options;
    const now = clock.now();
    // A clock that was set back must not put the next poll off by as much.
    this.#pollAt = Math.min(this.#pollAt, now + pollMs);
    let next = this.#pollAt;
    for (const timer of this.#near.values()) {
      if (timer.dueAt <= now) this.#fire(timer);
      else next = Math.min(next, timer.dueAt);
    }
    if (now >= this.#pollAt) void this.#poll();
    else this.#wakeBy(next);
  }

  /** Reads what is due, or will be before the next poll. */
  async #poll(): Promise<void> {
    if (this.#polling) {
      this.#pokedWhilePolling = true;
      return;
    }
    this.#polling = true;
    const { clock, pollMs, onError } = this.#options;
    const started = clock.now();
    try {
      const rows = await this.#read(started);
      const now = clock.now();
      for (const timer of rows) {
        if (timer.dueAt <= now) this.#fire(timer);
        else this.armed(timer);
      }
    } catch (error) {
      onError(error);
    }
    this.#polling = false;
    this.#pollAt = started + pollMs;
    const again = (this.#pokedWhilePolling || clock.now() >= this.#pollAt) && !this.#stopped;
    this.#pokedWhilePolling = false;
    if (again) void this.#poll();
    else this.#wakeBy(this.#pollAt);
    this.#settleIdle();
  }

  /**
   * Timers of the shards held here, oldest first. Where these leave room, those of others that are late: from the other
   * end, away from a holder that is at work on them.
   */
  async #read(now: number): Promise<TimerRow[]> {
    const { reads, pollMs, inFlight, shards, kinds } = this.#options;
    const passed = this.#aside.count(now);
    const limit = inFlight * 2 + passed;
    const { mine, others } = divided(shards, "actor_id");
    const known = kinds();
    if (known.length === 0) return [];
    const ours = sql`kind in (${sql.join([...known])})`;
    const rows = mine
      ? await reads.rows(
          TimerRows,
          sql`select * from timers where due_at <= ${now + pollMs} and ${mine} and ${ours}
            order by due_at limit ${limit}`,
        )
      : [];
    this.#more = rows.length === limit;
    if (!others || this.#more) return rows;
    const skipLocked = reads.dialect === "postgresql" ? sql`for update skip locked` : sql``;
    const late = await reads.rows(
      TimerRows,
      sql`select * from timers where due_at <= ${now - LATE_MS} and ${others} and ${ours}
        order by due_at desc limit ${inFlight + passed} ${skipLocked}`,
    );
    this.#more = late.length === inFlight + passed;
    return [...rows, ...late];
  }

  #fire(timer: TimerRow): void {
    this.#near.delete(timer.id);
    const now = this.#options.clock.now();
    if (this.#stopped || this.#firing.has(timer.id) || this.#aside.has(timer.id, now)) return;
    if (this.#firing.size >= this.#options.inFlight) {
      this.#more = true;
      return;
    }
    this.#firing.add(timer.id);
    const begun = this.#fired.begun();
    const lagMs = begun === undefined ? 0 : now - timer.dueAt;
    void this.#options.fire(timer).then((aside) => {
      if (aside) this.#aside.add(timer.id, now);
      if (begun !== undefined) this.#tell(timer, lagMs, begun);
      this.#firing.delete(timer.id);
      if (this.#more && !this.#stopped && this.#firing.size <= this.#options.inFlight / 4) {
        this.#more = false;
        void this.#poll();
      }
      this.#settleIdle();
    });
  }

  #tell({ kind, name }: TimerRow, lagMs: number, begun: number): void {
    this.#fired.tell({ kind, name, lagMs, running: this.#firing.size, ms: this.#fired.since(begun) });
  }

  #settleIdle(): void {
    if (this.#firing.size > 0 || this.#polling) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
