// Accounts as a file that is written while it is read: a thousand at a time in the order of their ids. What the reader
// does not take yet is not asked for.
import { Readable } from "node:stream";
import { sql } from "../../db/index.ts";
import { allOf } from "../../http/index.ts";
import { csvHead } from "../../lib/csv.ts";
import { foundBy, type Selection } from "../bulk/selection.ts";
import { UserRows, type UserRow } from "../records/user.entity.ts";
import type { FilterDeps } from "../users/user-filters.ts";
import { answersOf, type ViewDeps } from "../users/users.queries.ts";
import { COLUMNS, fileRow } from "./columns.ts";

/** Accounts in memory at a time. */
const PAGE = 1000;

/** Rejects with 404 for a node that there is not, before anything is sent. */
export async function exportStream(
  deps: FilterDeps & ViewDeps,
  selection: Selection,
  format: "csv" | "ndjson",
): Promise<Readable> {
  const { from, where } = await foundBy(deps, selection);
  const pageAfter = (after: number): Promise<UserRow[]> =>
    deps.reads.rows(
      UserRows,
      sql`select u.* from ${from} where u.id > ${after} and ${allOf(where)} order by u.id limit ${PAGE}`,
      { scans: true },
    );
  async function* texts(): AsyncGenerator<string> {
    if (format === "csv") yield csvHead(COLUMNS);
    for (let after = 0; ;) {
      const rows = await pageAfter(after);
      const users = await answersOf(deps.reads, rows, new Map(), deps);
      if (users.length > 0) yield users.map((user) => fileRow(format, user)).join("");
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.id ?? after;
    }
  }
  return Readable.from(texts(), { highWaterMark: 1 });
}
