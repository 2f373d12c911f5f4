// What a feature brings for long work over its records. Turns, steps, cursor, rights and the end are the same for all
// (`runner.ts`, `step-commit.ts`); a work says which records come next and what is done to them.
import type { Draft, Lock } from "../db/index.ts";
import type { Caller, Scope } from "../http/index.ts";
import type { JobRow } from "./job.entity.ts";
import type { JobProblem } from "./jobs.schema.ts";

/** What a step came to. */
export interface Tally {
  readonly matched: number;
  /** Ids of the records that it changed. */
  readonly affected: readonly number[];
  readonly blocked: number;
  readonly failed: number;
  readonly problems: readonly JobProblem[];
  /** Records that are as they should be already: no problems, but listed where the work keeps what it left. */
  readonly skipped?: readonly JobProblem[];
  /** What the changed records were before, for whoever takes the job back. */
  readonly before: readonly unknown[];
}

/** Some records of a job, in the order of their ids. `decide` as in db's `Unit`. */
export interface Step {
  readonly locks: readonly Lock[];
  decide(draft: Draft, caller: Caller): Tally;
}

export interface JobWork {
  /** `kind` on the wire. */
  readonly name: string;
  /** What whoever started it must hold whenever a step runs. */
  readonly scope: Scope;
  /** How many records it is about. */
  count(job: JobRow): Promise<number>;
  /**
   * Ids of the next records behind the job's cursor, at most `limit`, in order; none: the job is done. Throws a
   * `Refusal` where the selection makes no sense any more. Where it must wait it does so by `rest`, and others have its
   * place meanwhile.
   */
  next(job: JobRow, limit: number, rest: (ms: number) => Promise<void>): Promise<readonly number[]>;
  /** What is to be done to these records. Randomness is drawn here. */
  step(job: JobRow, ids: readonly number[]): Promise<Step>;
  /** The step of this job was written, and others may come before its next one: what was read for it is done with. */
  stepped?(id: number): void;
  /** A step may be read before the one in front of it is written: no record says anything of another. */
  readonly ahead?: true;
  /** Its records came with the request and lie in its parts, each until it is done. */
  readonly staged?: true;
  /** All that it refused or skipped is listed for as long as the job is kept, not only the first hundred problems. */
  readonly keepsLeft?: true;
  /** Its row goes on naming what it changed: it makes records whose list is asked for later. */
  readonly keepsIds?: true;
  /** The job has ended, in this draft: it tells of itself. */
  ended(draft: Draft, job: Readonly<JobRow>): void;
  /** The work that takes a job back; undefined where it cannot be taken back. */
  undo?(job: Readonly<JobRow>): { readonly work: string; readonly upTo: number } | undefined;
}
