// Bulk operations on accounts as long work, and the work that takes one back.
import { sql, type Draft, type Reader } from "../../db/index.ts";
import type { HttpPorts, AuditAction } from "../../http/index.ts";
import { contentAfter, JobRows, jobOrigin, NAMED_IDS, type JobRow, type JobWork } from "../../jobs/index.ts";
import type { Outbox } from "../../runtime/index.ts";
import type { accountsEvents } from "../accounts.events.ts";
import type { FilterDeps } from "../users/user-filters.ts";
import { refuseManyHeld, restoreStep, type RestoreDeps } from "./restore-step.ts";
import { isOthersLink, linkHolders, type LinkHolders } from "../links/link-holders.ts";
import type { UserWriter } from "../users/user-change.ts";
import type { BulkOp } from "./bulk.schema.ts";
import { KeptAccount } from "./before.ts";
import type { BulkArguments } from "./operations.ts";
import { amongNamed, countSelected, nextSelected, type Selection } from "./selection.ts";
import { bulkStep } from "./step.ts";
import { undoStep } from "./undo.ts";

export const BULK_WORK = "users.bulk";
export const UNDO_WORK = "users.undo";

/** What a job of these works was asked for; its row holds it as the route's schemas gave it. */
export interface BulkPlan {
  readonly selection: Selection;
  readonly given: BulkArguments;
}

export interface BulkDeps extends UserWriter, FilterDeps {
  readonly outbox: Outbox<keyof typeof accountsEvents>;
  readonly audit: HttpPorts["audit"];
}

const planOf = (job: Readonly<JobRow>): BulkPlan => job.plan as unknown as BulkPlan;
const opOf = (job: Readonly<JobRow>): BulkOp => job.op as BulkOp;

export function bulkWork(deps: BulkDeps): JobWork {
  const { reads } = deps;
  return {
    name: BULK_WORK,
    scope: "users:write",
    ahead: true,
    count: (job) =>
      planOf(job).selection.named ? countChosen(reads, job.id) : countSelected(deps, planOf(job).selection, job.upTo),
    next: (job, limit) =>
      planOf(job).selection.named
        ? nextChosen(reads, job, limit)
        : nextSelected(deps, planOf(job).selection, job, limit),
    async step(job, ids) {
      const { selection, given } = planOf(job);
      const { named } = selection;
      const found = named ? await amongNamed(deps, selection, ids) : { ids, missing: [] };
      return bulkStep(deps, { op: opOf(job), given, origin: jobOrigin(job), ...found, named });
    },
    ended(draft, job) {
      const { selection, given } = planOf(job);
      tell(draft, deps.outbox, job, job.op, selection.owner.base);
      const { matched, affected, blocked, failed, error } = job;
      const { filters, q, updatedSince } = selection;
      deps.audit(draft, {
        origin: jobOrigin(job),
        key: "users",
        entityId: "",
        action: `bulk.${opOf(job)}` satisfies AuditAction,
        obj: {
          job: job.id,
          matched,
          affected,
          blocked,
          failed,
          ...(error === "" ? {} : { error }),
          ...given,
          selection: { ...filters, ...(q ? { q } : {}), ...(updatedSince ? { updated_since: updatedSince } : {}) },
          ids: job.ids,
        },
      });
    },
    // Where deleted accounts are not kept, they are gone.
    undo: (job) => (opOf(job) === "delete" && deps.keptDays() === 0 ? undefined : { work: UNDO_WORK, upTo: job.upTo }),
  };
}

export function undoWork(deps: BulkDeps & RestoreDeps): JobWork {
  const { reads } = deps;
  return {
    name: UNDO_WORK,
    scope: "users:write",
    ahead: true,
    count: async ({ undoes }) => (await reads.find(JobRows, undoes))?.affected ?? 0,
    async next(job, limit) {
      const kept = await nextKept(reads, job, limit);
      if (job.op === "delete")
        await refuseManyHeld(
          deps,
          job,
          kept.map(({ id }) => id),
        );
      else if (job.plan["base"] === "resale") deps.guesses.refuseMany(job, takenBack(kept, await linksOf(kept)).length);
      return kept.map(recordOf);
    },
    async step(job, ids) {
      const kept = await nextKept(reads, job, ids.length);
      const origin = jobOrigin(job);
      return job.op === "delete"
        ? restoreStep(
            deps,
            kept.map(({ id, version }) => ({ id, rev: version })),
            origin,
          )
        : undoStep(deps, { origin, kept, links: await linksOf(kept) });
    },
    ended: (draft, job) => tell(draft, deps.outbox, job, "undo", String(job.plan["base"])),
  };

  function linksOf(kept: readonly KeptAccount[]): Promise<LinkHolders> {
    return linkHolders(deps, kept.flatMap(keysOf));
  }
}

/** The keys of its link that an account had before. */
function keysOf({ fields }: KeptAccount): string[] {
  return [fields["subId"], fields["subToken"]].filter((key) => typeof key === "string");
}

/** Accounts of whose keys others have one by now. */
function takenBack(kept: readonly KeptAccount[], links: LinkHolders): readonly KeptAccount[] {
  return kept.filter((one) => keysOf(one).some((key) => isOthersLink(links, key, one.id)));
}

/** The one event of an operation (rule jobs.bulk.4). */
export function tell(draft: Draft, outbox: BulkDeps["outbox"], job: Readonly<JobRow>, op: string, base: string): void {
  const { id, matched, affected, blocked, failed, actor, ids } = job;
  outbox.raise(draft, {
    event: "user.bulk",
    data: {
      op,
      matched,
      affected,
      blocked,
      failed,
      actor,
      adminId: base === "resale" ? job.adminId : 0,
      ids,
      idsTruncated: affected > Math.min(ids.length, NAMED_IDS),
    },
    subject: `job:${id}`,
  });
}

export async function nextChosen(reads: Reader, { id, cursor }: JobRow, limit: number): Promise<number[]> {
  const ids = await contentAfter(reads, { jobId: id, sort: "chosen", parse: Number, recordOf: (each) => each }, cursor);
  return ids.slice(0, limit);
}

export async function countChosen(reads: Reader, jobId: number): Promise<number> {
  const length = reads.dialect === "sqlite" ? sql`json_array_length(content)` : sql`jsonb_array_length(content)`;
  const [row] = await reads.query<{ n: number | string | null }>(
    sql`select sum(${length}) as n from job_parts where job_id = ${jobId} and sort = 'chosen'`,
  );
  return Number(row?.n ?? 0);
}

/** What the accounts of the records behind the cursor were before the job that is taken back. */
async function nextKept(reads: Reader, { undoes, cursor }: JobRow, limit: number): Promise<KeptAccount[]> {
  const parse = (stored: unknown) => KeptAccount.parse(stored);
  return (await contentAfter(reads, { jobId: undoes, sort: "before", parse, recordOf }, cursor)).slice(0, limit);
}

const recordOf = ({ id, at = id }: KeptAccount): number => at;
