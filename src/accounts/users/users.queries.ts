// What reads users: accounts as the API answers them, and the list.
import { sql, type Reader, type Row } from "../../db/index.ts";
import {
  pageOf,
  type Caller,
  type Condition,
  type ListColumns,
  type ListQuery,
  type Page,
  type PageSource,
} from "../../http/index.ts";
import { FEW } from "../records/id-among.ts";
import { offBys } from "./off-by.queries.ts";
import { CURRENT_TEXTS } from "../records/text.entity.ts";
import type { FoundTexts, UserSearch } from "../search/user-search.ts";
import { statusTotal } from "./user-summary.ts";
import { subUrlOf, type LinkPlace } from "../links/sub-url.ts";
import type { LinkSettings } from "../links/subscription-paths.ts";
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "../records/user.entity.ts";
import type { UserFilter } from "./user-filters.ts";
import type { UserState } from "./user-change.ts";
import type { UserAnswer } from "./users.schema.ts";

/** What an answer needs that no row of the account says. */
export interface ViewDeps extends LinkPlace {
  readonly settings: LinkSettings;
}

/** What other tables say of an account. */
export interface Seen {
  /** Tag of `usage.lastInboundId`, empty when unknown. */
  readonly lastInbound: string;
  readonly offBy: string;
}

/** An account as it is answered. */
export function userView(
  { row, usage }: UserState,
  { lastInbound, offBy }: Seen,
  { settings, publicAddress }: ViewDeps,
): UserAnswer {
  return {
    id: row.id,
    name: row.name,
    enable: row.enable,
    disabledReason: row.disabledReason,
    config: row.config,
    desc: row.description,
    contact: row.contact ?? {},
    subToken: row.subToken,
    subId: row.subId,
    externalId: row.externalId ?? "",
    remark: row.remark,
    volume: row.volume,
    speedLimit: row.speedLimit,
    ipLimit: row.ipLimit,
    deviceLimit: row.deviceLimit,
    expiry: row.expiry,
    duration: row.duration,
    term: row.term,
    activatedAt: row.activatedAt,
    up: usage.up,
    down: usage.down,
    onlineAt: usage.onlineAt,
    subFetchedAt: row.subFetchedAt,
    subSeenAt: row.subSeenAt,
    subClient: row.subClient,
    subFetchIp: row.subFetchIp,
    lastInbound,
    autoReset: row.autoReset,
    resetDays: row.resetDays,
    resetPeriod: row.resetPeriod,
    resetStartDay: row.resetStartDay,
    resetStartMonth: row.resetStartMonth,
    resetCalendar: row.resetCalendar,
    nextReset: row.nextReset,
    totalUp: usage.totalUp,
    totalDown: usage.totalDown,
    group: row.groupLabel,
    adminId: row.adminId,
    allTemplates: row.allTemplates,
    templateIds: row.templateIds,
    inboundIds: row.inboundIds,
    subUrl: subUrlOf(row, settings, publicAddress()),
    licensed: true,
    since: Math.floor(row.msince / 1000),
    offBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/**
 * One account, or undefined. In one statement, so that its counters are those of its state: between two a reset could
 * bring it back. The tables share no column but the id.
 */
export async function userState(reads: Reader, id: number): Promise<UserState | undefined> {
  const [raw] = await reads.query(
    sql<Row>`select u.*, g.* from users u join user_usage g on g.id = u.id where u.id = ${id}`,
  );
  return raw && { row: reads.decode(UserRows, raw), usage: reads.decode(UserUsageRows, raw) };
}

/** Ids in one statement; more would be more parameters than SQLite or PostgreSQL take. */
const CHUNK = 1000;

async function usagesOf(reads: Reader, ids: readonly number[]): Promise<Map<number, UserUsageRow>> {
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) =>
    ids.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  const found = await Promise.all(
    chunks.map((chunk) => reads.rows(UserUsageRows, sql`select * from user_usage where id in (${sql.join(chunk)})`)),
  );
  return new Map(found.flat().map((usage) => [usage.id, usage]));
}

const JOINED = "users u join user_usage g on g.id = u.id";
/**
 * Both tables in the order of their ids. Left to itself, SQLite walks them in that of some index where all of the rows
 * are wanted.
 */
const SIDE_BY_SIDE = "user_usage g cross join users u on u.id = g.id";
const USAGE_SORTS: readonly string[] = ["usage", "remaining", "online_at"];
/** Sorts that the counters alone answer. */
const COUNTER_SORTS: readonly string[] = ["id", "usage", "online_at"];

/** The list's columns where the ids are those of another table. */
function columnsBy(id: string, columns: ListColumns): ListColumns {
  return { ...columns, id, order: id, sorts: { ...columns.sorts, id } };
}

/**
 * Where a search that walks through the texts finds its ids and counts them: in the texts first, so that nothing is
 * read of accounts that have no such text.
 */
function sourceOfTexts(
  { dialect }: Reader,
  list: ListQuery,
  filter: UserFilter,
  texts: NonNullable<FoundTexts["texts"]>,
): PageSource {
  const where = [texts, ...filter.where];
  const join = dialect === "sqlite" ? "cross join" : "join";
  const users = filter.where.length > 0 ? ` ${join} users u on u.id = t.id` : "";
  const from = `${CURRENT_TEXTS}${users}${filter.usage ? ` ${join} user_usage g on g.id = t.id` : ""}`;
  const byId = list.sort === undefined || list.sort === "id";
  return { ...(byId && { ids: { from, columns: columnsBy("t.id", list.columns), where } }), counted: { from, where } };
}

/** Where a page's ids are found and counted: the narrowest tables that its conditions and its order read. */
function sourceOf({ dialect }: Reader, list: ListQuery, filter: UserFilter): PageSource {
  const { columns, q, updatedSince, sort = "id" } = list;
  const searched = q !== undefined || updatedSince !== undefined;
  const sorted = USAGE_SORTS.includes(sort);
  const from = filter.usage || sorted ? JOINED : "users u";
  if (!filter.accounts && !searched && COUNTER_SORTS.includes(sort)) {
    return {
      from,
      ids: { from: "user_usage g", columns: columnsBy("g.id", columns) },
      counted: { from: filter.usage ? "user_usage g" : "users u" },
    };
  }
  const both = dialect === "sqlite" && !filter.picks && !searched ? SIDE_BY_SIDE : JOINED;
  const ids = { from: from === JOINED ? both : from, columns };
  return { from, ids, counted: { from: filter.usage ? both : "users u" } };
}

/**
 * What changed since then, if that is little: SQLite, which does not know how much it is, would walk through all
 * accounts in the order of their ids.
 */
async function changedSince(reads: Reader, time: number): Promise<Condition | undefined> {
  if (reads.dialect !== "sqlite") return undefined;
  const changed = sql`select id from users where updated_at >= ${time}`;
  const [row] = await reads.query<{ n: number }>(sql`select count(*) as n from (${changed} limit ${FEW + 1})`);
  return (row?.n ?? 0) > FEW ? undefined : sql<boolean>`u.id in (${changed})`;
}

/** One page of the list. The counters' table is joined only where a filter or the order reads it. */
export async function userPage(
  reads: Reader,
  list: ListQuery,
  filter: UserFilter,
  caller: Caller,
  deps: ViewDeps & { readonly search: Pick<UserSearch, "of">; readonly now: () => number },
): Promise<Page<UserAnswer>> {
  const found = list.q === undefined ? undefined : await deps.search.of(list.q);
  const texts = list.updatedSince === undefined ? found?.texts : undefined;
  const updated = list.updatedSince === undefined ? undefined : await changedSince(reads, list.updatedSince);
  const ofStatuses = list.q === undefined && list.updatedSince === undefined ? filter.statuses : undefined;
  const { rows, total } = await pageOf(reads, UserRows, list, {
    ...sourceOf(reads, list, filter),
    ...(texts && sourceOfTexts(reads, list, filter, texts)),
    ...(found && { searched: found.among }),
    ...(updated && { updated }),
    ...(ofStatuses && { total: () => statusTotal(reads, ofStatuses, deps.now()) }),
    where: filter.where,
    select: "u.*",
  });
  return { rows: await answersOf(reads, rows, await offBys(reads, rows, caller), deps), total };
}

/** Rows as they are answered, with their counters; those that were deleted since are left out. */
export async function answersOf(
  reads: Reader,
  rows: readonly Readonly<UserRow>[],
  offBy: ReadonlyMap<number, string>,
  deps: ViewDeps,
): Promise<UserAnswer[]> {
  const usages = await usagesOf(
    reads,
    rows.map(({ id }) => id),
  );
  const inboundIds = [...new Set([...usages.values()].map((usage) => usage.lastInboundId))].filter((id) => id > 0);
  const tags =
    inboundIds.length === 0 ? [] : await reads.query<{ id: number; tag: string }>(sql`select id, tag from inbounds`);
  const tagOf = new Map(tags.map(({ id, tag }) => [id, tag]));
  return rows.flatMap((row) => {
    const usage = usages.get(row.id);
    const seen = { lastInbound: tagOf.get(usage?.lastInboundId ?? 0) ?? "", offBy: offBy.get(row.id) ?? "" };
    return usage ? [userView({ row, usage }, seen, deps)] : [];
  });
}
