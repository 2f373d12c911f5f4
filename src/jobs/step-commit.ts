// What one step of a job writes, within its commit: the records in the name of whoever started the job, the job's
// cursor and counts, what the job keeps of these records, and that it goes on (rules jobs.step). The runner reads steps
// and submits them.
import { jobStateOf } from "../../machines/job.ts";
import { UniqueConflict, type Draft } from "../db/index.ts";
import { Refusal, refuseUnreached, type Caller } from "../http/index.ts";
import type { Origin } from "../lib/origin.ts";
import type { Supervisor } from "../runtime/index.ts";
import type { JobActor } from "./job.actor.ts";
import { JobPartRows, JobRows, type JobRow, type PartSort } from "./job.entity.ts";
import type { Jobs } from "./jobs.ts";
import type { JobProblem } from "./jobs.schema.ts";
import { JOB_MOVED } from "./moved.ts";
import type { JobWork, Step, Tally } from "./work.ts";

/** Problems that a job lists. */
const PROBLEMS = 100;
/** Ids that a job's event names. */
export const NAMED_IDS = 10_000;
/** Records that a job keeps of those that it left: beyond, they are only counted. */
const LEFT = 100_000;

/** The account and the token that started a job. */
export type Starter = Pick<JobRow, "adminId" | "tokenId">;

/** What a step writes with. */
export interface StepPorts {
  readonly jobs: Jobs;
  readonly supervisor: Supervisor;
  readonly kind: JobActor;
  /** The caller that started a job, as it is now; undefined: its account or token is gone. */
  readonly standingOf: (draft: Draft, starter: Starter) => Caller | undefined;
}

/** A step with the job as it was when the step was read. */
export interface ReadStep {
  readonly work: JobWork;
  readonly job: JobRow;
  readonly ids: readonly number[];
  readonly step: Step;
}

/**
 * Does a step's records and moves the job's cursor behind them, in the draft of its commit. A job whose starter may not
 * go on is ended instead. Returns the job as it is then; undefined: the job is not where it was when the step was read,
 * and nothing is written.
 */
export function writeStep(draft: Draft, ports: StepPorts, { work, job, ids, step }: ReadStep): JobRow | undefined {
  const { supervisor, kind } = ports;
  const row = draft.find(JobRows, job.id);
  if (!row || row.cursor !== job.cursor || jobStateOf(row.mstate) !== "running") return undefined;
  const origin = originOf(row);
  const caller = callerOf(draft, ports, work, row);
  if (typeof caller === "string") {
    supervisor.step(draft, kind, row.id, { type: "refused", error: caller }, origin);
    return draft.find(JobRows, row.id);
  }
  const last = ids.at(-1) ?? row.cursor;
  const tally = step.decide(draft, caller);
  draft.publish(JOB_MOVED, true);
  draft.update(JobRows, row.id, { ...movedBy(row, tally), cursor: last, done: row.done + ids.length });
  if (work.staged === true) ports.jobs.lines.done(draft, row.id, last);
  if (tally.before.length > 0) keep(draft, row, "before", last, tally.before);
  const left = work.keepsLeft === true ? leftBy(row, tally) : [];
  if (left.length > 0) keep(draft, row, "left", last, left);
  supervisor.step(draft, kind, row.id, { type: "stepped" }, origin);
  return draft.find(JobRows, row.id);
}

/** The caller that started the job, as it is now; else the reason why the job may not go on (rule jobs.own.2). */
function callerOf(draft: Draft, ports: StepPorts, { scope }: JobWork, job: Readonly<JobRow>): Caller | string {
  const caller = ports.standingOf(draft, job);
  if (!caller) return "whoever started it has no account or token any more";
  try {
    refuseUnreached({ auth: "any", scope }, caller, true);
    return caller;
  } catch (error) {
    if (error instanceof Refusal) return `whoever started it may not go on: ${error.message}`;
    throw error;
  }
}

/** Records change in the name of whoever started the job. */
export function originOf({ via, actor, adminId, tokenId, ip }: Readonly<JobRow>): Origin {
  return { via: via === "token" ? "token" : "session", actor, adminId, tokenId, ip };
}

/** A step that leaves its record as it is, since doing it fails in a way that nobody foresaw. */
export function unable(ids: readonly number[], error: unknown): Step {
  const taken = error instanceof UniqueConflict;
  const why = taken
    ? { error: `${error.columns[0] ?? "a value"}: the value is taken`, code: "duplicate" }
    : { error: "internal error", code: "internal" };
  const problems = ids.map((id) => ({ id, ...why }));
  return {
    locks: [],
    decide: () => ({ matched: ids.length, affected: [], blocked: 0, failed: ids.length, problems, before: [] }),
  };
}

function keep(draft: Draft, job: Readonly<JobRow>, sort: PartSort, last: number, content: readonly unknown[]): void {
  draft.insert(JobPartRows, { id: draft.nextId(JobPartRows.name), jobId: job.id, sort, last, content: [...content] });
}

/** What a step left, in the order of its records, as far as there is room for it. */
function leftBy({ blocked, failed }: Readonly<JobRow>, { problems, skipped = [] }: Tally): readonly JobProblem[] {
  const left = [...problems, ...skipped].toSorted((one, other) => one.id - other.id);
  return left.slice(0, Math.max(0, LEFT - blocked - failed));
}

/** The job's counts, problems and ids with those of a step. */
function movedBy(row: Readonly<JobRow>, { matched, affected, blocked, failed, problems }: Tally): Partial<JobRow> {
  const room = PROBLEMS - row.problems.length;
  const named = NAMED_IDS - row.ids.length;
  return {
    matched: row.matched + matched,
    affected: row.affected + affected.length,
    blocked: row.blocked + blocked,
    failed: row.failed + failed,
    ...(room > 0 && problems.length > 0 ? { problems: [...row.problems, ...problems.slice(0, room)] } : {}),
    ...(named > 0 && affected.length > 0 ? { ids: [...row.ids, ...affected.slice(0, named)] } : {}),
  };
}
