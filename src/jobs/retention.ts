// What is forgotten of jobs: parts once nobody can take the job back any more, the job itself after a month with the
// list of what it left, and what was staged for a job that was never started.
import { lock, sql, sweepLocked, sweepRows, type Reader, type SweepStore } from "../db/index.ts";
import { systemOrigin } from "../lib/origin.ts";
import type { Supervisor } from "../runtime/index.ts";
import type { JobActor } from "./job.actor.ts";
import { JobPartRows, JobRows } from "./job.entity.ts";
import { UNDO_SECONDS } from "./jobs.routes.ts";
import type { LineRows } from "./staged-lines.ts";

const KEPT_SECONDS = 30 * 86_400;
/** Jobs in one commit. */
const JOBS_AT_ONCE = 200;
/** Parts in one commit: each holds up to some hundred records. */
const PARTS_AT_ONCE = 100;

export interface RetentionDeps extends SweepStore {
  readonly supervisor: Supervisor;
  readonly kind: JobActor;
}

/** `now`: Unix seconds. */
export async function forgetJobs({ supervisor, kind, ...store }: RetentionDeps, now: number): Promise<void> {
  await sweepRows(store, {
    name: "jobs.prune",
    table: "job_parts",
    ids: sql`select id from job_parts where sort <> 'left' and job_id in (
      select j.id from jobs j where j.finished_at > 0 and j.finished_at < ${now - UNDO_SECONDS}
        and not exists (select 1 from jobs u where u.id = j.undone_by and u.finished_at = 0))`,
    atOnce: PARTS_AT_ONCE,
  });
  await sweepLocked(store, {
    name: "jobs.forget",
    after: (last) =>
      sql`select id from jobs where id > ${last} and finished_at > 0 and finished_at < ${now - KEPT_SECONDS} order by id`,
    atOnce: JOBS_AT_ONCE,
    locks: (ids) => ids.map((id) => lock(JobRows, id)),
    decide(draft, ids) {
      for (const { id } of draft.findAll(JobRows, ids)) {
        supervisor.remove(draft, kind, id, systemOrigin("retention"));
        draft.purge(JobPartRows, { jobId: id });
      }
    },
  });
}

/**
 * What a process staged after its upload had lost its place, and died then: forgotten where nothing came for it from
 * one look to the next.
 */
export class LeftStaged {
  #seen = new Map<number, number>();

  async forget(reads: Reader, lines: Pick<LineRows, "forget">): Promise<void> {
    const rows = await reads.query<{ job: number | string; last: number | string }>(
      sql`select p.job_id as job, max(p.id) as last from job_parts p where p.sort = 'staged'
        and not exists (select 1 from jobs j where j.id = p.job_id) group by p.job_id`,
    );
    const found = new Map(rows.map(({ job, last }) => [Number(job), Number(last)]));
    const left = [...found].filter(([job, last]) => this.#seen.get(job) === last).map(([job]) => job);
    this.#seen = found;
    for (const job of left) await lines.forget(job);
  }
}
