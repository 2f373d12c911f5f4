// The one door to disk. Commands arrive as units; those that arrive together and touch different rows, or the same rows
// in order, are committed together.
//
// Invariants:
// - A unit's promise settles after its change is on disk, or when it is certain that it is not.
// - Units that write the same row are carried out in the order in which they were submitted. A row that one batch holds
//   for writing is in no other batch of this process; other processes are kept out by the store's locks.
// - A batch that fails for a reason of one member's is rolled back and its members run singly, once: a duplicate name
//   never hurts a stranger.
// - A refusal is an answer too: it is given when the batch it was decided in is on disk, since it may rest on what an
//   earlier member of that batch wrote.
// - Listeners hear of a commit after it is on disk and before its units' promises settle.
import { systemClock, type Cancel, type Clock } from "../lib/clock.ts";
import type { Ended, SignalTable } from "../lib/signal-table.ts";
import { Signals, type Signal } from "../lib/signals.ts";
import { Announcements, type Committed } from "./announcements.ts";
import type { Draft } from "./draft.ts";
import { OutcomeUnknown, StoreContention, StoreUnavailable } from "./errors.ts";
import { Facts } from "./facts.ts";
import { noteOf, type Echo } from "./note.ts";
import { IdBlocks } from "./ids.ts";
import { Deferred, type Pending, type Unit } from "./pending.ts";
import { Reader } from "./read.ts";
import type { Statement, StatementResult, Statements, Store } from "./store.ts";
import type { Tables } from "./table.ts";
import { gaveWay, MAX_ROUNDS, outcomeOf, Transactions } from "./transactions.ts";
import { UnitQueue } from "./unit-queue.ts";

/** A set-based change: statements in one transaction of their own. */
export interface StatementUnit {
  readonly name: string;
  readonly statements: Statements;
  /** Published to listeners after the commit, like a draft's facts. */
  readonly facts?: Facts;
}

export interface CommitterOptions {
  readonly now: () => number;
  /** Wakes what waits for its batch to grow; the system's where none is given. */
  readonly clock?: Clock;
  /** Units per transaction. */
  readonly batch?: number;
  /** A listener threw: a defect, since the commit is on disk and cannot be refused any more. */
  readonly onListenerError: (error: unknown) => void;
  /** Units that may wait; past it a submission is refused with `StoreUnavailable`. */
  readonly backlog?: number;
  /** Names the tables and facts that the other processes on the database must hear of. */
  readonly echo?: Echo;
  /**
   * Adds the consequences of a decision to every unit, whichever code made it. A rule that must hold for all changes
   * belongs here, so that no caller can forget it. Runs as part of `decide`.
   */
  readonly consequences?: (draft: Draft) => void;
  /** Hears of batches, units and retries; nobody where none is given. */
  readonly signals?: Signals;
}

/**
 * The number of waiting units that justifies one more session while others are busy: many small transactions cost more
 * than a few larger ones.
 */
const WORTH_A_SESSION = 16;
/** Longest time that a unit waits for its batch to grow while another batch runs. */
const PATIENCE_MS = 3;

export class Committer {
  readonly tables: Tables;
  readonly #store: Store;
  readonly #ids: IdBlocks;
  readonly #clock: Clock;
  readonly #backlog: number;
  readonly #echo: Echo | undefined;
  readonly #announcements: Announcements;
  readonly #transactions: Transactions;
  readonly #queue: UnitQueue;
  readonly #units: Signal<SignalTable["commit.unit"]>;
  readonly #statements: Signal<SignalTable["commit.statements"]>;
  readonly #retries: Signal<SignalTable["commit.retry"]>;
  #submitted = 0;
  #running = 0;
  /** Numbers of the sessions that are free, see `Draft.session`. */
  readonly #free: number[];
  #waiting = 0;
  readonly #exclusive: (() => void)[] = [];
  #exclusiveRunning = false;
  /** Set-based changes accepted and not settled. */
  #executing = 0;
  #pumpScheduled = false;
  #patience: Cancel | undefined;
  #impatient = false;
  #closed = false;
  readonly #ending = Promise.withResolvers<false>();
  #idle: (() => void)[] = [];

  constructor(store: Store, tables: Tables, options: CommitterOptions) {
    this.#store = store;
    this.tables = tables;
    this.#ids = new IdBlocks(store);
    this.#clock = options.clock ?? systemClock;
    this.#free = Array.from({ length: store.sessions }, (_, session) => session);
    this.#queue = new UnitQueue(options.batch ?? 512);
    this.#backlog = options.backlog ?? 16_384;
    const { onListenerError, signals = new Signals() } = options;
    this.#units = signals.of("commit.unit");
    this.#statements = signals.of("commit.statements");
    this.#retries = signals.of("commit.retry");
    this.#announcements = new Announcements({ reads: new Reader(store, tables), clock: this.#clock, onListenerError });
    this.#echo = store.log && options.echo;
    this.#transactions = new Transactions({
      store,
      tables,
      ids: this.#ids,
      now: options.now,
      consequences: options.consequences,
      announcements: this.#announcements,
      noteOf: (committed) => this.#noteOf(committed),
      ending: this.#ending.promise,
      settled: (member, error) => this.#settled(member, error),
      signals,
      waiting: () => this.#waiting,
    });
  }

  /**
   * Calls `listener` after every commit of this process, in commit order per row, and after every commit of other
   * processes that a `Follower` reads. It must not throw; if it does, the other listeners are still called. Returns a
   * function that removes the listener.
   */
  onCommit(listener: (committed: Committed) => void): () => void {
    return this.#announcements.add(listener);
  }

  /**
   * Carries out a unit. Resolves to what `decide` returned, after commit; rejects with what it threw, with
   * `UniqueConflict`, or with `StoreUnavailable`.
   */
  submit<A>(unit: Unit<A>): Promise<A> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the panel is shutting down"));
    if (this.#waiting >= this.#backlog) return Promise.reject(new StoreUnavailable("too many changes are waiting"));
    return new Promise<A>((resolve, reject) => {
      this.#waiting++;
      const order = ++this.#submitted;
      this.#queue.add({
        unit,
        order,
        locks: unit.locks,
        resolve: resolve as (answer: unknown) => void,
        reject,
        tries: 0,
        begun: this.#units.begun(),
      });
      this.#schedulePump();
    });
  }

  /**
   * Carries out a set-based change. Rejects with `ExpectationFailed` when a statement touched another number of rows
   * than it must, or with `StoreUnavailable`.
   */
  async execute(unit: StatementUnit): Promise<StatementResult[]> {
    if (this.#closed) throw new StoreUnavailable("the panel is shutting down");
    const begun = this.#statements.begun();
    let failure: unknown;
    this.#executing++;
    if (this.#store.exclusiveStatements) await this.#enterExclusive();
    const facts = unit.facts ?? new Facts();
    let texts: readonly string[] = [];
    const statements = (): readonly Statement[] => {
      const made = typeof unit.statements === "function" ? unit.statements() : unit.statements;
      texts = made.map(({ text }) => text);
      return made;
    };
    try {
      const results = await this.#execute(statements, this.#noteOf({ changes: [], facts }));
      this.announce({ changes: [], facts, statements: texts });
      return results;
    } catch (error) {
      failure = error;
      if (error instanceof OutcomeUnknown)
        void outcomeOf(error).then((holds) => holds && this.announce({ changes: [], facts, statements: texts }));
      throw error;
    } finally {
      this.#executing--;
      if (this.#store.exclusiveStatements) this.#leaveExclusive();
      this.#settleIdle();
      if (begun !== undefined)
        this.#statements.tell({
          name: unit.name,
          statements: texts.length,
          ended: endOf(failure),
          ms: this.#statements.since(begun),
        });
    }
  }

  /** Publishes facts without a change, to the listeners of every process. */
  async tell(name: string, facts: Facts): Promise<void> {
    await this.execute({ name, statements: [], facts });
  }

  /** Tells the listeners of a commit. From outside: of another process's, by the `Follower` alone. */
  announce(committed: Committed): void {
    this.#announcements.announce(committed);
  }

  #noteOf({ changes, facts }: Committed): string | undefined {
    return this.#echo && noteOf(this.#echo, changes, facts);
  }

  /** A transaction that the database aborted because of another one is retried: it wrote nothing. */
  async #execute(statements: Statements, note: string | undefined): Promise<StatementResult[]> {
    for (let round = 1; ; round++) {
      try {
        const results = await this.#store.execute(statements, note);
        if (note !== undefined) this.#store.log?.hint();
        return results;
      } catch (error) {
        if (!(error instanceof StoreContention)) throw error;
        if (round >= MAX_ROUNDS) throw gaveWay(error);
        if (this.#retries.heard) this.#retries.tell({ why: "contention", units: 1 });
      }
    }
  }

  /** Refuses what comes from now on and resolves when everything accepted before is settled. */
  async drain(): Promise<void> {
    this.#closed = true;
    // While the database is down, the outcome of a commit may stay unknown. Units that wait for its rows are released.
    this.#ending.resolve(false);
    if (this.#waiting > 0 || this.#executing > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Accepted units that are not settled yet. */
  get waiting(): number {
    return this.#waiting;
  }

  #settled({ unit, begun }: Pending, error: unknown): void {
    this.#waiting--;
    if (begun !== undefined) this.#units.tell({ name: unit.name, ended: endOf(error), ms: this.#units.since(begun) });
  }

  #enterExclusive(): Promise<void> {
    return new Promise((resolve) => {
      this.#exclusive.push(resolve);
      this.#schedulePump();
    });
  }

  #leaveExclusive(): void {
    this.#exclusiveRunning = false;
    this.#schedulePump();
  }

  /** Batches are formed at the end of the tick, so that commands of one tick share one. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    queueMicrotask(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#exclusiveRunning) return;
    const exclusive = this.#exclusive[0];
    if (exclusive) {
      if (this.#running > 0) return;
      this.#exclusive.shift();
      this.#exclusiveRunning = true;
      exclusive();
      return;
    }
    while (this.#running < this.#store.sessions && this.#queue.length > 0) {
      if (this.#queue.length < this.#running * WORTH_A_SESSION && !this.#impatient) {
        this.#pumpLater();
        return;
      }
      const members = this.#queue.take((locks) => this.#announcements.openBatches.writes(locks));
      if (members.length === 0) return;
      this.#running++;
      void this.#runBatch(members);
    }
  }

  /**
   * What is too little for a session of its own waits for one that runs, but not for long: that one may be waiting for
   * another process.
   */
  #pumpLater(): void {
    if (this.#patience) return;
    this.#patience = this.#clock.after(PATIENCE_MS, () => {
      this.#patience = undefined;
      this.#impatient = true;
      this.#pump();
      this.#impatient = false;
    });
  }

  async #runBatch(members: readonly Pending[]): Promise<void> {
    const session = this.#free.pop() ?? 0;
    const held = members.flatMap((member) => member.locks);
    const deferred = new Deferred();
    // Units that must run again run one by one, in order. A unit with contention is retried until its attempts are used
    // up.
    const again = [...(await this.#transactions.carryOut(members, deferred, session))];
    for (let member = again.shift(); member; member = again.shift())
      again.unshift(...(await this.#transactions.carryOut([member], deferred, session)));
    for (const [sequence, waiting] of deferred.sequences) {
      try {
        await this.#ids.refill(sequence);
      } catch (error) {
        deferred.drop(waiting);
        for (const member of waiting) this.#transactions.refuse(member, error);
      }
    }
    // If refilling in advance fails, the next unit that runs out of ids tries again and gets the error.
    for (const sequence of this.#ids.low) this.#ids.refill(sequence).catch(() => {});
    this.#running--;
    this.#free.push(session);
    this.#queue.release(held, deferred.members);
    this.#pump();
    this.#settleIdle();
  }

  #settleIdle(): void {
    if (this.#waiting > 0 || this.#executing > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

/** How watchers hear of what a change came to; `error` undefined: it is on disk. */
function endOf(error: unknown): Ended {
  if (error === undefined) return "done";
  return error instanceof StoreUnavailable ? "unavailable" : "refused";
}
