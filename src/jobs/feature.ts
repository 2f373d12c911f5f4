// Long work as the panel takes it: jobs, whose work other features bring.
import type { AnyFeature, Core, Ground, KindPorts, Opened } from "../feature/index.ts";
import { defineJobActor, type JobActor } from "./job.actor.ts";
import { JobCountRows, JobPartRows, JobRows, type JobRow } from "./job.entity.ts";
import { Jobs } from "./jobs.ts";
import { JOB_MOVED } from "./moved.ts";
import { jobRoutes } from "./jobs.routes.ts";
import { jobsWords } from "./jobs.words.ts";
import { forgetJobs, LeftStaged } from "./retention.ts";
import { Runner, type Starters } from "./runner.ts";
import { LineFiles, LineRows } from "./staged-lines.ts";
import { Spool, type Uploads } from "../uploads/index.ts";
import { FramedLines } from "./framed-lines.ts";

interface JobsProvide {
  readonly jobs: Jobs;
  readonly lineRows: LineRows;
}

function provide({ alone, commits, reads, clock, environment }: Ground): JobsProvide {
  const spool = new Spool(environment.dataDirectory);
  const lineRows = new LineRows({ commits, reads }, spool);
  const lines = alone ? new LineFiles(reads, spool, new FramedLines(spool), lineRows) : lineRows;
  return { jobs: new Jobs({ commits, reads, clock, lines }), lineRows };
}

function kinds({ resident, follow }: KindPorts): { job: JobActor } {
  const ended = follow<JobRow>("ended");
  return { job: defineJobActor({ turn: resident("turn"), work: resident("work"), rest: resident("rest"), ended }) };
}

type JobsNeeds = JobsProvide & Starters & { readonly uploads: Uploads };

function open(
  core: Core,
  { jobs, lineRows, uploads, standingLocks, standingOf, isMainAdmin }: JobsNeeds,
  { job: kind }: { job: JobActor },
) {
  const { clock, commits, log, reads, signals, supervisor, undo } = core;
  jobs.open(supervisor, kind, uploads);
  const onError = (error: unknown) => log.warn({ err: error }, "a step of a job failed; it is taken again");
  const starters = { standingLocks, standingOf, isMainAdmin };
  const runner = new Runner({ commits, reads, jobs, supervisor, kind, ...starters, signals, onError });
  undo.push(() => runner.stopped());
  const leftStaged = new LeftStaged();
  return {
    routes: jobRoutes({ reads, supervisor, kind, jobs }),
    residents: { turn: runner.turn, work: runner.work, rest: runner.rest },
    follows: {
      ended(draft, row: Readonly<JobRow>) {
        jobs.left(draft, row);
        draft.publish(JOB_MOVED, false);
        const work = jobs.workOf(row);
        work?.ended(draft, row);
        // The event has named them.
        if (work?.keepsIds !== true) draft.update(JobRows, row.id, { ids: [] });
      },
    },
    async hourly() {
      await forgetJobs({ commits, reads, supervisor, kind }, Math.floor(clock.now() / 1000));
      await leftStaged.forget(reads, lineRows);
    },
  } satisfies Opened;
}

export const feature = {
  name: "jobs",
  entities: [JobRows, JobPartRows, JobCountRows],
  echo: { facts: [JOB_MOVED] },
  words: jobsWords,
  commands: ["GET /jobs", "GET /jobs/{id}", "POST /jobs/{id}/cancel"],
  kinds,
  provide,
  open,
} as const satisfies AnyFeature;
