// An import as long work: its records are the lines that were staged, their numbers its ids. Lines that name an account
// are skipped, laid over it or refused; the others make one, by the rules of a single create (rules jobs.import).
import { jobOrigin, type JobRow, type JobWork, type StagedLines } from "../../jobs/index.ts";
import type { Owning } from "../../http/index.ts";
import { tell, UNDO_WORK } from "../bulk/works.ts";
import { importStep } from "./import-step.ts";
import type { EmptyCells, FileFormat, OnConflict } from "./import.schema.ts";
import { lineParts, locksOf, type LineSource, type Prepared } from "./line-parts.ts";
import type { LineReading, TransferDeps } from "./lines.ts";

export const IMPORT_WORK = "users.import";

/** What the job's row holds of what was asked for. */
export interface ImportPlan {
  readonly format: FileFormat;
  readonly onConflict: OnConflict;
  readonly records: number;
  readonly head: readonly string[] | null;
  /** Absent in orders of older versions, which took an empty cell for unlimited. */
  readonly empty?: EmptyCells;
  readonly unlimited?: readonly string[];
  readonly unknown?: readonly string[];
  readonly owner: Owning;
}

const planOf = (job: Readonly<JobRow>): ImportPlan => job.plan as unknown as ImportPlan;

export function readingOf({ head, empty, unlimited }: ImportPlan, timeZone: string): LineReading {
  return { head: head ?? undefined, timeZone, empty: empty ?? "unlimited", unlimited: unlimited ?? [] };
}

export function importWork(deps: TransferDeps & { readonly lines: StagedLines }): JobWork {
  const sourceOf = (job: JobRow): LineSource => {
    const { owner, format, onConflict, records } = planOf(job);
    const { id, cursor, done } = job;
    return {
      job: id,
      format,
      cursor,
      rest: records - done,
      owner,
      onConflict,
      reading: readingOf(planOf(job), deps.timeZone()),
    };
  };
  /** What was read of the lines that come next, so that they are read once. */
  const prepared = new Map<number, Prepared>();
  const parts = lineParts(deps);

  return {
    name: IMPORT_WORK,
    scope: "users:write",
    staged: true,
    keepsLeft: true,
    count: async (job) => planOf(job).records,
    async next(job, limit, rest) {
      const next = await parts.prepare(sourceOf(job), limit, rest);
      prepared.set(job.id, next);
      return next.lines.map(({ line }) => line);
    },
    async step(job, ids) {
      const known = prepared.get(job.id);
      const { lines, ...rest } = known?.cursor === job.cursor ? known : await parts.prepare(sourceOf(job), ids.length);
      const part = { ...rest, lines: lines.slice(0, ids.length) };
      return {
        locks: locksOf(deps, part),
        ...importStep(deps, planOf(job).onConflict, jobOrigin(job), part),
      };
    },
    stepped: (id) => void prepared.delete(id),
    undo: ({ upTo }) => ({ work: UNDO_WORK, upTo }),
    ended(draft, job) {
      prepared.delete(job.id);
      parts.forget(job.id);
      const { format, onConflict, owner } = planOf(job);
      tell(draft, deps.outbox, job, "import", owner.base);
      const { error, ids } = job;
      deps.audit(draft, {
        origin: jobOrigin(job),
        key: "users",
        entityId: "",
        action: "import",
        obj: { job: job.id, format, onConflict, ...countsOf(job), ...(error === "" ? {} : { error }), ids },
      });
    },
  };
}

/**
 * What an import came to. Its row counts as every job's does: `matched` are lines whose account was there, `blocked`
 * those of them that stayed as they were.
 */
export function countsOf({ matched, affected, blocked, failed }: Readonly<JobRow>) {
  const updated = matched - blocked;
  return { created: affected - updated, updated, skipped: blocked, failed };
}
