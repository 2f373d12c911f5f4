// Carries out jobs: step after step, each one commit that moves the job's cursor together with the records (rules
// jobs.step).
//
// Invariants:
// - A step is committed only where the job's row still says the cursor that the step was read at: whoever else carries
//   the job out, and whoever is killed, no record is done twice and none is left out.
// - Whoever started the job has the right to it in the very commit that does the records.
// - A record that cannot be done is left as it is and listed; it never stops the others.
import { setImmediate as nextTick, setTimeout as pause } from "node:timers/promises";
import { jobStateOf } from "../../machines/job.ts";
import { lock, StoreUnavailable, UniqueConflict, type Committer, type Lock, type Reader } from "../db/index.ts";
import { Refusal } from "../http/index.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import type { ResidentEffect } from "../runtime/index.ts";
import { JobRows, type JobRow } from "./job.entity.ts";
import { originOf, unable, writeStep, type ReadStep, type Starter, type StepPorts } from "./step-commit.ts";
import { StepSize, StepWatch } from "./step-size.ts";
import { Turns, type Place, type Whose } from "./step-turns.ts";
import type { JobWork, Step } from "./work.ts";

/** Steps of jobs that a panel carries out at a time. */
const AT_A_TIME = 4;
/** A job that waits for its turn says so after this long each time: it does not stall. */
const WAITS_MS = 20_000;
/** Between tries while the database is away, doubling. */
const AGAIN_FIRST_MS = 100;
const AGAIN_MAX_MS = 5000;

/** Finds the caller that started a job: this caller acts in it. */
export interface Starters extends Pick<StepPorts, "standingOf"> {
  readonly standingLocks: (starter: Starter) => Promise<Lock[]>;
  readonly isMainAdmin: (adminId: number) => Promise<boolean>;
}

export interface RunnerDeps extends StepPorts, Starters {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Hears of turns and steps. */
  readonly signals: Signals;
  readonly onError: (error: unknown) => void;
}

/** What was read of the next records. */
interface Taken extends Pick<ReadStep, "ids" | "step"> {
  /** Rows that say whether whoever started the job may go on. */
  readonly locks: readonly Lock[];
  /** Nothing simpler can be tried. */
  readonly last?: true;
}

/** What comes behind `cursor`, read while a step is written. */
interface Ahead {
  readonly cursor: number;
  readonly taken: Promise<Taken | Refusal>;
}

const NOTHING: Step = {
  locks: [],
  decide: () => ({ matched: 0, affected: [], blocked: 0, failed: 0, problems: [], before: [] }),
};

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #turns = new Turns(AT_A_TIME);
  /** What is under way, by job. */
  readonly #running = new Map<number, Promise<void>>();
  readonly #places: Signal<SignalTable["job.turn"]>;
  readonly #stepped: Signal<SignalTable["job.step"]>;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#places = deps.signals.of("job.turn");
    this.#stepped = deps.signals.of("job.step");
  }

  /** Waits for a place, counts the records, begins. */
  readonly turn: ResidentEffect["start"] = ({ id, send }) => {
    const life = new AbortController();
    void this.#begin(id, life.signal, send);
    return () => life.abort();
  };

  readonly work: ResidentEffect["start"] = ({ id, send }) => {
    const life = new AbortController();
    const before = this.#running.get(id) ?? Promise.resolve();
    const run = before
      .then(() => this.#persist(life.signal, () => this.#steps(id, life.signal, send)))
      .finally(() => {
        if (this.#running.get(id) === run) this.#running.delete(id);
      });
    this.#running.set(id, run);
    return () => life.abort();
  };

  readonly rest: ResidentEffect["start"] = ({ id, send }) => {
    void (this.#running.get(id) ?? Promise.resolve()).then(() => send({ type: "rested" }));
    return () => {};
  };

  /** Nothing is under way any more. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #whose({ id, adminId }: JobRow): Promise<Whose> {
    return { job: id, account: adminId, main: await this.#deps.isMainAdmin(adminId) };
  }

  async #begin(id: number, life: AbortSignal, send: Send): Promise<void> {
    await this.#persist(
      life,
      async () => {
        const job = await this.#deps.reads.find(JobRows, id);
        const work = job && this.#deps.jobs.workOf(job);
        if (!job) return;
        if (!work) return send({ type: "refused", error: `this panel does not know the work ${job.work}` });
        const place = await this.#turns.place(await this.#whose(job), life);
        if (!place) return;
        try {
          const total = await work.count(job);
          await send({ type: "begin", total });
        } finally {
          place.giveBack();
        }
      },
      send,
    );
  }

  /** Tries again while the database is away. What is refused ends the job. */
  async #persist(life: AbortSignal, act: () => Promise<void>, send?: Send): Promise<void> {
    for (let wait = AGAIN_FIRST_MS; !life.aborted; wait = Math.min(wait * 2, AGAIN_MAX_MS)) {
      try {
        return await act();
      } catch (error) {
        if (error instanceof Refusal && send) return send({ type: "refused", error: error.message });
        this.#deps.onError(error);
        await pause(wait);
      }
    }
  }

  async #steps(id: number, life: AbortSignal, send: Send): Promise<void> {
    const { jobs, reads } = this.#deps;
    const size = new StepSize(reads.dialect);
    let job: JobRow | undefined = await reads.find(JobRows, id);
    if (!job) return;
    const whose = await this.#whose(job);
    let ahead: Ahead | undefined;
    while (job && jobStateOf(job.mstate) === "running") {
      const work = jobs.workOf(job);
      if (!work) return send({ type: "refused", error: `this panel does not know the work ${job.work}` });
      const place = await this.#place(whose, life, work.name);
      if (!place) return;
      try {
        const known: Ahead | undefined = place.atOnce && ahead?.cursor === job.cursor ? ahead : undefined;
        const taken: Taken | Refusal = await (known?.taken ?? this.#take(work, job, size.records, place));
        if (taken instanceof Refusal) return await send({ type: "refused", error: taken.message });
        if (taken.ids.length === 0) return await this.#finish(job);
        ahead = this.#turns.crowded ? undefined : this.#lookAhead(work, job, taken, size);
        job = await this.#step(work, job, taken, size);
        work.stepped?.(id);
      } finally {
        place.giveBack();
      }
      // Work that arrived meanwhile runs first.
      await nextTick();
    }
  }

  /** A place for a step. While it waits for one, the job says that it goes on. */
  async #place(whose: Whose, life: AbortSignal, work: string): Promise<Place | undefined> {
    const begun = this.#places.begun();
    const waits = setInterval(() => void this.#goesOn(whose.job).catch(this.#deps.onError), WAITS_MS);
    try {
      const place = await this.#turns.place(whose, life);
      if (place && begun !== undefined)
        this.#places.tell({ work, ms: this.#places.since(begun), ...this.#turns.depth });
      return place;
    } finally {
      clearInterval(waits);
    }
  }

  async #goesOn(id: number): Promise<void> {
    const { commits, supervisor, kind } = this.#deps;
    await commits.submit({
      name: "job.waits",
      locks: [lock(JobRows, id)],
      decide(draft) {
        const row = draft.find(JobRows, id);
        if (row && jobStateOf(row.mstate) === "running")
          supervisor.step(draft, kind, id, { type: "stepped" }, originOf(row));
      },
    });
  }

  /** Reads what comes next. */
  async #take(work: JobWork, job: JobRow, limit: number, place?: Place): Promise<Taken | Refusal> {
    let said = performance.now();
    const ids = await nextOf(work, job, limit, async (ms) => {
      await place?.rest(ms);
      // What waits for long goes on all the same.
      if (performance.now() - said < WAITS_MS) return;
      said = performance.now();
      await this.#goesOn(job.id);
    });
    if (ids instanceof Refusal || ids.length === 0)
      return ids instanceof Refusal ? ids : { ids, step: NOTHING, locks: [] };
    return this.#taken(work, job, ids);
  }

  async #taken(work: JobWork, job: JobRow, ids: readonly number[]): Promise<Taken> {
    const [step, locks] = await Promise.all([work.step(job, ids), this.#deps.standingLocks(job)]);
    return { ids, step, locks };
  }

  /** While a step is written the next one is read, where the records of one say nothing of those of another. */
  #lookAhead(work: JobWork, job: JobRow, { ids }: Taken, size: StepSize): Ahead | undefined {
    const cursor = ids.at(-1);
    if (work.ahead !== true || cursor === undefined) return undefined;
    const taken = this.#take(work, { ...job, cursor }, size.records);
    // Heard where it is taken up; a step that fails does without it.
    taken.catch(() => undefined);
    return { cursor, taken };
  }

  /** Done, unless somebody moved on meanwhile. */
  async #finish({ id, cursor }: JobRow): Promise<void> {
    const { commits, supervisor, kind } = this.#deps;
    await commits.submit({
      name: "job.done",
      locks: [lock(JobRows, id)],
      decide(draft) {
        const row = draft.find(JobRows, id);
        if (row?.cursor === cursor) supervisor.step(draft, kind, id, { type: "done" }, originOf(row));
      },
    });
  }

  /** One step, or a part of it where the whole of it fails. Resolves to the job as it is then. */
  async #step(
    work: JobWork,
    job: JobRow,
    { ids, step, locks, last }: Taken,
    size: StepSize,
  ): Promise<JobRow | undefined> {
    const { commits, reads } = this.#deps;
    const watch = new StepWatch();
    const begun = this.#stepped.begun();
    const tell = (ended: SignalTable["job.step"]["ended"]) => {
      if (begun === undefined) return;
      this.#stepped.tell({ work: work.name, records: ids.length, ended, ms: this.#stepped.since(begun) });
    };
    try {
      const after = await commits.submit({
        name: `job.${work.name}`,
        locks: [lock(JobRows, job.id), ...locks, ...step.locks],
        decide: (draft) => {
          watch.begin();
          return writeStep(draft, this.#deps, { work, job, ids, step });
        },
        worked: watch.worked,
      });
      size.took(ids.length, watch.end());
      tell("done");
      return after ?? (await reads.find(JobRows, job.id));
    } catch (error) {
      tell(error instanceof StoreUnavailable ? "unavailable" : "refused");
      if (error instanceof StoreUnavailable || last === true) throw error;
      if (ids.length > 1) {
        const fewer = await this.#taken(work, job, ids.slice(0, size.failed(ids.length)));
        return this.#step(work, job, fewer, size);
      }
      if (!(error instanceof UniqueConflict)) this.#deps.onError(error);
      return this.#step(work, job, { ids, step: unable(ids, error), locks, last: true }, size);
    }
  }
}

type Send = Parameters<ResidentEffect["start"]>[0]["send"];

async function nextOf(
  work: JobWork,
  job: JobRow,
  limit: number,
  rest: (ms: number) => Promise<void>,
): Promise<readonly number[] | Refusal> {
  try {
    return await work.next(job, limit, rest);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
