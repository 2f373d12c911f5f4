// Keeps the panel's clock: on SQLite it follows the machine's, on a shared database the database's, so that all its
// processes go by one. Someone who sets that clock is noticed within a second, told in the log, and does not make
// anything wait for as long as the clock was set back.
import type { Logger } from "pino";
import { databaseNow, Facts, sql, type Database, type Reader, type Statement } from "../db/index.ts";
import type { SteadyClock } from "../lib/steady-clock.ts";
import { DUE } from "../runtime/index.ts";

const LOOK_MS = 1000;
/** Less is not worth correcting: what waits, waits longer by as much. */
const CORRECTED_MS = 120_000;

export interface TimekeepingOptions {
  readonly database: Database;
  readonly clock: SteadyClock;
  readonly log: Logger;
  /** What makes good that the clock was set back, from `before` to `after` (Unix milliseconds). */
  readonly setBack: (reads: Reader, before: number, after: number) => Statement[];
}

export class Timekeeping {
  readonly #options: TimekeepingOptions;
  readonly #shared: boolean;
  /** Corrections that the database has not taken yet. */
  #pending: Statement[][] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  private constructor(options: TimekeepingOptions) {
    this.#options = options;
    this.#shared = options.database.store.log !== undefined;
  }

  /** The clock is right when this resolves, and stays so until `stop`. */
  static async start(options: TimekeepingOptions): Promise<Timekeeping> {
    const keeping = new Timekeeping(options);
    await setClock(options);
    keeping.#lookLater();
    return keeping;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        if (!this.#stopped) this.#lookLater();
      });
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Never rejects: while the database is away the monotonic clock goes on alone. */
  async #look(): Promise<void> {
    const { clock, database, log } = this.#options;
    try {
      const set = await setClock(this.#options);
      if (set !== 0) this.#noted(set);
      for (let statements = this.#pending[0]; statements; statements = this.#pending[0]) {
        await database.commits.execute({ name: "clock.set", statements, facts: new Facts().add(DUE, true) });
        this.#pending.shift();
      }
    } catch (error) {
      log.warn({ err: error, now: clock.now() }, "the clock was not looked after");
    }
  }

  #noted(set: number): void {
    const { clock, database, log, setBack } = this.#options;
    const whose = this.#shared ? "the database's" : "this machine's";
    log.warn({ seconds: Math.round(set / 1000) }, `${whose} clock was set ${set > 0 ? "forward" : "back"}`);
    if (-set < CORRECTED_MS) return;
    const after = clock.now();
    const before = after - set;
    this.#pending.push(setBack(database.reads, before, after));
  }
}

/** Asks the clock's source, once; resolves to by how many milliseconds it was set since it was asked last. */
export async function setClock({ clock, database }: Pick<TimekeepingOptions, "clock" | "database">): Promise<number> {
  if (database.store.log === undefined) return clock.follow(Date.now());
  const began = performance.now();
  const [row] = await database.reads.query<{ now: number }>(sql`select ${databaseNow(database.dialect)} as now`);
  const took = performance.now() - began;
  return row ? clock.follow(row.now + took / 2, took / 2 + 1) : 0;
}
