// Forgetting the audit log: by retention, hourly, and by hand.
import { sql, sweepRows, type Draft, type SweepStore } from "../../db/index.ts";
import type { AuditRecord } from "../../http/index.ts";
import { recordChange } from "./audit-log.ts";
import { ChangeRows } from "../records/change.entity.ts";

/**
 * Deletes the records older than `before` (Unix seconds), except the one with the id `keep`. Resolves to their number.
 */
export function forgetChanges(store: SweepStore, before: number, keep = 0): Promise<number> {
  const ids = sql`select id from changes where time < ${before} and id <> ${keep}`;
  return sweepRows(store, { name: "changes.forget", table: "changes", ids });
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
