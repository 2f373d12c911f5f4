// One batch of units as one transaction: their rows are loaded and held, each unit decides on what the ones before it
// left, everything is written, and listeners hear of it before anybody has an answer.
import type { Announcements, Committed } from "./announcements.ts";
import { Draft, Overlay } from "./draft.ts";
import { NeedIds, NeedLocks, OutcomeUnknown, StoreContention, StoreUnavailable } from "./errors.ts";
import type { IdBlocks } from "./ids.ts";
import type { Batch } from "./open-batches.ts";
import { dedupe, type Deferred, type Outcome, type Pending, type Unit } from "./pending.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Store } from "./store.ts";
import type { Row, Tables } from "./table.ts";

/** How often a transaction is tried that gives way to others, and a unit that needs further rows. */
export const MAX_ROUNDS = 12;

export interface TransactionDeps {
  readonly store: Store;
  readonly tables: Tables;
  readonly ids: IdBlocks;
  readonly now: () => number;
  readonly consequences: ((draft: Draft) => void) | undefined;
  readonly announcements: Announcements;
  /** What other processes must hear of a commit, where there are any. */
  readonly noteOf: (committed: Committed) => string | undefined;
  /** Settled when this process ends: an outcome that is not known then is not waited for any more. */
  readonly ending: Promise<false>;
  /** A unit has its answer or, with `error`, its refusal. */
  readonly settled: (member: Pending, error?: unknown) => void;
  readonly signals: Signals;
  /** Units that were accepted and are not settled. */
  readonly waiting: () => number;
}

type BatchEnd = SignalTable["commit.batch"]["ended"];

/** What became of a batch. `again`: the members that must run singly because it failed. */
interface Transacted {
  readonly ended: BatchEnd;
  readonly again: readonly Pending[];
}

export class Transactions {
  readonly #deps: TransactionDeps;
  readonly #batches: Signal<SignalTable["commit.batch"]>;
  readonly #retries: Signal<SignalTable["commit.retry"]>;

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
    this.#batches = deps.signals.of("commit.batch");
    this.#retries = deps.signals.of("commit.retry");
  }

  /** One transaction. Never rejects; resolves to the members that must run singly because the batch failed. */
  async carryOut(members: readonly Pending[], deferred: Deferred, session: number): Promise<readonly Pending[]> {
    const begun = this.#batches.begun();
    const batch = this.#deps.announcements.openBatches.begin();
    const { ended, again } = await this.#transact(members, deferred, batch, session);
    this.#deps.announcements.openBatches.end(batch);
    if (begun !== undefined)
      this.#batches.tell({
        units: members.length,
        rows: ended === "committed" ? batch.written.size : 0,
        ended,
        ms: this.#batches.since(begun),
        waiting: this.#deps.waiting(),
      });
    return again;
  }

  async #transact(members: readonly Pending[], deferred: Deferred, batch: Batch, number: number): Promise<Transacted> {
    const session = this.#deps.store.begin();
    const work = new Work(members);
    let decided: Decided;
    try {
      const loaded = await work.time(() => session.load(dedupe(members.flatMap((member) => member.locks))));
      decided = work.time(() => this.#decide(members, loaded, deferred, number));
    } catch (error) {
      await session.abandon();
      return { ended: "failed", again: this.#failed(members, error) };
    }
    const { overlay, outcomes } = decided;
    if (overlay.isEmpty()) {
      await session.abandon();
    } else {
      const { committed, note } = work.time(() => this.#toTell(overlay));
      batch.written = overlay.writes;
      try {
        const { purges, statements } = overlay;
        await work.time(() => session.finish({ purges, writes: [...overlay.writes.values()], statements }, note));
      } catch (error) {
        const decidedOn = outcomes.map(({ member }) => member);
        if (!(error instanceof OutcomeUnknown)) return { ended: "failed", again: this.#failed(decidedOn, error) };
        // Nobody waits longer for the answer, but the rows stay held until it is known: what this process has in memory
        // follows the disk.
        for (const member of decidedOn) this.refuse(member, error);
        if (await Promise.race([outcomeOf(error), this.#deps.ending]))
          await this.#deps.announcements.announceBatch(committed, batch);
        return { ended: "unknown", again: [] };
      }
      if (note !== undefined) this.#deps.store.log?.hint();
      await work.time(() => this.#deps.announcements.announceBatch(committed, batch));
    }
    for (const outcome of outcomes) {
      work.tell(outcome.member.unit);
      if ("refusal" in outcome) {
        this.refuse(outcome.member, outcome.refusal);
        continue;
      }
      this.#deps.settled(outcome.member);
      outcome.member.resolve(outcome.answer);
    }
    return { ended: overlay.isEmpty() ? "empty" : "committed", again: [] };
  }

  /** What listeners and other processes hear of a commit. */
  #toTell(overlay: Overlay) {
    const texts = overlay.statements.map(({ text }) => text);
    const committed = { changes: overlay.changes(), facts: overlay.facts, statements: texts };
    return { committed, note: this.#deps.noteOf(committed) };
  }

  /**
   * The batch wrote nothing. Several members run again one by one; a single one with contention is retried; any other
   * error is the answer.
   */
  #failed(members: readonly Pending[], error: unknown): readonly Pending[] {
    const unavailable = error instanceof StoreUnavailable;
    if (members.length > 1 && !unavailable) return this.#again("singly", members);
    const [only] = members;
    if (only && error instanceof StoreContention && ++only.tries <= MAX_ROUNDS)
      return this.#again("contention", members);
    const answer = error instanceof StoreContention ? gaveWay(error) : error;
    for (const member of members) this.refuse(member, answer);
    return [];
  }

  #again(why: SignalTable["commit.retry"]["why"], members: readonly Pending[]): readonly Pending[] {
    if (this.#retries.heard) this.#retries.tell({ why, units: members.length });
    return members;
  }

  #decide(members: readonly Pending[], loaded: Map<string, Row | null>, deferred: Deferred, session: number): Decided {
    const overlay = new Overlay(this.#deps.tables, loaded);
    const outcomes: Outcome[] = [];
    const now = this.#deps.now();
    for (const member of members) {
      if (deferred.bars(member)) {
        deferred.add(member);
        continue;
      }
      const draft = new Draft(overlay, this.#deps.ids, now, { session });
      this.#deps.ids.mark();
      try {
        const answer = member.unit.decide(draft);
        this.#deps.consequences?.(draft);
        overlay.merge(draft);
        outcomes.push({ member, answer });
      } catch (error) {
        this.#deps.ids.rewind();
        const unfinished = error instanceof NeedLocks || error instanceof NeedIds;
        // Ids are only ever added, so a unit that needs many gets them in the end, even if two need many at the same
        // time.
        if (!unfinished || (error instanceof NeedLocks && ++member.tries > MAX_ROUNDS)) {
          outcomes.push({ member, refusal: error });
          continue;
        }
        if (error instanceof NeedLocks) member.locks = dedupe([...member.locks, ...error.locks]);
        deferred.add(member, error instanceof NeedIds ? error.sequence : undefined);
        if (this.#retries.heard) this.#retries.tell({ why: error instanceof NeedIds ? "ids" : "locks", units: 1 });
      }
    }
    return { overlay, outcomes };
  }

  /** Gives a unit its refusal. */
  refuse(member: Pending, error: unknown): void {
    this.#deps.settled(member, error);
    member.reject(error);
  }
}

/**
 * To the caller, contention without end is a database that does not answer: no fault of what was asked, and right to be
 * repeated later.
 */
export function gaveWay(cause: StoreContention): StoreUnavailable {
  return new StoreUnavailable("the database is too busy with other changes of the same rows", { cause });
}

/** Whether a change whose commit got no answer is on disk; false when this process ends before that is known. */
export function outcomeOf({ settled }: OutcomeUnknown): Promise<boolean> {
  return settled.catch(() => false);
}

/** Takes the processor time of this thread: how long others wait for it, whatever else the machine does. */
class Work {
  #ms = 0;
  /** Nobody asks in most batches. */
  readonly #asked: boolean;

  constructor(members: readonly Pending[]) {
    this.#asked = members.some(({ unit }) => unit.worked !== undefined);
  }

  /** Adds the processor time of `act`; of asynchronous work, only the part up to its first wait. */
  time<T>(act: () => T): T {
    if (!this.#asked) return act();
    const before = process.threadCpuUsage();
    try {
      return act();
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      this.#ms += (user + system) / 1000;
    }
  }

  tell({ worked }: Unit<unknown>): void {
    worked?.(this.#ms);
  }
}

interface Decided {
  readonly overlay: Overlay;
  readonly outcomes: readonly Outcome[];
}
