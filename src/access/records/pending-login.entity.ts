// Sign-ins whose password (or identity provider) was accepted and that wait for their second factor (rules access.mfa).
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";
import type { SessionRow } from "./credential.entity.ts";

export const PendingLoginRows = entity(
  defineEntity({
    name: "PendingLogin",
    tableName: "pending_logins",
    properties: {
      /** Hex SHA-256 of the pending token. */
      id: p.text().primary(),
      adminId: p.bigint("number"),
      /** `updatedAt` of the account as it was proven: an account that was changed since is proven again. */
      adminVersion: p.bigint("number"),
      via: p.text().$type<SessionRow["via"]>(),
      remember: p.boolean(),
      /** The process run that gave it out: it ends with that run. */
      boot: p.text(),
      /** Codes that were looked at, or are being looked at. */
      tries: p.integer().default(0),
      expiresAt: p.bigint("number"),
    },
    indexes: [{ properties: ["adminId"] }, { properties: ["expiresAt"] }],
  }),
  { owned: true, archive: "never" },
);
export type PendingLoginRow = RowOf<typeof PendingLoginRows>;
