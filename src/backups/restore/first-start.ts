// What the first start after a restore says and does: once, in the commit that says that the panel started.
import { lock, sql, type Draft, type Lock, type Reader } from "../../db/index.ts";
import type { Outbox } from "../../runtime/index.ts";
import { RestoreRows, type RestoreRow } from "./restore.entity.ts";

export interface FirstStartDeps {
  readonly reads: Reader;
  readonly outbox: Outbox<"panel.restore_applied">;
}

/** A restore that was applied and that nobody has told of yet. */
export interface ToldRestore {
  readonly locks: readonly Lock[];
  /** Part of the commit of `panel.started`: whether this one is the first to say it. */
  tell(draft: Draft): boolean;
}

/** Undefined: there is none. */
export async function restoreToTell({ reads, outbox }: FirstStartDeps): Promise<ToldRestore | undefined> {
  const row = await appliedRestore(reads);
  return (
    row && {
      locks: [lock(RestoreRows, row.id)],
      tell(draft) {
        const found = draft.find(RestoreRows, row.id);
        if (!found || found.toldAt > 0) return false;
        draft.update(RestoreRows, found.id, { toldAt: draft.time });
        const { superseded, tables, rows } = found;
        outbox.raise(draft, { event: "panel.restore_applied", data: { superseded, tables, rows }, subject: "panel" });
        return true;
      },
    }
  );
}

/** The restore that made this database, until it was told of. */
export async function appliedRestore(reads: Reader): Promise<RestoreRow | undefined> {
  const [row] = await reads.rows(
    RestoreRows,
    sql`select * from restores where mstate = 'applied' and told_at = 0 order by id desc limit 1`,
  );
  return row;
}
