// The one door to disk. Commands arrive as units; those that arrive together and touch different rows, or the same rows in order, are committed together.
//
// Invariants:
// - A unit's promise settles after its change is on disk, or when nothing of it is.
// - Units that write the same row are carried out in the order in which they were submitted. A row that one batch holds for writing is in no other batch of this process; other processes are kept out by the store's locks.
// - A batch that fails for a reason of one member's is rolled back and its members run singly, once: a duplicate name never hurts a stranger.
// - Listeners hear of a commit after it is on disk and before its units' promises settle.
import { EventEmitter } from "eventemitter3";
import { Draft, lockKey, Overlay, type Facts, type Lock, type RowChange } from "./draft.ts";
import { NeedIds, NeedLocks, StoreContention, StoreUnavailable } from "./errors.ts";
import { IdBlocks } from "./ids.ts";
import type { Statement, StatementResult, Store } from "./store.ts";
import type { Row, Tables } from "./table.ts";

/** One command's change: the rows it decides on, and the decision. `decide` is synchronous and may run more than once; see `Draft`. */
export interface Unit<A> {
  /** For logs and metrics, for example `user.update`. */
  readonly name: string;
  readonly locks: readonly Lock[];
  decide(draft: Draft): A;
}

/** A set-based change: statements in one transaction of their own. */
export interface StatementUnit {
  readonly name: string;
  readonly statements: readonly Statement[];
  /** Published to listeners after the commit, like a draft's facts. */
  readonly facts?: Facts;
}

/** What listeners are told after a commit. */
export interface Committed {
  readonly changes: readonly RowChange[];
  readonly facts: Readonly<Facts>;
}

interface Pending {
  readonly unit: Unit<unknown>;
  locks: Lock[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  tries: number;
}

export interface CommitterOptions {
  readonly now: () => number;
  /** Units per transaction. */
  readonly batch?: number;
  /** A listener threw: a defect, since the commit is on disk and cannot be refused any more. */
  readonly onListenerError: (error: unknown) => void;
  /** Units that may wait; past it a submission is refused with `StoreUnavailable`. */
  readonly backlog?: number;
}

type Held = { mode: "write" } | { mode: "read"; count: number };

const MAX_ROUNDS = 12;

export class Committer {
  readonly tables: Tables;
  readonly #store: Store;
  readonly #ids: IdBlocks;
  readonly #now: () => number;
  readonly #batch: number;
  readonly #backlog: number;
  readonly #onListenerError: (error: unknown) => void;
  readonly #events = new EventEmitter<{ committed: [Committed] }>();
  #queue: Pending[] = [];
  readonly #held = new Map<string, Held>();
  #running = 0;
  #waiting = 0;
  readonly #exclusive: (() => void)[] = [];
  #exclusiveRunning = false;
  #pumpScheduled = false;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(store: Store, tables: Tables, options: CommitterOptions) {
    this.#store = store;
    this.tables = tables;
    this.#ids = new IdBlocks(store);
    this.#now = options.now;
    this.#batch = options.batch ?? 512;
    this.#backlog = options.backlog ?? 16_384;
    this.#onListenerError = options.onListenerError;
  }

  /** Calls `listener` after every commit of this process, in commit order per row. It must not throw. Returns the way to stop. */
  onCommit(listener: (committed: Committed) => void): () => void {
    this.#events.on("committed", listener);
    return () => this.#events.off("committed", listener);
  }

  /** Carries out a unit. Resolves to what `decide` returned, after commit; rejects with what it threw, with `UniqueConflict`, or with `StoreUnavailable`. */
  submit<A>(unit: Unit<A>): Promise<A> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the panel is shutting down"));
    if (this.#waiting >= this.#backlog) return Promise.reject(new StoreUnavailable("too many changes are waiting"));
    return new Promise<A>((resolve, reject) => {
      this.#waiting++;
      this.#queue.push({ unit, locks: [...unit.locks], resolve: resolve as (answer: unknown) => void, reject, tries: 0 });
      this.#schedulePump();
    });
  }

  /** Carries out a set-based change. Rejects with `ExpectationFailed` when a statement touched another number of rows than it must. */
  async execute(unit: StatementUnit): Promise<StatementResult[]> {
    if (this.#closed) throw new StoreUnavailable("the panel is shutting down");
    if (this.#store.exclusiveStatements) await this.#enterExclusive();
    try {
      const results = await this.#store.execute(unit.statements);
      this.#announce({ changes: [], facts: unit.facts ?? {} });
      return results;
    } finally {
      if (this.#store.exclusiveStatements) this.#leaveExclusive();
    }
  }

  /** Refuses what comes from now on and resolves when everything accepted before is settled. */
  async drain(): Promise<void> {
    this.#closed = true;
    if (this.#waiting > 0 || this.#exclusiveRunning) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Accepted units that are not settled yet. */
  get waiting(): number {
    return this.#waiting;
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
    this.#settleIdle();
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
      const members = this.#takeBatch();
      if (members.length === 0) return;
      this.#running++;
      void this.#runBatch(members);
    }
  }

  /** Takes, in order, what no running batch and no earlier unit left behind excludes. */
  #takeBatch(): Pending[] {
    const members: Pending[] = [];
    const left: Pending[] = [];
    const barred = new Set<string>();
    let index = 0;
    for (; index < this.#queue.length && members.length < this.#batch; index++) {
      const pending = this.#queue[index];
      if (!pending) continue;
      if (pending.locks.every((wanted) => this.#free(wanted, barred))) members.push(pending);
      else {
        left.push(pending);
        for (const wanted of pending.locks) barred.add(lockKey(wanted));
        if (left.length > this.#batch * 4) {
          index++;
          break;
        }
      }
    }
    this.#queue = left.length === 0 && index === this.#queue.length ? [] : [...left, ...this.#queue.slice(index)];
    for (const member of members) this.#hold(member.locks);
    return members;
  }

  #free(wanted: Lock, barred: ReadonlySet<string>): boolean {
    const key = lockKey(wanted);
    if (barred.has(key)) return false;
    const held = this.#held.get(key);
    return !held || (held.mode === "read" && wanted.mode === "read");
  }

  #hold(locks: readonly Lock[]): void {
    for (const wanted of locks) {
      const key = lockKey(wanted);
      const held = this.#held.get(key);
      if (wanted.mode === "write") this.#held.set(key, { mode: "write" });
      else if (!held) this.#held.set(key, { mode: "read", count: 1 });
      else if (held.mode === "read") held.count++;
    }
  }

  async #runBatch(members: readonly Pending[]): Promise<void> {
    const held = members.flatMap((member) => member.locks);
    const deferred = new Deferred();
    const again = await this.#carryOut(members, deferred);
    for (const member of again) await this.#carryOut([member], deferred);
    for (const sequence of deferred.sequences) {
      try {
        await this.#ids.refill(sequence);
      } catch {
        // The member asks again and meets the same failure as its answer once its tries are used up.
      }
    }
    this.#queue.unshift(...deferred.members);
    this.#running--;
    this.#release(held);
    this.#pump();
    this.#settleIdle();
  }

  #release(locks: readonly Lock[]): void {
    for (const wanted of locks) {
      const key = lockKey(wanted);
      const held = this.#held.get(key);
      if (held?.mode === "read" && --held.count > 0) continue;
      this.#held.delete(key);
    }
  }

  /** One transaction. Never rejects; resolves to the members that must run singly because the batch failed. */
  async #carryOut(members: readonly Pending[], deferred: Deferred): Promise<readonly Pending[]> {
    const session = this.#store.begin();
    let decided: Decided;
    try {
      decided = this.#decide(members, await session.load(dedupe(members.flatMap((member) => member.locks))), deferred);
    } catch (error) {
      await session.abandon();
      return this.#failed(members, error);
    }
    const { overlay, answers } = decided;
    if (overlay.isEmpty()) {
      await session.abandon();
    } else {
      try {
        await session.finish({ purges: overlay.purges, writes: [...overlay.writes.values()] });
      } catch (error) {
        return this.#failed(
          answers.map(([member]) => member),
          error,
        );
      }
      this.#announce({ changes: overlay.changes(), facts: overlay.facts });
    }
    for (const [member, answer] of answers) {
      this.#waiting--;
      member.resolve(answer);
    }
    return [];
  }

  /** Nothing of the batch is on disk. Several members run again singly, one that met contention runs again, anything else is the answer. */
  #failed(members: readonly Pending[], error: unknown): readonly Pending[] {
    const unavailable = error instanceof StoreUnavailable;
    if (members.length > 1 && !unavailable) return members;
    const [only] = members;
    if (only && error instanceof StoreContention && ++only.tries <= MAX_ROUNDS) return members;
    for (const member of members) this.#refuse(member, error);
    return [];
  }

  #decide(members: readonly Pending[], loaded: Map<string, Row | null>, deferred: Deferred): Decided {
    const overlay = new Overlay(this.tables, loaded);
    const answers: [Pending, unknown][] = [];
    const now = this.#now();
    for (const member of members) {
      if (deferred.bars(member)) {
        deferred.add(member);
        continue;
      }
      const draft = new Draft(overlay, this.#ids, now);
      try {
        const answer = member.unit.decide(draft);
        overlay.merge(draft);
        answers.push([member, answer]);
      } catch (error) {
        const unfinished = error instanceof NeedLocks || error instanceof NeedIds;
        if (!unfinished || ++member.tries > MAX_ROUNDS) {
          this.#refuse(member, error);
          continue;
        }
        deferred.add(member);
        if (error instanceof NeedIds) deferred.sequences.add(error.sequence);
        else member.locks = dedupe([...member.locks, ...error.locks]);
      }
    }
    return { overlay, answers };
  }

  #refuse(member: Pending, error: unknown): void {
    this.#waiting--;
    member.reject(error);
  }

  #announce(committed: Committed): void {
    try {
      this.#events.emit("committed", committed);
    } catch (error) {
      this.#onListenerError(error);
    }
  }

  #settleIdle(): void {
    if (this.#waiting > 0 || this.#exclusiveRunning) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

interface Decided {
  readonly overlay: Overlay;
  readonly answers: readonly [Pending, unknown][];
}

/** Members of a batch that go back to the head of the queue, in order: those that need more locks or ids, and those behind them on the same rows. */
class Deferred {
  readonly members: Pending[] = [];
  readonly sequences = new Set<string>();
  readonly #keys = new Set<string>();

  bars(member: Pending): boolean {
    return this.#keys.size > 0 && member.locks.some((wanted) => this.#keys.has(lockKey(wanted)));
  }

  add(member: Pending): void {
    this.members.push(member);
    for (const wanted of member.locks) this.#keys.add(lockKey(wanted));
  }
}

/** One lock per row; `write` wins over `read`. */
function dedupe(locks: readonly Lock[]): Lock[] {
  const byKey = new Map<string, Lock>();
  for (const wanted of locks) {
    const key = lockKey(wanted);
    if (byKey.get(key)?.mode !== "write") byKey.set(key, wanted);
  }
  return [...byKey.values()];
}
