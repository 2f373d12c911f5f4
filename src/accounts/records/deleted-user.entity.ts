// Accounts that were deleted and can come back, in a table that nothing else reads.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import type { Device, RefusedDevice } from "./device.entity.ts";
import type { UserRow, UserUsageRow } from "./user.entity.ts";

/** As it is stored. A panel that is newer than the deletion finds columns missing, or some that it no longer has. */
export interface KeptAccount {
  readonly row: Partial<UserRow>;
  readonly usage: Partial<UserUsageRow>;
  readonly devices: readonly Device[];
  readonly refused: readonly RefusedDevice[];
}

export const DeletedUserRows = entity(
  defineEntity({
    name: "DeletedUser",
    tableName: "deleted_users",
    properties: {
      /** The account's id: it comes back under the same. */
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      subId: p.text(),
      /** Empty = none. */
      externalId: p.text(),
      groupLabel: p.text(),
      /** Owner of the account when it was deleted; 0 = the panel, also when its reseller is gone. */
      adminId: p.bigint("number"),
      volume: p.bigint("number"),
      expiry: p.bigint("number"),
      /** Bytes since the last reset, as counted when it was deleted. */
      used: p.bigint("number"),
      /** The actor's revision at its end: each deletion of an account has another one. */
      rev: p.bigint("number"),
      /** Unix seconds. */
      deletedAt: p.bigint("number"),
      deletedBy: p.text(),
      account: p.json<KeptAccount>(),
    },
    indexes: [{ properties: ["adminId", "id"] }, { properties: ["deletedAt", "id"] }],
  }),
);
export type DeletedUserRow = RowOf<typeof DeletedUserRows>;
