// Logins and API tokens. Of a credential only its SHA-256 is stored.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";

export const SessionRows = entity(
  defineEntity({
    name: "Session",
    tableName: "sessions",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      /** Hex SHA-256 of the cookie's value. */
      hash: p.text().unique(),
      adminId: p.bigint("number"),
      /** What it was issued with; a later widening of the role does not reach it. */
      scopes: p.json<string[]>(),
      createdAt: p.bigint("number"),
      lastSeenAt: p.bigint("number"),
      /** When it is forgotten: its lifetime after `lastSeenAt`. */
      expiresAt: p.bigint("number"),
      ip: p.text(),
      userAgent: p.text(),
      remember: p.boolean(),
      /** `password` or `oidc`. */
      via: p.text().$type<"password" | "oidc">(),
      /** Unix seconds until which the second factor is fresh; 0 = never presented. */
      confirmedUntil: p.bigint("number"),
      /** The sealed seed of an unfinished two-factor enrolment; empty without one. */
      enrolment: sealedText(),
      /** The process run that began the enrolment: it ends with that run. */
      enrolmentBoot: p.text(),
    },
    indexes: [{ properties: ["adminId"] }, { properties: ["expiresAt"] }],
  }),
  { owned: true, archive: "never" },
);
export type SessionRow = RowOf<typeof SessionRows>;

export const ApiTokenRows = entity(
  defineEntity({
    name: "ApiToken",
    tableName: "api_tokens",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      hash: p.text().unique(),
      description: p.text(),
      adminId: p.bigint("number"),
      roleId: p.bigint("number"),
      /** Empty = every route that the role allows. */
      scopes: p.json<string[]>(),
      /** Addon that holds it; empty = none. */
      addon: p.text(),
      /** Requests per minute, 0 = the panel's default. */
      rateLimit: p.bigint("number"),
      expiry: p.bigint("number"),
      lastUsedAt: p.bigint("number"),
      lastUsedIp: p.text(),
      createdAt: p.bigint("number"),
    },
    indexes: [{ properties: ["adminId"] }],
  }),
  { owned: true },
);
export type ApiTokenRow = RowOf<typeof ApiTokenRows>;
