// The records that reports are about, page by page in the order of their ids.
import { statusSql } from "../accounts/index.ts";
import { sql, type Query, type Reader } from "../db/index.ts";
import { nodeStatusOf } from "../../machines/node.ts";
import type { AdminReportRow, NodeReportRow, UserReportRow } from "./reports.schema.ts";

type Told<R> = Omit<R, "up" | "down" | "share">;

const FILTERS = { nodeId: ["node", "nodes"], userId: ["user", "users"], adminId: ["admin", "admins"] } as const;

/** The first of these ids that names no record, and what it should name. The admin 0 is the panel. */
export async function missingOf(
  reads: Reader,
  ids: Readonly<Record<keyof typeof FILTERS, number | undefined>>,
): Promise<readonly [what: string, id: number] | undefined> {
  for (const key of ["nodeId", "userId", "adminId"] as const) {
    const id = ids[key];
    if (id === undefined || (key === "adminId" && id === 0)) continue;
    const [what, table] = FILTERS[key];
    const [found] = await reads.query(sql`select 1 as one from ${sql.table(table)} where id = ${id}`);
    if (!found) return [what, id];
  }
  return undefined;
}

/** Records in memory at a time. */
const PAGE = 1000;

/** `pageAfter`: the page behind an id. */
async function* paged<R extends { readonly id: number }>(
  pageAfter: (after: number) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let after = -1; ;) {
    const rows = await pageAfter(after);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

const pageOf = <R>(reads: Reader, query: Query) => reads.query<R>(query as Query<R>, { scans: true });

export function userRecords(
  reads: Reader,
  { owner, now, limits }: { readonly owner: number | undefined; readonly now: number; readonly limits: boolean },
): AsyncGenerator<readonly Told<UserReportRow>[]> {
  const whose = owner === undefined ? sql`` : sql`and u.admin_id = ${owner}`;
  return paged(async (after) => {
    const rows = await pageOf<Told<UserReportRow> & { adminid: number; label: string }>(
      reads,
      sql`select u.id, u.name, u.admin_id as adminid, u.group_label as label, u.volume, g.up + g.down as used, u.expiry,
        ${statusSql(now)} as status from users u join user_usage g on g.id = u.id
        where u.id > ${after} ${whose} order by u.id limit ${PAGE}`,
    );
    return rows.map(({ id, name, adminid: adminId, label: group, volume, used, expiry, status }) =>
      limits ? { id, name, adminId, group, volume, used, expiry, status } : { ...goneUser(id), name },
    );
  });
}

export const goneUser = (id: number): Told<UserReportRow> => ({
  id,
  name: "",
  adminId: null,
  group: null,
  volume: null,
  used: null,
  expiry: null,
  status: null,
});

/** `only`: these nodes alone; undefined: all. */
export function nodeRecords(
  reads: Reader,
  { limits, only }: { readonly limits: boolean; readonly only: ReadonlySet<number> | undefined },
): AsyncGenerator<readonly Told<NodeReportRow>[]> {
  const which = only === undefined ? sql`` : among(reads, only);
  return paged(async (after) => {
    const rows = await pageOf<{
      id: number;
      name: string;
      micros: number;
      capped: number;
      used: number;
      state: string;
    }>(
      reads,
      sql`select n.id, n.name, n.multiplier_micros as micros, n.limit_bytes as capped, coalesce(g.period_used, 0) as used,
        n.mstate as state from nodes n left join node_usage g on g.id = n.id where n.id > ${after} ${which} order by n.id limit ${PAGE}`,
    );
    return rows.map(({ id, name, micros, capped, used, state }) =>
      limits
        ? {
            id,
            name,
            multiplier: micros / 1_000_000,
            limitBytes: capped,
            periodUsed: capped > 0 ? used : 0,
            status: nodeStatusOf(state),
          }
        : { ...goneNode(id), name },
    );
  });
}

/** Ids as one value, however many there are. */
function among(reads: Reader, ids: ReadonlySet<number>): Query {
  const json = JSON.stringify([...ids]);
  return reads.dialect === "sqlite"
    ? sql`and n.id in (select value from json_each(${json}))`
    : sql`and n.id in (select value::bigint from json_array_elements_text(${json}::json))`;
}

export const goneNode = (id: number): Told<NodeReportRow> => ({
  id,
  name: "",
  multiplier: null,
  limitBytes: null,
  periodUsed: null,
  status: null,
});

/** Resellers: whoever else moved something is told without limits. */
export function adminRecords(
  reads: Reader,
  { limits }: { readonly limits: boolean },
): AsyncGenerator<readonly Told<AdminReportRow>[]> {
  return paged(async (after) => {
    const rows = await pageOf<{
      id: number;
      name: string;
      role: string;
      volume: number;
      used: number;
      cap: number;
      users: number;
      expiry: number;
    }>(
      reads,
      sql`select a.id, a.username as name, r.name as role, a.volume, coalesce(s.used, 0) as used, a.user_limit as cap, coalesce(o.users, 0) as users,
        a.expiry from admins a join roles r on r.id = a.role_id left join owner_counts o on o.id = a.id left join reseller_usage s on s.id = a.id
        where r.base = 'resale' and a.id > ${after} order by a.id limit ${PAGE}`,
    );
    return rows.map(({ cap: userLimit, ...row }) =>
      limits ? { ...row, userLimit } : { ...goneAdmin(row.id), name: row.name },
    );
  });
}

export const goneAdmin = (id: number): Told<AdminReportRow> => ({
  id,
  name: "",
  role: null,
  volume: null,
  used: null,
  userLimit: null,
  users: null,
  expiry: null,
});
