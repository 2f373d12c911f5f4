// Watches over the store: whether it is in service, said once when that ends and once when it begins again, and
// refusals at once meanwhile instead of one patience for each caller.
//
// Modes: `in service`; `suspected` (something failed, a probe is asking whether it was that alone); `out of service`
// (the probe failed too, or failures go on while it succeeds). Out of service a probe goes on asking, once a second:
// what it finds unreadable is not asked by others, what it finds unwritable is not written by others.
import { StoreUnavailable } from "./errors.ts";
import type { CommitLog, Session, Sql, StatementResult, Statements, Store } from "./store.ts";
import type { Row } from "./table.ts";

/** Between two probes. */
const PROBE_MS = 1000;
/** A probe that takes longer has failed as far as callers are concerned; it is waited for all the same, alone. */
const SILENT_MS = 3000;
/**
 * Probes may succeed while larger changes fail (a disk with a little room left): it is over when nothing failed for so
 * long.
 */
const CALM_MS = 3000;

export interface Outage {
  /** Unix milliseconds. */
  readonly since: number;
  /** What failed first. */
  readonly error: StoreUnavailable;
  /** Reads and changes that failed or were refused. */
  readonly failures: number;
}

export interface WatchOptions {
  readonly now: () => number;
  /** The store went out of service. */
  readonly onOutage?: (outage: Outage) => void;
  /** It is in service again. */
  readonly onRecovery?: (outage: Outage) => void;
  /** Something failed although the store is in service: a connection that was lost. */
  readonly onHiccup?: (error: StoreUnavailable) => void;
}

const told = new WeakSet<Error>();

/**
 * Whether an error, or what caused it, is one that its store's watch tells of: nobody else need say that the database
 * is away.
 */
export function isToldByWatch(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (told.has(each)) return true;
  return false;
}

export class StoreWatch implements Store {
  readonly dialect: Store["dialect"];
  readonly log?: CommitLog;
  readonly sessions: number;
  readonly exclusiveStatements: boolean;
  readonly #store: Store;
  readonly #options: WatchOptions;
  #outage: { since: number; error: StoreUnavailable; failures: number } | undefined;
  /** What the last probe found out; both true while in service. */
  #readable = true;
  #writable = true;
  /** Monotonic milliseconds: the system's clock may be set meanwhile. */
  #failedAt = Number.NEGATIVE_INFINITY;
  #calmProbeAt = Number.NEGATIVE_INFINITY;
  /** Reads and changes that succeeded. */
  #answered = 0;
  #probing = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(store: Store, options: WatchOptions) {
    this.#store = store;
    this.#options = options;
    this.dialect = store.dialect;
    if (store.log) this.log = watchedLog(store.log, (work) => this.#reading(work));
    this.sessions = store.sessions;
    this.exclusiveStatements = store.exclusiveStatements;
  }

  begin(): Session {
    const session = this.#store.begin();
    return {
      load: (locks) => this.#changing(() => session.load(locks)),
      finish: (writes, note) => this.#changing(() => session.finish(writes, note)),
      abandon: () => session.abandon(),
    };
  }

  execute(statements: Statements, note?: string): Promise<StatementResult[]> {
    return this.#changing(() => this.#store.execute(statements, note));
  }

  oldestWriteMs(): Promise<number> {
    return this.#reading(async () => (await this.#store.oldestWriteMs?.()) ?? 0);
  }

  read(sql: Sql): Promise<Row[]> {
    return this.#reading(() => this.#store.read(sql));
  }

  reserve(sequence: string, count: number): Promise<number> {
    return this.#changing(() => this.#store.reserve(sequence, count));
  }

  /** Rejects while the store is out of service, also for changes alone. */
  async ping(): Promise<void> {
    if (this.#outage) throw this.#refusal(this.#outage.error);
    await this.#reading(() => this.#store.ping());
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#store.close();
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    if (this.#outage && !this.#readable) throw this.#refusal(this.#outage.error);
    try {
      const result = await work();
      this.#answered++;
      return result;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  async #changing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#outage && !(this.#readable && this.#writable)) throw this.#refusal(this.#outage.error);
    try {
      const result = await work();
      this.#answered++;
      return result;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #refusal(cause: StoreUnavailable): StoreUnavailable {
    if (this.#outage) this.#outage.failures++;
    const refusal = new StoreUnavailable("the database is out of service", { cause });
    told.add(refusal);
    return refusal;
  }

  #noted(error: unknown): unknown {
    if (!(error instanceof StoreUnavailable) || this.#closed) return error;
    told.add(error);
    const now = performance.now();
    if (this.#outage) this.#outage.failures++;
    else if (now - this.#calmProbeAt < CALM_MS) this.#open(error);
    else if (!this.#probing) void this.#probe(error);
    this.#failedAt = now;
    return error;
  }

  #open(error: StoreUnavailable): void {
    this.#outage = { since: this.#options.now(), error, failures: 1 };
    this.#options.onOutage?.(this.#outage);
    this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#probe(), PROBE_MS);
    this.#timer.unref();
  }

  /** `suspicion`: the failure that is asked about, where the store is believed to be in service. Never rejects. */
  async #probe(suspicion?: StoreUnavailable): Promise<void> {
    if (this.#probing || this.#closed) return;
    this.#probing = true;
    const before = this.#answered;
    const silence = setTimeout(() => {
      // A probe that waits for its turn on a busy machine is not silence.
      if (this.#answered === before) this.#found(suspicion, { readable: false, writable: false });
    }, SILENT_MS);
    const readable = await succeeds(() => this.#store.ping());
    const writable = readable && (await succeeds(() => this.#store.reserve("probe", 0)));
    clearTimeout(silence);
    this.#probing = false;
    if (!this.#closed) this.#found(suspicion, { readable, writable });
  }

  #found(
    suspicion: StoreUnavailable | undefined,
    { readable, writable }: { readable: boolean; writable: boolean },
  ): void {
    this.#readable = readable;
    this.#writable = writable;
    const now = performance.now();
    const outage = this.#outage;
    if (!outage) {
      if (!suspicion) return;
      if (!(readable && writable)) return this.#open(suspicion);
      this.#calmProbeAt = now;
      this.#options.onHiccup?.(suspicion);
      return;
    }
    if (readable && writable && now - this.#failedAt >= CALM_MS) {
      this.#outage = undefined;
      this.#options.onRecovery?.(outage);
      return;
    }
    if (!this.#probing) this.#probeLater();
  }
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

function watchedLog(log: CommitLog, reading: <T>(work: () => Promise<T>) => Promise<T>): CommitLog {
  return {
    join: () => reading(() => log.join()),
    since: (position, until) => reading(() => log.since(position, until)),
    prune: (before) => reading(() => log.prune(before)),
    hint: () => log.hint(),
    listen: (heard) => log.listen(heard),
  };
}
