// Keeps an account that is deleted: its rows as they were, for a restoration. Part of the commit that deletes it.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { DeletedUserRows } from "../records/deleted-user.entity.ts";
import { UserDeviceRows } from "../records/device.entity.ts";
import { DeletedUsageRows, type UserRow, type UserUsageRow } from "../records/user.entity.ts";
import type { UserWriter } from "./user-change.ts";

export const DAY_SECONDS = 86_400;

/** The rows of a deletion, beside the account's own. */
export const deletionLocks = (id: number): Lock[] => [lock(UserDeviceRows, id)];

/**
 * Keeps an account that is deleted in this draft: `row` as `remove` returned it. What nodes still tell of it is counted
 * in a row of its own, also where the account is not kept, since it counts against its reseller's allowance.
 */
export function keepDeleted(
  draft: Draft,
  writer: UserWriter,
  row: Readonly<UserRow>,
  usage: Readonly<UserUsageRow>,
  origin: Origin,
): void {
  const { id, adminId } = row;
  const days = writer.keptDays();
  const none = { up: 0, down: 0, upRest: 0, downRest: 0, onlineAt: 0 };
  draft.upsert(DeletedUsageRows, {
    id,
    adminId,
    ...none,
    countedAt: draft.now,
    keptUntil: draft.time + days * DAY_SECONDS,
  });
  if (days === 0) return;
  const { devices = [], refused = [] } = draft.find(UserDeviceRows, id) ?? {};
  draft.upsert(DeletedUserRows, {
    id,
    name: row.name,
    subId: row.subId,
    externalId: row.externalId ?? "",
    groupLabel: row.groupLabel,
    adminId,
    volume: row.volume,
    expiry: row.expiry,
    used: usage.up + usage.down,
    rev: row.rev,
    deletedAt: draft.time,
    deletedBy: origin.actor,
    account: { row, usage, devices, refused },
  });
}
