// What a restore writes into the database that it makes: its own record, as that of something that was done.
import { onlyActor } from "../../runtime/index.ts";
import { sql, type Reader, type Statement } from "../../db/index.ts";
import { RESTORE_CHART_VERSION } from "../../../machines/restore.ts";
import type { RestoreRow } from "./restore.entity.ts";

/** `now`: Unix milliseconds. `superseded`: where what was there before is. */
export function restoredMark(
  reads: Reader,
  row: Readonly<RestoreRow>,
  { tables, rows, superseded, now }: { tables: number; rows: number; superseded: string; now: number },
): Statement[] {
  const seconds = Math.floor(now / 1000);
  const applied = sql`insert into restores
      (id, rev, mstate, mctx, mver, msince, mlast, due_at, fault_at, fault_count, fault_message, fault_cause,
        source, archive, fresh, keep_web_settings, keep_license, settings, admin_id, actor, via, ip, snapshot, superseded,
        tables, rows, warnings, foreign_nodes, error, code, running, upload, told_at, created_at, finished_at)
    values (${row.id}, ${row.rev + 1}, 'applied', '{}', ${RESTORE_CHART_VERSION}, ${now}, null, null, null, 0, '', null,
        ${row.source}, ${row.archive}, ${row.fresh}, ${row.keepWebSettings}, ${row.keepLicense}, '{}', ${row.adminId},
        ${row.actor}, ${row.via}, ${row.ip}, ${row.snapshot}, ${superseded}, ${tables}, ${rows}, '[]', '[]', '', '', null, 0,
        0, ${row.createdAt}, ${seconds})`;
  // A snapshot that was made for a restore knows that restore at work.
  return [...onlyActor(reads, "restore", "applied"), reads.statement("restore.mark", applied)];
}
