// The audit log, and the attempts that login protection counts: by address, and codes by account.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import type { Origin } from "../../lib/origin.ts";

export const ChangeRows = entity(
  defineEntity({
    name: "Change",
    tableName: "changes",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      time: p.bigint("number"),
      actor: p.text(),
      adminId: p.bigint("number"),
      via: p.text().$type<Origin["via"]>(),
      tokenId: p.bigint("number"),
      ip: p.text(),
      /** The wire's `key`: name of the collection. */
      collection: p.text(),
      entityId: p.text(),
      action: p.text(),
      obj: p.json<Record<string, unknown>>(),
    },
    indexes: [
      // The log's order: ids of two processes are not in the order of time.
      { properties: ["time", "id"] },
      // What it is filtered by, in that order; and the distinct values are found by steps along these.
      { properties: ["actor", "time", "id"] },
      { properties: ["collection", "time", "id"] },
      { properties: ["action", "time", "id"] },
      { properties: ["entityId", "time", "id"] },
    ],
  }),
  { archive: "audit" },
);
export type ChangeRow = RowOf<typeof ChangeRows>;

export const LoginAttemptRows = entity(
  defineEntity({
    name: "LoginAttempt",
    tableName: "login_attempts",
    properties: {
      /** The source: an IPv4 address or an IPv6 /64. */
      id: p.text().primary(),
      /** Unix seconds of refused attempts within the window. */
      refusedAt: p.json<number[]>(),
      /** Unix seconds; 0 = not banned. */
      bannedUntil: p.bigint("number"),
      /** Why the last ban was given, and after how many attempts. */
      banReason: p.text().default(""),
      banAttempts: p.integer().default(0),
      updatedAt: p.bigint("number"),
    },
  }),
  { archive: "never" },
);
export type LoginAttemptRow = RowOf<typeof LoginAttemptRows>;

export const CodeAttemptRows = entity(
  defineEntity({
    name: "CodeAttempt",
    tableName: "code_attempts",
    properties: {
      /** The account. */
      id: p.bigint("number").primary().autoincrement(false),
      /** Unix seconds of its codes of the last hour that were not right, those being looked at included. */
      triedAt: p.json<number[]>(),
      /** Unix milliseconds at which the last attempt that waits in each lane is looked at. */
      knownAt: p.bigint("number"),
      strangerAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
  { owned: true, archive: "never" },
);
export type CodeAttemptRow = RowOf<typeof CodeAttemptRows>;
