// Bringing back many deleted accounts as long work (rules users.deleted).
import type { AuditAction } from "../../http/index.ts";
import { jobOrigin, type JobWork } from "../../jobs/index.ts";
import { countChosen, nextChosen, tell, type BulkDeps } from "./works.ts";
import { refuseManyHeld, restoreStep, type RestoreDeps } from "./restore-step.ts";

export const RESTORE_WORK = "users.restore";

export function restoreWork(deps: BulkDeps & RestoreDeps): JobWork {
  const { reads } = deps;
  return {
    name: RESTORE_WORK,
    scope: "users:write",
    count: (job) => countChosen(reads, job.id),
    async next(job, limit) {
      const ids = await nextChosen(reads, job, limit);
      await refuseManyHeld(deps, job, ids);
      return ids;
    },
    step: (job, ids) =>
      restoreStep(
        deps,
        ids.map((id) => ({ id })),
        jobOrigin(job),
      ),
    ended(draft, job) {
      tell(draft, deps.outbox, job, "restore", String(job.plan["base"]));
      const { id, matched, affected, blocked, failed, error, ids } = job;
      deps.audit(draft, {
        origin: jobOrigin(job),
        key: "users",
        entityId: "",
        action: "bulk.restore" satisfies AuditAction,
        obj: { job: id, matched, affected, blocked, failed, ...(error === "" ? {} : { error }), ids },
      });
    },
  };
}
