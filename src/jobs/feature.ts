// Long work as the panel takes it: jobs, whose work other features bring.
import { join } from "node:path";
import type { AnyFeature, Core, Ground, KindPorts, Opened } from "../feature/index.ts";
import { defineJobActor, type JobActor } from "./job.actor.ts";
import { JobCountRows, JobPartRows, JobRows, UploadsRows, type JobRow } from "./job.entity.ts";
import { Jobs } from "./jobs.ts";
import { JOB_MOVED } from "./moved.ts";
import { jobRoutes } from "./jobs.routes.ts";
import { jobsWords } from "./jobs.words.ts";
import { forgetJobs, LeftStaged } from "./retention.ts";
import { Runner, type Starters } from "./runner.ts";
import { LineFiles, LineRows } from "./staged-lines.ts";

interface JobsProvide {
  readonly jobs: Jobs;
  /** Where records are staged that are no rows. */
  readonly lineFiles: LineFiles | undefined;
}

function provide({ alone, commits, reads, clock, environment, log }: Ground): JobsProvide {
  const onError = (error: unknown) => log.warn({ err: error }, "a file for a job is looked after again");
  const rows = new LineRows({ commits, reads });
  const lineFiles = alone ? new LineFiles(join(environment.dataDirectory, "uploads"), rows) : undefined;
  return { jobs: new Jobs({ commits, reads, clock, onError, lines: lineFiles ?? rows }), lineFiles };
}

function kinds({ resident, follow }: KindPorts): { job: JobActor } {
  const ended = follow<JobRow>("ended");
  return { job: defineJobActor({ turn: resident("turn"), work: resident("work"), rest: resident("rest"), ended }) };
}

function open(
  core: Core,
  { jobs, lineFiles, standingLocks, standingOf, isMainAdmin }: JobsProvide & Starters,
  { job: kind }: { job: JobActor },
) {
  const { clock, commits, log, reads, signals, supervisor, undo } = core;
  jobs.open(supervisor, kind);
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
    async prepare() {
      if (!lineFiles) return;
      await jobs.uploads.giveUpAll();
      await lineFiles.keepOnly(await jobs.uploads.jobs());
    },
    start() {
      undo.push(jobs.uploads.watch());
    },
    async hourly() {
      await forgetJobs({ commits, reads, supervisor, kind }, Math.floor(clock.now() / 1000));
      await leftStaged.forget(reads, new LineRows({ commits, reads }));
    },
  } satisfies Opened;
}

export const feature = {
  name: "jobs",
  entities: [JobRows, JobPartRows, JobCountRows, UploadsRows],
  echo: { facts: [JOB_MOVED] },
  words: jobsWords,
  commands: ["GET /jobs", "GET /jobs/{id}", "POST /jobs/{id}/cancel"],
  kinds,
  provide,
  open,
} as const satisfies AnyFeature;
