// Jobs (rules jobs): list, one, cancel, take back.
import { hasEnded, jobStateOf, JOB_STATES } from "../../machines/job.ts";
import { lock, sql, type Draft, type Reader } from "../db/index.ts";
import {
  idParams,
  listRoute,
  notFound,
  pageOf,
  Refusal,
  route,
  anyOf,
  type Caller,
  type Condition,
  type Route,
} from "../http/index.ts";
import type { Supervisor } from "../runtime/index.ts";
import type { JobActor } from "./job.actor.ts";
import { JobRows, type JobRow } from "./job.entity.ts";
import type { Jobs } from "./jobs.ts";
import { JobFilters, JobStarted, JobView, type JobAnswer } from "./jobs.schema.ts";

/** Seconds for which a finished job can be taken back. */
export const UNDO_SECONDS = 3600;

export interface JobRoutesDeps {
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  readonly kind: JobActor;
  readonly jobs: Jobs;
}

/** One's own; of a main admin all (rule jobs.own.1). */
export function seesJob(caller: Caller, { adminId }: Pick<JobRow, "adminId">): boolean {
  return caller.base === "sudo" || adminId === caller.adminId;
}

/** Unix seconds until which a job can be taken back; 0: it cannot. */
function undoUntil(jobs: Jobs, job: Readonly<JobRow>): number {
  const whole = hasEnded(jobStateOf(job.mstate)) && job.undoneBy === 0 && job.affected > 0;
  return whole && jobs.workOf(job)?.undo?.(job) ? job.finishedAt + UNDO_SECONDS : 0;
}

export function jobView(jobs: Jobs, job: Readonly<JobRow>): JobAnswer {
  const { id, work, op, mstate, total, done, matched, affected, blocked, failed, problems } = job;
  const { createdAt, startedAt, finishedAt, adminId, actor, error, undoneBy, undoes } = job;
  return {
    id,
    kind: work,
    op,
    state: jobStateOf(mstate),
    total,
    done,
    matched,
    affected,
    blocked,
    failed,
    problems,
    createdAt,
    startedAt,
    finishedAt,
    adminId,
    actor,
    error,
    undoUntil: undoUntil(jobs, job),
    undoneBy,
    undoes,
  };
}

export function jobRoutes({ reads, supervisor, kind, jobs }: JobRoutesDeps): Route[] {
  const admit = async (caller: Caller, { id }: { id: number }): Promise<void> => {
    const row = await reads.find(JobRows, id);
    if (!row || !seesJob(caller, row)) notFound("job", id);
  };
  const held = (draft: Draft, caller: Caller, id: number): Readonly<JobRow> => {
    const row = draft.find(JobRows, id);
    return row && seesJob(caller, row) ? row : notFound("job", id);
  };
  return [
    listRoute({
      path: "/jobs",
      scope: "users:read",
      summary: "Long work, running and done",
      description: "One's own; a main admin sees all. Finished jobs are kept for 30 days.",
      query: JobFilters,
      item: JobView,
      list: { q: [], order: "id desc", sorts: { id: "id" } },
      handle: async ({ list, query: { state, kind: work }, caller }) => {
        const where: Condition[] = [
          ...(caller.base === "sudo" ? [] : [sql<boolean>`admin_id = ${caller.adminId}`]),
          ...(work === undefined ? [] : [sql<boolean>`work = ${work}`]),
          ...(state === undefined ? [] : [anyOf(state.map(inState))]),
        ];
        const { rows, total } = await pageOf(reads, JobRows, list, { where });
        return { rows: rows.map((row) => jobView(jobs, row)), total };
      },
    }),
    route({
      method: "GET",
      path: "/jobs/{id}",
      scope: "users:read",
      summary: "One job",
      params: idParams,
      answer: JobView,
      statuses: [404],
      admit,
      handle: async ({ params: { id } }) => jobView(jobs, (await reads.find(JobRows, id)) ?? notFound("job", id)),
    }),
    route({
      method: "POST",
      path: "/jobs/{id}/cancel",
      scope: "users:write",
      summary: "Stop a job",
      description: "What was done stays done. A job that has ended stays as it is.",
      params: idParams,
      answer: JobView,
      audit: { key: "jobs", action: "cancel" },
      statuses: [404],
      admit,
      handle: ({ params: { id }, caller, origin, commit }) =>
        commit({
          locks: [lock(JobRows, id)],
          decide(draft) {
            held(draft, caller, id);
            const { handled } = supervisor.step(draft, kind, id, { type: "cancel" }, origin);
            const answer = jobView(jobs, held(draft, caller, id));
            return { answer, audit: handled ? { entityId: id, obj: { op: answer.op, done: answer.done } } : null };
          },
        }),
    }),
    route({
      method: "POST",
      path: "/jobs/{id}/undo",
      scope: "users:write",
      summary: "Take a job back",
      description:
        "Within an hour of its end. Records that were changed since stay as they are and are listed. Is itself a job.",
      params: idParams,
      answer: JobStarted,
      status: 202,
      audit: { key: "jobs", action: "undo" },
      statuses: [404, 409],
      codes: ["cannot_undo"],
      admit,
      handle: async ({ params: { id }, caller, origin, commit }) => {
        await jobs.refuseMany(caller.adminId);
        return commit({
          locks: [lock(JobRows, id)],
          decide(draft) {
            const job = held(draft, caller, id);
            const undo = jobs.workOf(job)?.undo?.(job);
            const until = undoUntil(jobs, job);
            if (!undo || until < draft.time) cannotUndo(job, until);
            const { op } = job;
            const undoing = jobs.start(draft, { ...undo, op, plan: { base: caller.base }, undoes: id }, origin);
            draft.update(JobRows, id, { undoneBy: undoing });
            return { answer: { job: undoing }, audit: { entityId: id, obj: { op, job: undoing } } };
          },
        });
      },
    }),
  ];
}

function cannotUndo(job: Readonly<JobRow>, until: number): never {
  const why =
    job.undoneBy !== 0
      ? `job ${job.undoneBy} takes it back already`
      : !hasEnded(jobStateOf(job.mstate))
        ? "it has not ended: cancel it first"
        : until > 0
          ? "it ended more than an hour ago"
          : "it changed nothing that can be taken back";
  throw new Refusal("conflict", { code: "cannot_undo", message: why });
}

function inState(state: (typeof JOB_STATES)[number]): Condition {
  return sql<boolean>`(mstate = ${state} or mstate like ${`${state}.%`})`;
}
