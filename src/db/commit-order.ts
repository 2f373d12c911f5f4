// In which order rows were committed, as SQL: for what is put in order after the commit.
import { sql, type Query } from "./read.ts";
import type { Dialect } from "./table.ts";

/** Parts of a query over rows `e` of a table. */
export interface CommitOrder {
  /** What the inner query selects of a row beside its columns. */
  readonly born: Query;
  /** What is joined to the rows. */
  readonly from: Query;
  /** Sorts by commit; null where it is no longer known. */
  readonly place: Query;
}

/**
 * The place of the commit that wrote a row last. On PostgreSQL it is that of the commit's note, which is drawn while
 * its rows are locked: of two commits of which the later rests on the earlier, it has the larger. On SQLite ids grow
 * with commits.
 */
export function commitOf(dialect: Dialect): CommitOrder {
  if (dialect === "sqlite") return { born: sql`0 as born`, from: sql``, place: sql`e.born` };
  // A row knows the last 32 bits of its transaction's number, the log of commits all of it.
  return {
    born: sql`events.xmin::text::bigint as born`,
    from: sql`, (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as last) now`,
    place: sql`(select max(c.id) from commit_log c where c.xid = now.last - ((now.last - e.born) & 4294967295))`,
  };
}
