// Every kind of long work of the panel, and what features do with jobs: start one within a change, and wait for its
// end.
import { sql, type Committer, type Draft, type Reader } from "../db/index.ts";
import { hasEnded, jobStateOf } from "../../machines/job.ts";
import { Refusal } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Origin } from "../lib/origin.ts";
import type { Supervisor } from "../runtime/index.ts";
import type { Uploads } from "../uploads/index.ts";
import type { JobActor } from "./job.actor.ts";
import { JobCountRows, JobPartRows, JobRows, type JobRow, type PartSort } from "./job.entity.ts";
import type { StagedLines } from "./staged-lines.ts";
import type { JobWork } from "./work.ts";

/** Ids in one part of a job. */
const PART = 1000;
/** Jobs of one account that may wait or run at a time. */
const UNFINISHED = 20;
const RETRY_SECONDS = 5;
/** Between looks at a job that another panel may be carrying out. */
const LOOK_MS = 300;

/** A job as it is asked for. */
export interface JobOrder {
  /** The id of an upload for which records were staged; undefined: the job gets a new id. */
  readonly id?: number | undefined;
  readonly work: string;
  readonly op: string;
  readonly plan: Readonly<Record<string, unknown>>;
  /** The largest id that it may touch. */
  readonly upTo: number;
  /** Ids that were chosen one by one, in order and each once; undefined: the plan says which. */
  readonly chosen?: readonly number[] | undefined;
  readonly requestKey?: string | undefined;
  readonly undoes?: number;
  /** The job whose rest it does. */
  readonly continues?: Readonly<JobRow> | undefined;
  /** The job that had the key before; its row must be locked. */
  readonly keyOf?: number | undefined;
}

export interface JobsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly lines: StagedLines;
}

export class Jobs {
  readonly lines: StagedLines;
  readonly #deps: JobsDeps;
  readonly #works = new Map<string, JobWork>();
  #runtime: { readonly supervisor: Supervisor; readonly kind: JobActor; readonly uploads: Uploads } | undefined;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
    this.lines = deps.lines;
  }

  /** Before any job moves. */
  open(supervisor: Supervisor, kind: JobActor, uploads: Uploads): void {
    this.#runtime = { supervisor, kind, uploads };
    uploads.alsoForget((id) => this.lines.forget(id));
  }

  register(work: JobWork): void {
    if (this.#works.has(work.name)) throw new Error(`the work ${work.name} is registered twice`);
    this.#works.set(work.name, work);
  }

  workOf({ work }: Pick<JobRow, "work">): JobWork | undefined {
    return this.#works.get(work);
  }

  /**
   * Throws 429 for an account of which too many jobs wait or run: others' would wait behind them. `start` decides;
   * this is for what comes before it and costs more than it.
   */
  async refuseMany(adminId: number): Promise<void> {
    refuseFurther((await this.#deps.reads.find(JobCountRows, adminId))?.unfinished);
  }

  /** Starts a job within a change. Returns its id. Throws 429 where too many of the account are not over. */
  start(draft: Draft, order: JobOrder, origin: Origin): number {
    const { supervisor, kind, uploads } = this.#opened;
    count(draft, origin.adminId, 1);
    if (order.id !== undefined) uploads.started(draft, order.id);
    const id = order.id ?? draft.nextId(JobRows.name);
    const { continues, keyOf } = order;
    if (keyOf !== undefined) draft.update(JobRows, keyOf, { requestKey: null });
    const fresh = { cursor: 0, done: 0, matched: 0, affected: 0, blocked: 0, failed: 0, problems: [], ids: [] };
    const row = {
      ...fresh,
      ...(continues && progressOf(continues)),
      id,
      work: order.work,
      op: order.op,
      plan: { ...order.plan },
      adminId: origin.adminId,
      actor: origin.actor,
      via: origin.via,
      tokenId: origin.tokenId,
      ip: origin.ip,
      upTo: order.upTo,
      total: 0,
      error: "",
      requestKey: order.requestKey ?? null,
      undoneBy: 0,
      undoes: order.undoes ?? 0,
      createdAt: draft.time,
      startedAt: 0,
      finishedAt: 0,
    };
    supervisor.create(draft, kind, row, origin);
    const chosen = order.chosen ?? [];
    for (let from = 0; from < chosen.length; from += PART) {
      const content = chosen.slice(from, from + PART);
      draft.insert(JobPartRows, {
        id: draft.nextId(JobPartRows.name),
        jobId: id,
        sort: "chosen",
        last: content.at(-1) ?? 0,
        content,
      });
    }
    return id;
  }

  /** A job has ended in this draft: there is room for another of its account. */
  left(draft: Draft, job: Readonly<JobRow>): void {
    count(draft, job.adminId, -1);
    if (this.workOf(job)?.staged === true) this.#opened.uploads.ended(draft, job.id);
  }

  /** The job once it has ended, here or in another panel. Rejects when nobody waits any longer. */
  async ended(id: number, signal: AbortSignal): Promise<JobRow> {
    const { commits, reads, clock } = this.#deps;
    for (;;) {
      signal.throwIfAborted();
      const moved = Promise.withResolvers<void>();
      const stop = commits.onCommit(({ changes }) => {
        const row = changes.find((each) => each.table === JobRows.name && each.id === id)?.after;
        if (row && hasEnded(jobStateOf(String(row["mstate"])))) moved.resolve();
      });
      const cancel = clock.after(LOOK_MS, () => moved.resolve());
      const abort = () => moved.resolve();
      signal.addEventListener("abort", abort, { once: true });
      try {
        const row = await reads.find(JobRows, id);
        if (!row) throw new Error(`job ${id} is gone`);
        if (hasEnded(jobStateOf(row.mstate))) return row;
        await moved.promise;
      } finally {
        stop();
        cancel();
        signal.removeEventListener("abort", abort);
      }
    }
  }

  get #opened() {
    if (!this.#runtime) throw new Error("jobs are not open yet");
    return this.#runtime;
  }

  /** The job that a request under this key started. */
  async ofRequest(requestKey: string): Promise<JobRow | undefined> {
    const { reads } = this.#deps;
    const [row] = await reads.rows(JobRows, sql`select * from jobs where request_key = ${requestKey}`);
    return row;
  }
}

function refuseFurther(unfinished = 0): void {
  if (unfinished < UNFINISHED) return;
  const message = `${UNFINISHED} jobs of this account are not over: wait for one to end`;
  throw new Refusal("rate_limited", { message, retryAfter: RETRY_SECONDS });
}

/** Decided on a locked row, so that many that start at once do not pass the limit. */
function count(draft: Draft, adminId: number, by: 1 | -1): void {
  const unfinished = draft.find(JobCountRows, adminId)?.unfinished ?? 0;
  if (by === 1) refuseFurther(unfinished);
  draft.upsert(JobCountRows, { id: adminId, unfinished: Math.max(0, unfinished + by) });
}

/** What a job's parts are read by. */
export interface PartsOf<T> {
  readonly jobId: number;
  readonly sort: PartSort;
  readonly parse: (stored: unknown) => T;
  /** The record that it is of; records of a part are in order. */
  readonly recordOf: (content: T) => number;
}

/**
 * The content behind the cursor of the first part that has some; none: nothing is left. A part may be named after a
 * record that it does not hold, the last of the step that wrote it: behind its own last one the next part is looked at.
 */
export async function contentAfter<T>(
  reads: Reader,
  { jobId, sort, parse, recordOf }: PartsOf<T>,
  cursor: number,
): Promise<T[]> {
  for (let from = cursor; ;) {
    const [part] = await reads.rows(
      JobPartRows,
      sql`select * from job_parts where job_id = ${jobId} and sort = ${sort} and last > ${from} order by last limit 1`,
    );
    if (!part) return [];
    const behind = part.content.map(parse).filter((content) => recordOf(content) > cursor);
    if (behind.length > 0) return behind;
    from = part.last;
  }
}

/** How far a job is: what one that does its rest goes on from. */
function progressOf(job: Readonly<JobRow>) {
  const { cursor, done, matched, affected, blocked, failed, problems } = job;
  return { cursor, done, matched, affected, blocked, failed, problems };
}
