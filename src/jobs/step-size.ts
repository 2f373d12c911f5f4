// How many records a step has: as many as a commit does in the time that others may wait for it.
//
// Others wait while this thread works on the step, so its processor time is what sizes it. Where the thread waits for
// the database, others are answered meanwhile; most of that time is the same for one record as for many (the disk, the
// network, other programs), so it holds only large steps back: if it sized all of them, a slow disk or a busy machine
// would make them ever smaller, and none the quicker. On SQLite whoever changes something waits until the step is
// written, and often for the next one too, so there less of it is enough.
import { performance } from "node:perf_hooks";
import type { Dialect } from "../db/index.ts";

/** Time for which this thread works on a commit. */
const TARGET_MS = 20;
/** Time for which a commit of more than `FIRST` records may have this thread wait with nothing to do. */
const WAIT_MS: Readonly<Record<Dialect, number>> = { sqlite: 25, postgresql: 60 };
const MOST = 1000;
const FIRST = 50;

/** Milliseconds of a step that was decided and written. */
export interface StepTime {
  /** This thread worked on it, in processor time. */
  readonly worked: number;
  /** The thread waited and had nothing else to do. */
  readonly waited: number;
}

/** Takes the time of one step, whose decision may run more than once. */
export class StepWatch {
  #idleBefore = 0;
  #worked = 0;

  /** It is being decided. */
  begin(): void {
    this.#idleBefore = idleMs();
  }

  /** See `Unit.worked`. */
  readonly worked = (ms: number): void => {
    this.#worked = ms;
  };

  /** It is written. */
  end(): StepTime {
    return { worked: this.#worked, waited: idleMs() - this.#idleBefore };
  }
}

/** Milliseconds for which this thread had nothing to do, since it started. */
const idleMs = (): number => performance.eventLoopUtilization().idle;

export class StepSize {
  readonly #waitMs: number;
  #records = FIRST;

  constructor(dialect: Dialect) {
    this.#waitMs = WAIT_MS[dialect];
  }

  /** Number of records in the next step. */
  get records(): number {
    return this.#records;
  }

  /** A step of so many records was decided and written. */
  took(records: number, { worked, waited }: StepTime): void {
    const byWork = Math.round((records * TARGET_MS) / Math.max(worked, 1));
    const byWait = Math.max(FIRST, Math.round((records * this.#waitMs) / Math.max(waited, 1)));
    // One slow commit says little: the size at most doubles or halves.
    const within = Math.min(Math.max(Math.min(byWork, byWait), Math.floor(records / 2)), records * 2);
    this.#records = Math.min(Math.max(within, 1), MOST);
  }

  /** A step of so many failed as a whole. Returns how many of them are tried next. */
  failed(records: number): number {
    this.#records = Math.max(1, Math.floor(records / 2));
    return this.#records;
  }
}
