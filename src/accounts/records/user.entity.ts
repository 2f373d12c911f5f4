// Tables of user accounts: the account, and its counters apart from it in a narrow table that usage is added to set by
// set.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import type { OwnCredentials } from "../../lib/own-credentials.ts";
import { actorColumns, actorIndexes } from "../../runtime/index.ts";

/** Credentials of an account (rule users.create.1). Parts beyond these are kept as they came. */
export interface UserCredentials {
  uuid: string;
  password: string;
  ss16: string;
  ss32: string;
  flow?: string;
  /** For one protocol alone; read with `storedOwn`, since older versions took anything. */
  by?: OwnCredentials;
  [part: string]: unknown;
}

export const UserRows = entity(
  defineEntity({
    name: "User",
    tableName: "users",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      ...actorColumns(),
      name: p.text().unique(),
      /** On or off; written by the chart. */
      enable: p.boolean(),
      disabledReason: p.text(),
      config: p.json<UserCredentials>(),
      description: p.text(),
      /** Null where there are no pairs. */
      contact: p.json<Record<string, string>>().nullable(),
      /** The values of `contact`, one a line: what free text searches. */
      contactText: p.text(),
      subToken: p.text().unique(),
      subId: p.text().unique(),
      /** A shop's own reference; null = none. */
      externalId: p.text().nullable().unique(),
      remark: p.text(),
      volume: p.bigint("number"),
      speedLimit: p.bigint("number"),
      ipLimit: p.bigint("number"),
      deviceLimit: p.bigint("number"),
      expiry: p.bigint("number"),
      duration: p.bigint("number"),
      /**
       * Seconds by which a renewal extends the account, known only where they were sold: by a plan, a `duration`,
       * `termDays`, or the `days` of a renewal. 0 = nobody said.
       */
      term: p.bigint("number"),
      activatedAt: p.bigint("number"),
      /** Bytes in all (`totalUp + totalDown`) when the plan was armed: traffic past it starts the plan. */
      armedTotal: p.bigint("number"),
      subFetchedAt: p.bigint("number"),
      subSeenAt: p.bigint("number"),
      subClient: p.text(),
      subFetchIp: p.text(),
      autoReset: p.boolean(),
      resetDays: p.bigint("number"),
      resetPeriod: p.text(),
      resetStartDay: p.bigint("number"),
      resetStartMonth: p.bigint("number"),
      resetCalendar: p.text(),
      nextReset: p.bigint("number"),
      groupLabel: p.text(),
      /** Owning reseller, 0 = the panel. */
      adminId: p.bigint("number"),
      allTemplates: p.boolean(),
      templateIds: p.json<number[]>(),
      /** The only inbounds of its templates that the account may use, in order of their ids; null: all of them. */
      inboundIds: p.json<number[]>().nullable(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
    indexes: [
      ...actorIndexes("users"),
      { properties: ["adminId", "id"] },
      { properties: ["groupLabel"] },
      // With the id, so that the list is sorted and skipped by the index alone.
      // And the state, so that those that will expire are counted by it alone.
      { properties: ["expiry", "id", "mstate"] },
      { properties: ["createdAt", "id"] },
      { properties: ["updatedAt", "id"] },
      // Accounts with inbounds of their own, for the moment when an inbound goes. The others cost it nothing.
      { name: "users_inbounds", properties: ["id"], where: "inbound_ids is not null" },
    ],
  }),
);
export type UserRow = RowOf<typeof UserRows>;

export const UserUsageRows = entity(
  defineEntity({
    name: "UserUsage",
    tableName: "user_usage",
    properties: {
      /** The user's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** The account's owner, as in its record: whose allowance its usage counts against. Kept by the actor. */
      adminId: p.bigint("number").default(0),
      /** Bytes since the last reset, multiplier applied. */
      up: p.bigint("number"),
      down: p.bigint("number"),
      /** Bytes in all. */
      totalUp: p.bigint("number"),
      totalDown: p.bigint("number"),
      /** What multiplying left over, in millionths of a byte: nothing is rounded away. */
      upRest: p.bigint("number"),
      downRest: p.bigint("number"),
      /** Unix seconds of the last traffic. */
      onlineAt: p.bigint("number"),
      /** Inbound of the last traffic, 0 = none yet. */
      lastInboundId: p.bigint("number"),
      /**
       * `up + down` from which the account's actor must look (volume reached, first traffic); null = never. Kept by the
       * actor.
       */
      wakeAt: p.bigint("number").nullable(),
      /** Unix microseconds of the last change: the cursor of `GET /users/usage`. */
      movedAt: p.bigint("number"),
      /**
       * Unix microseconds of the last change by a command (creation, reset), 0 = none. What traffic moves is in
       * `usage_moves`.
       */
      setAt: p.bigint("number"),
    },
    // None on what every batch of usage changes: a random page of each index for each user would cost more than the
    // counting.
    indexes: [{ properties: ["setAt"] }],
  }),
);
export type UserUsageRow = RowOf<typeof UserUsageRows>;

/**
 * Usage that nodes reported after an account was deleted, as `user_usage` would have counted it. A deletion makes the
 * row, and a restoration adds it to the counters and deletes it. It is kept as long as late usage counts, or the
 * deleted account.
 */
export const DeletedUsageRows = entity(
  defineEntity({
    name: "DeletedUsage",
    tableName: "deleted_usage",
    properties: {
      /** The deleted account's id. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Owner whose allowance it counts against; 0 = nobody. */
      adminId: p.bigint("number").default(0),
      /** Bytes, multiplier applied. */
      up: p.bigint("number"),
      down: p.bigint("number"),
      /** Millionths of a byte. */
      upRest: p.bigint("number"),
      downRest: p.bigint("number"),
      /** Unix seconds of the last traffic. */
      onlineAt: p.bigint("number"),
      /** Unix milliseconds of the deletion, then of the last batch. */
      countedAt: p.bigint("number"),
      /** Unix seconds until which the deleted account may come back. */
      keptUntil: p.bigint("number").default(0),
    },
    indexes: [{ properties: ["countedAt"] }],
  }),
);

/**
 * The users whose counters moved by usage: a row for each transaction that counted. Rows stay for the minutes that
 * `moves.queries.ts` asks about. `fleet/usage/usage.ts` writes them.
 */
export const UsageMoveRows = entity(
  defineEntity({
    name: "UsageMove",
    tableName: "usage_moves",
    properties: {
      /** Given by the database. */
      id: p.bigint("number").primary(),
      /** The transaction's moment: `movedAt` of all its users. */
      movedAt: p.bigint("number"),
      /** How many users. */
      size: p.bigint("number"),
      /** Their ids, in order, with commas between. */
      users: p.text(),
    },
    indexes: [{ properties: ["movedAt"] }],
  }),
);
