// A job as the API answers it, and what it is called.
import type { z } from "zod";
import type { JobProblem as Problem, JobView } from "../../jobs/jobs.schema.ts";
import { call } from "../api/call.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";
import type { Words } from "../words/language.ts";

export type Job = z.output<typeof JobView>;
export type JobProblem = z.output<typeof Problem>;

export const JOBS: RecordKind<Job> = { list: "/jobs", name: ({ op, id }) => `${op} ${id}` };

export const UNDO = "users.undo";
export const IMPORT = "users.import";
export const GENERATE = "users.generate";

/** "Switch users off"; a panel of another version may name a work that the page does not know. */
export function workText({ kind, op }: Pick<Job, "kind" | "op">, words: Words["jobs"]): string {
  const known = Object.entries(words.works).find(([name]) => name === op)?.[1] ?? op;
  return kind === UNDO ? words.undoOf(known) : known;
}

/** Whether it still moves. */
export function isUnderWay({ finishedAt }: Pick<Job, "finishedAt">): boolean {
  return finishedAt === 0;
}

const LOOK_MS = 300;

/** The job once it has ended. `onStep` hears how far it is. */
export async function followed(id: number, onStep: (job: Job) => void, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const job = await call<Job>("GET", `/jobs/${id}`, { signal });
    onStep(job);
    if (!isUnderWay(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    signal.throwIfAborted();
  }
}
