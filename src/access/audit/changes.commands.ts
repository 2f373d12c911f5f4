// Forgetting the audit log: by retention, hourly, and by hand.
import { sql, type Committer, type Draft, type Reader } from "../../db/index.ts";
import type { AuditRecord } from "../../http/index.ts";
import { recordChange } from "./audit-log.ts";
import { ChangeRows } from "../records/change.entity.ts";

/** Rows of one statement: short enough that nobody waits for it. */
const BATCH = 2000;

interface Store {
  readonly commits: Committer;
  readonly reads: Reader;
}

/**
 * Deletes the records older than `before` (Unix seconds), except the one with the id `keep`. Resolves to their number.
 */
export async function forgetChanges({ commits, reads }: Store, before: number, keep = 0): Promise<number> {
  const query = sql`delete from changes where id in (select id from changes where time < ${before} and id <> ${keep} limit ${BATCH})`;
  const statement = reads.statement("changes", query);
  for (let total = 0; ;) {
    const [result] = await commits.execute({ name: "changes.forget", statements: [statement] });
    const count = result?.count ?? 0;
    total += count;
    if (count < BATCH) return total;
  }
}

/** A running purge: its record is on disk before anything is deleted. */
export interface Purge {
  readonly recordId: number;
  readonly before: number;
  /** Unix seconds. */
  readonly begunAt: number;
}

/**
 * Records a purge, even while `changes_logging` is off: nobody empties the log without a trace. `before`: Unix seconds,
 * 0 = everything.
 */
export function beginPurge(draft: Draft, before: number, origin: AuditRecord["origin"]): Purge {
  const recordId = recordChange(draft, { origin, key: "changes", entityId: "", action: "delete", obj: { before } });
  return { recordId, before, begunAt: draft.time };
}

/** Completes the purge's record with what it deleted; a later purge may have taken the record. */
export function endPurge(draft: Draft, { recordId, before }: Purge, deleted: number): void {
  if (draft.find(ChangeRows, recordId)) draft.update(ChangeRows, recordId, { obj: { before, deleted } });
}
