// What reads deleted accounts: the list, one of them, and which of their values others have by now.
import { sql, type Reader } from "../../db/index.ts";
import {
  notFound,
  ownsOnly,
  pageOf,
  visibleSql,
  visibleTo,
  type Caller,
  type Condition,
  type ListColumns,
  type ListQuery,
  type Page,
} from "../../http/index.ts";
import { added } from "../../lib/exact.ts";
import { DeletedUsageRows } from "../records/user.entity.ts";
import { DeletedUserRows, type DeletedUserRow } from "../records/deleted-user.entity.ts";
import { isKept } from "./deleted.commands.ts";
import { DAY_SECONDS } from "../users/keep-deleted.ts";
import type { DeletedFilters, DeletedUserAnswer } from "./deleted.schema.ts";
import { heldSecrets, type HeldSecretsDeps } from "./held-secrets.ts";
import { rowsOf } from "./kept-account.ts";

export type DeletedDeps = HeldSecretsDeps;

export const DELETED_COLUMNS = {
  q: ["name", "group_label", "sub_id", "external_id"],
  order: "deleted_at desc, id desc",
  sorts: {
    id: "id",
    name: "name",
    deleted_at: "deleted_at",
    expiry: { by: "expiry", emptyWhen: "expiry = 0" },
  },
} as const satisfies ListColumns;

export async function deletedPage(
  deps: DeletedDeps,
  list: ListQuery,
  { admin_id: adminId, group }: DeletedFilters,
  caller: Caller,
): Promise<Page<DeletedUserAnswer>> {
  const { reads } = deps;
  const own = visibleSql(caller, sql`admin_id`);
  const where: Condition[] = [
    sql<boolean>`deleted_at > ${deps.now() - deps.keptDays() * DAY_SECONDS}`,
    ...(own ? [own] : []),
    ...(adminId === undefined ? [] : [sql<boolean>`admin_id = ${adminId}`]),
    ...(group === undefined ? [] : [sql<boolean>`group_label = ${group}`]),
  ];
  const { rows, total } = await pageOf(reads, DeletedUserRows, list, { where });
  const late = await lateUsage(
    reads,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => deletedView(deps, caller, row, late.get(row.id) ?? 0)), total };
}

/** One of them with what it would be; 404 for one that the caller may not see. */
export async function deletedRecord(deps: DeletedDeps, id: number, caller: Caller) {
  const row = await seen(deps, id, caller);
  const late = await lateUsage(deps.reads, [id]);
  const { row: was } = rowsOf(id, row.account);
  return {
    ...deletedView(deps, caller, row, late.get(id) ?? 0),
    enable: was.enable,
    disabledReason: was.disabledReason,
    desc: was.description,
    subId: row.subId,
    externalId: row.externalId,
    duration: was.duration,
    activatedAt: was.activatedAt,
    devices: row.account.devices.length,
    taken: await takenFields(deps, row, caller),
  };
}

async function seen(deps: DeletedDeps, id: number, caller: Caller): Promise<DeletedUserRow> {
  const row = await deps.reads.find(DeletedUserRows, id);
  if (!row || !visibleTo(caller, row.adminId) || !isKept(row, deps.keptDays(), deps.now()))
    notFound("deleted user", id);
  return row;
}

/** A reseller reaches those that it owned; the others are 404 to it. */
export function admitDeleted(deps: DeletedDeps) {
  return async (caller: Caller, { id }: { id: number }): Promise<void> => void (await seen(deps, id, caller));
}

function deletedView(
  { keptDays }: DeletedDeps,
  caller: Caller,
  row: Readonly<DeletedUserRow>,
  late: number,
): DeletedUserAnswer {
  const { id, name, groupLabel: group, adminId, deletedAt, deletedBy, volume, used, expiry } = row;
  const told = caller.scopes.has("stats:read") || deletedBy === caller.username;
  return {
    id,
    name,
    group,
    adminId,
    deletedAt,
    deletedBy: told ? deletedBy : "",
    until: deletedAt + keptDays() * DAY_SECONDS,
    volume,
    used: added(used, late),
    expiry,
  };
}

async function lateUsage(reads: Reader, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.rows(
    DeletedUsageRows,
    sql`select * from deleted_usage where id in (select value from ${listed(reads, ids)})`,
  );
  return new Map(rows.map(({ id, up, down }) => [id, added(up, down)]));
}

/** Any number of ids as one value. */
function listed({ dialect }: Reader, ids: readonly number[]) {
  return dialect === "sqlite"
    ? sql`json_each(${JSON.stringify(ids)})`
    : sql`unnest(${`{${ids.join(",")}}`}::bigint[]) as t(value)`;
}

/** Names and references that accounts have by now, of those that some deleted ones would have again. */
export interface Taken {
  readonly names: Set<string>;
  readonly externalIds: Set<string>;
}

export async function takenOf(
  reads: Reader,
  rows: readonly Pick<DeletedUserRow, "name" | "externalId">[],
): Promise<Taken> {
  const taken: Taken = { names: new Set(), externalIds: new Set() };
  if (rows.length === 0) return taken;
  const references = rows.map(({ externalId }) => externalId).filter((reference) => reference !== "");
  const found = await reads.query<{ name: string; external_id: string | null }>(sql`
    select name, external_id from users where name in (${sql.join(rows.map(({ name }) => name))})
    ${references.length === 0 ? sql`` : sql`union select name, external_id from users where external_id in (${sql.join(references)})`}`);
  for (const { name, external_id: externalId } of found) {
    taken.names.add(name);
    if (externalId !== null) taken.externalIds.add(externalId);
  }
  return taken;
}

/**
 * Fields of a deleted account whose values are taken. Secret ones are listed only for a caller who sees all accounts: a
 * reseller learns of them by restoring, which is charged.
 */
async function takenFields(deps: DeletedDeps, row: DeletedUserRow, caller: Caller): Promise<string[]> {
  const { names, externalIds } = await takenOf(deps.reads, [row]);
  const secrets = ownsOnly(caller) ? [] : ((await heldSecrets(deps, [row])).get(row.id) ?? []);
  return [
    ...(names.has(row.name) ? ["name"] : []),
    ...secrets.filter((field) => field === "subId"),
    ...(externalIds.has(row.externalId) ? ["externalId"] : []),
    ...secrets.filter((field) => field !== "subId"),
  ];
}
