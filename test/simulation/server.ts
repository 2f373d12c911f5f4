// The database server as its clients meet it: open transactions with their locks, times at which it is away, and what
// breaks with them.
import type { Lock } from "../../src/db/row-writes.ts";
import type { SimulatedDatabase } from "./database.ts";
import { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { RowLocks } from "./locks.ts";
import type { Owner, Schedule } from "./schedule.ts";

/** A client's open transaction. `broken`: its connection is gone, and what it did with it. */
export interface Transaction {
  readonly owner: Owner;
  broken: boolean;
  /** Called when it breaks while it waits. */
  onBreak: () => void;
  /** Ends it when the client says nothing for too long. */
  cancelIdle: () => void;
}

/**
 * A client that holds rows and is silent for this long is cut off (`idle_in_transaction_session_timeout` of the
 * PostgreSQL store).
 */
const IDLE_MS = 15_000;

export class Server {
  readonly database: SimulatedDatabase;
  readonly schedule: Schedule;
  readonly locks = new RowLocks<Transaction>();
  faults: Faults;
  readonly chance: Chance;
  readonly #open = new Set<Transaction>();
  #backAt = 0;
  #waitingForTables: (() => void)[] = [];

  constructor(database: SimulatedDatabase, schedule: Schedule, faults: Faults, seed: number) {
    this.database = database;
    this.schedule = schedule;
    this.faults = faults;
    this.chance = new Chance(seed, "server");
    this.locks.onRelease = () => this.#tryStatements();
    for (const { from, to } of faults.gone) schedule.after(from, "the database goes away", () => this.fall(to - from));
  }

  /** The database is away from now on, for a time. */
  fall(forMs: number): void {
    if (this.faults.gone.length === 0 && this.faults.fallsInCommit === 0) return;
    this.#backAt = Math.max(this.#backAt, this.schedule.now + forMs);
    if (!this.faults.goneSilently) for (const transaction of this.#open) this.break(transaction);
  }

  /** When the database comes back, if it is away (virtual milliseconds). */
  goneUntil(): number | undefined {
    return this.schedule.now < this.#backAt ? this.#backAt : undefined;
  }

  /** It is away, and who asks hears so. */
  get refuses(): boolean {
    return this.goneUntil() !== undefined && !this.faults.goneSilently;
  }

  /** Nothing goes wrong any more. */
  calmDown(faults: Faults): void {
    this.faults = faults;
    this.#backAt = 0;
  }

  begin(owner: Owner): Transaction {
    const transaction = { owner, broken: false, onBreak: () => {}, cancelIdle: () => {} };
    this.#open.add(transaction);
    return transaction;
  }

  /** The transaction ended, one way or the other. */
  end(transaction: Transaction): void {
    transaction.cancelIdle();
    this.#open.delete(transaction);
    this.locks.release(transaction);
  }

  /** The connection is gone. */
  break(transaction: Transaction): void {
    if (transaction.broken) return;
    transaction.broken = true;
    this.end(transaction);
    transaction.onBreak();
  }

  /** From here on the server waits for the client. */
  idle(transaction: Transaction): void {
    transaction.cancelIdle = this.schedule.after(IDLE_MS, "a silent client is cut off", () => this.break(transaction));
  }

  /** The process is gone; the server learns of its connections' end soon, or by their silence. */
  left(owner: Owner): void {
    for (const transaction of this.#open) {
      if (transaction.owner !== owner) continue;
      const after = this.chance.happens(0.8) ? this.chance.between(0, 50) : IDLE_MS;
      this.schedule.after(after, "a dead client's connection ends", () => this.break(transaction));
    }
  }

  /** Takes locks one after the other. Calls back when all are had, or with false where waiting would never end. */
  lockAll(
    transaction: Transaction,
    locks: readonly Lock[],
    keyOf: (lock: Lock) => string,
    had: (granted: boolean) => void,
  ): void {
    const next = (index: number): void => {
      const wanted = locks[index];
      if (!wanted) had(true);
      else if (!this.locks.acquire(transaction, keyOf(wanted), wanted.mode, () => next(index + 1))) had(false);
    };
    next(0);
  }

  /** Calls `run` when nobody holds a row of these tables. */
  whenFree(tables: readonly string[], run: () => void): void {
    const attempt = () => {
      if (tables.some((table) => this.locks.anyHeld(table))) this.#waitingForTables.push(attempt);
      else run();
    };
    attempt();
  }

  #tryStatements(): void {
    const waiting = this.#waitingForTables;
    if (waiting.length === 0) return;
    this.#waitingForTables = [];
    for (const attempt of waiting) attempt();
  }
}
