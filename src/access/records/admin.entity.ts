// Operators and their roles.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";
import type { Tier } from "../../http/index.ts";

export const RoleRows = entity(
  defineEntity({
    name: "Role",
    tableName: "roles",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text().unique(),
      base: p.text().$type<Tier>(),
      builtin: p.boolean(),
      description: p.text(),
      scopes: p.json<string[]>(),
      /** Caps (rules users.owner); 0 = none. */
      userLimit: p.bigint("number"),
      maxDeviceLimit: p.bigint("number"),
      maxDuration: p.bigint("number"),
      /** Moves whenever an account or token takes the role, so that a deletion decided on older holders is noticed. */
      assignments: p.bigint("number"),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type RoleRow = RowOf<typeof RoleRows>;

export const AdminRows = entity(
  defineEntity({
    name: "Admin",
    tableName: "admins",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      username: p.text(),
      /** The username in lower case: unique without regard to case. */
      usernameKey: p.text().unique(),
      /** argon2id, PHC text. */
      passwordHash: p.text(),
      roleId: p.bigint("number"),
      owner: p.boolean(),
      /** Reseller's allowance in bytes, 0 = unlimited. */
      volume: p.bigint("number"),
      /** ResalePeriod: empty, weekly, monthly, yearly. */
      period: p.text(),
      periodDay: p.integer(),
      /** Unix seconds; 0 without a period. */
      periodStart: p.bigint("number"),
      nextReset: p.bigint("number"),
      expiry: p.bigint("number"),
      userLimit: p.bigint("number"),
      plansOnly: p.boolean(),
      planIds: p.json<number[]>(),
      usersReadOnly: p.boolean(),
      /** Since when two-factor is on, Unix seconds; 0 = off. */
      twoFactorAt: p.bigint("number"),
      /** The seed of its codes, sealed; empty while it is off. */
      totpSeed: sealedText(),
      /** Time steps of the codes accepted last: each is accepted once. */
      totpUsed: p.json<number[]>(),
      /** SHA-256 of the recovery codes that are left. */
      recoveryHashes: p.json<string[]>(),
      /** Null = never chosen. */
      dashboardTiles: p.text().nullable(),
      lastLoginAt: p.bigint("number"),
      lastLoginIp: p.text(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
    indexes: [{ properties: ["roleId"] }],
  }),
);
export type AdminRow = RowOf<typeof AdminRows>;
