// Keeps what this process holds in memory in line with what the other processes on the database commit: their notes are
// read, the rows that they name are read again, and both are announced to the listeners of this process's own
// committer, which need not know whose commit it was.
//
// Invariants:
// - Every commit of another process is announced once, and after those that it rests on; the log is complete, hints
//   only bring a look forward.
// - `caughtUp` resolves when everything that was committed anywhere before it was called has been announced here: a
//   request that is answered after it knows all earlier answers.
// - No clock decides what is forgotten: a process forgets what it has seen to be old itself, and one whose last note is
//   older than the oldest that is kept knows that it may have missed some.
// - What a newer version beside this one tells of tables that this one does not have, concerns nobody here.
// - If this process changes a row while it is being read again, it is read once more: an old version never replaces a
//   new one.
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Committer } from "./commit.ts";
import { lockKey, type RowChange } from "./row-writes.ts";
import { Facts } from "./facts.ts";
import { parseNote } from "./note.ts";
import type { Reader } from "./read.ts";
import { rowsNow } from "./rows-now.ts";
import type { CommitLog } from "./store.ts";
import type { Key } from "./table.ts";

const POLL_MS = 1000;
const PRUNE_MS = 60_000;
/** Notes are kept for so many turns of pruning: minutes that a process may be away from the database. */
const KEEP_TURNS = 5;

export interface FollowerOptions {
  readonly log: CommitLog;
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Notes may have been missed: nothing in memory can be trusted, the panel must start again. */
  readonly onLost: () => void;
}

export class Follower {
  readonly #options: FollowerOptions;
  #position = "";
  /** Id of the newest note that was there at the last read. */
  #last = 0;
  /** The newest notes of the last turns of pruning, oldest first. */
  readonly #turns: number[] = [];
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #cancelPoll: Cancel = () => {};
  #cancelPrune: Cancel = () => {};
  #stopListening: () => void = () => {};
  #stopped = false;

  private constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Follows from now on; to be awaited before anything is read into memory. */
  static async open(options: FollowerOptions): Promise<Follower> {
    const follower = new Follower(options);
    const { position, last } = await options.log.join();
    follower.#position = position;
    follower.#last = last;
    follower.#stopListening = options.log.listen(() => void follower.#look());
    follower.#pollLater();
    follower.#pruneLater();
    return follower;
  }

  /**
   * Resolves when all that was committed before the call is announced. Rejects when the database is away. Calls of one
   * moment share one read.
   */
  async caughtUp(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#read().finally(() => (this.#running = undefined));
      return this.#running;
    }
    // What runs may have begun before the commit that the caller must see.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.caughtUp();
      });
    return this.#next;
  }

  /**
   * For what is kept by counting: `read` tells what it read and the position (`pg_current_snapshot()`) that it saw.
   * Everything before is announced before this resolves, everything after it later: nothing is counted twice or left
   * out.
   */
  async readAt<T>(read: () => Promise<{ readonly position: string; readonly value: T }>): Promise<T> {
    while (this.#running) await this.#running.catch(() => {});
    const reading = read().then(async ({ position, value }) => {
      await this.#read(position);
      return value;
    });
    this.#running = reading.then(() => {}).finally(() => (this.#running = undefined));
    this.#running.catch(() => {});
    return reading;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll();
    this.#cancelPrune();
    this.#stopListening();
    await Promise.allSettled([this.#running, this.#next]);
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.caughtUp();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #pollLater(): void {
    this.#cancelPoll = this.#options.clock.after(POLL_MS, () => {
      void this.#look().finally(() => {
        if (!this.#stopped) this.#pollLater();
      });
    });
  }

  #pruneLater(): void {
    this.#cancelPrune = this.#options.clock.after(PRUNE_MS, () => {
      void this.#prune().finally(() => {
        if (!this.#stopped) this.#pruneLater();
      });
    });
  }

  async #prune(): Promise<void> {
    this.#turns.push(this.#last);
    const old = this.#turns.length > KEEP_TURNS ? this.#turns.shift() : undefined;
    if (old !== undefined) await this.#options.log.prune(old).catch(this.#options.onError);
  }

  async #read(until?: string): Promise<void> {
    const { log, commits, reads } = this.#options;
    const { notes, position, first, last } = await log.since(this.#position, until);
    if (first > this.#last) this.#options.onLost();
    const rows = new Map<string, Set<Key>>();
    const told: Record<string, unknown[]> = {};
    for (const note of notes.map(parseNote)) {
      for (const [table, ids] of Object.entries(note.rows)) {
        if (!reads.tables.has(table)) continue;
        const known = rows.get(table) ?? new Set();
        rows.set(table, known);
        for (const id of ids) known.add(id);
      }
      for (const [name, values] of Object.entries(note.facts)) (told[name] ??= []).push(...values);
    }
    const changes = await this.#changes(rows);
    // Only now: a read that failed is repeated from where it was.
    this.#position = position;
    this.#last = last;
    const facts = Facts.written(told);
    if (changes.length > 0 || !facts.isEmpty) commits.announce({ changes, facts, remote: true });
  }

  /**
   * The rows as they are now: each is read again for as long as this process changes any of them meanwhile, so that
   * none of them is older than what the listeners know.
   */
  async #changes(named: ReadonlyMap<string, ReadonlySet<Key>>): Promise<RowChange[]> {
    const found = new Map<string, RowChange>();
    let changedHere = new Set<string>();
    const unlisten = this.#options.commits.onCommit(({ changes }) => {
      for (const change of changes) changedHere.add(lockKey(change));
    });
    try {
      let stale = (_key: string) => true;
      for (;;) {
        changedHere = new Set();
        for (const [table, ids] of named) {
          const wanted = [...ids].filter((id) => stale(lockKey({ table, id })));
          for (const change of await rowsNow(this.#options.reads, table, wanted)) found.set(lockKey(change), change);
        }
        const changed = changedHere;
        stale = (key) => changed.has(key);
        if (![...found.keys()].some(stale)) return [...found.values()];
      }
    } finally {
      unlisten();
    }
  }
}
