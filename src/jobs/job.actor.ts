// Binds the chart of jobs to their rows.
import { JOB_CHART_VERSION, jobMachine, type JobContext } from "../../machines/job.ts";
import type { Draft } from "../db/index.ts";
import { defineActor, type ResidentEffect } from "../runtime/index.ts";
import { JobRows, type JobRow } from "./job.entity.ts";

export interface JobActorPorts {
  readonly turn: ResidentEffect["start"];
  readonly work: ResidentEffect["start"];
  readonly rest: ResidentEffect["start"];
  /** A job has ended, in this draft. */
  ended(draft: Draft, job: Readonly<JobRow>): void;
}

export function defineJobActor(ports: JobActorPorts) {
  return defineActor<JobRow, JobContext>({
    kind: "job",
    description: "A piece of long work over many records.",
    entity: JobRows,
    machine: jobMachine,
    version: JOB_CHART_VERSION,
    contextOf: ({ total, startedAt, finishedAt, error }, stored, draft) => ({
      now: draft.time,
      total,
      startedAt,
      finishedAt,
      error,
      stalls: Number(stored["stalls"] ?? 0),
    }),
    columnsOf: ({ total, startedAt, finishedAt, error }) => ({ total, startedAt, finishedAt, error }),
    rememberedOf: ({ stalls }) => ({ stalls }),
    nameOf: ({ work, op }) => `${work} ${op}`,
    nameSql: "(u.work || ' ' || u.op)",
    follow(draft, emitted, row) {
      if (emitted.type === "ended") ports.ended(draft, row);
    },
    errorOf: ({ error }) => error,
    shown: ({ work, op, total, done, affected, blocked, failed, undoneBy, undoes }) => ({
      work,
      op,
      total,
      done,
      affected,
      blocked,
      failed,
      undoneBy,
      undoes,
    }),
    effects: {
      turn: { mode: "resident", start: ports.turn },
      work: { mode: "resident", start: ports.work },
      rest: { mode: "resident", start: ports.rest },
    },
    safe: ["cancel"],
  });
}
export type JobActor = ReturnType<typeof defineJobActor>;
