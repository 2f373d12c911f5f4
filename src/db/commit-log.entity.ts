// What processes on one database tell each other of their commits: a row with each, in its own transaction, for the
// minutes that a process may be behind. Empty on SQLite.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "./table.ts";

export const CommitLogRows = entity(
  defineEntity({
    name: "CommitNote",
    tableName: "commit_log",
    properties: {
      /** Drawn while the commit's rows are locked: of two commits on one row the later has the larger. */
      id: p.bigint("number").primary(),
      /** The transaction, for comparison with snapshots. */
      xid: p.bigint("number"),
      /** The process run that committed. */
      boot: p.text(),
      /** See `note.ts`. */
      note: p.text(),
    },
    indexes: [{ properties: ["xid"] }],
  }),
  { archive: "never" },
);
