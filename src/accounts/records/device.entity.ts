// Tables of what fetches subscriptions: the devices of an account, and its last requests.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";

/** A program on a device, as its `x-hwid` names it. */
export interface Device {
  readonly hwid: string;
  readonly platform: string;
  readonly osVersion: string;
  readonly model: string;
  readonly userAgent: string;
  readonly ip: string;
  /** Unix seconds. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** A device for which there was no place, and when that was told last. */
export interface RefusedDevice {
  readonly hwid: string;
  readonly at: number;
}

/**
 * One row for all devices of an account: who holds the row decides about its places, and nobody else does meanwhile.
 */
export const UserDeviceRows = entity(
  defineEntity({
    name: "UserDevices",
    tableName: "user_devices",
    properties: {
      /** The account's id. */
      id: p.bigint("number").primary().autoincrement(false),
      devices: p.json<readonly Device[]>(),
      refused: p.json<readonly RefusedDevice[]>(),
    },
  }),
);
export type UserDeviceRow = RowOf<typeof UserDeviceRows>;

/** Requests against subscription URLs, the last of each account. */
export const SubRequestRows = entity(
  defineEntity({
    name: "SubRequest",
    tableName: "sub_requests",
    properties: {
      /** Given by the database. */
      id: p.bigint("number").primary(),
      userId: p.bigint("number"),
      /** Unix seconds. */
      at: p.bigint("number"),
      ip: p.text(),
      userAgent: p.text(),
      format: p.text(),
      hwid: p.text(),
      /** HTTP status of the answer. */
      status: p.bigint("number"),
    },
    indexes: [{ properties: ["userId", "id"] }],
  }),
);
