// What is forgotten of jobs: parts once nobody can take the job back any more, the job itself after a month with the
// list of what it left, and what was staged for a job that was never started.
import { lock, sql, type Committer, type Reader } from "../db/index.ts";
import { systemOrigin } from "../lib/origin.ts";
import type { Supervisor } from "../runtime/index.ts";
import type { JobActor } from "./job.actor.ts";
import { JobPartRows, JobRows } from "./job.entity.ts";
import { UNDO_SECONDS } from "./jobs.routes.ts";
import type { LineRows } from "./staged-lines.ts";

const KEPT_SECONDS = 30 * 86_400;
/** Jobs in one commit. */
const AT_ONCE = 200;

export interface RetentionDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  readonly kind: JobActor;
}

/** `now`: Unix seconds. */
export async function forgetJobs({ commits, reads, supervisor, kind }: RetentionDeps, now: number): Promise<void> {
  const past = sql`delete from job_parts where sort <> 'left' and job_id in (
    select j.id from jobs j where j.finished_at > 0 and j.finished_at < ${now - UNDO_SECONDS}
      and not exists (select 1 from jobs u where u.id = j.undone_by and u.finished_at = 0))`;
  await commits.execute({ name: "jobs.prune", statements: [reads.statement("parts", past)] });
  for (;;) {
    const rows = await reads.query<{ id: number | string }>(
      sql`select id from jobs where finished_at > 0 and finished_at < ${now - KEPT_SECONDS} order by id limit ${AT_ONCE}`,
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => Number(id));
    await commits.submit({
      name: "jobs.forget",
      locks: ids.map((id) => lock(JobRows, id)),
      decide(draft) {
        for (const { id } of draft.findAll(JobRows, ids)) {
          supervisor.remove(draft, kind, id, systemOrigin("retention"));
          draft.purge(JobPartRows, { jobId: id });
        }
      },
    });
  }
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
