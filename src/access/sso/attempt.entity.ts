// Unfinished sign-ins at a provider. They are rows, so that any process can finish what another one started.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";

export const OidcAttemptRows = entity(
  defineEntity({
    name: "OidcAttempt",
    tableName: "oidc_attempts",
    properties: {
      /** Hex SHA-256 of the state. */
      id: p.text().primary(),
      /** Hex SHA-256 of the browser's cookie `panel_oidc`. */
      browserHash: p.text(),
      providerId: p.bigint("number"),
      /** The provider's `updatedAt` when the attempt began. */
      providerVersion: p.bigint("number"),
      /** Its place among those waiting: source address and end. */
      source: p.text(),
      /** Unix seconds. */
      expiresAt: p.bigint("number"),
      remember: p.boolean(),
      /** Account and login that a link was started with; 0 for a sign-in. */
      adminId: p.bigint("number"),
      sessionId: p.bigint("number"),
      /** `AttemptSecrets`, sealed to this row. */
      secrets: sealedText(),
    },
    indexes: [{ properties: ["expiresAt"] }],
  }),
  { archive: "never" },
);
export type OidcAttemptRow = RowOf<typeof OidcAttemptRows>;

/** A place that an attempt holds until it ends. */
export interface WaitingPlace {
  readonly source: string;
  readonly until: number;
}

/** One row: the places of all attempts that wait. All limits are decided on it, so they hold over all processes. */
export const OidcWaitingRows = entity(
  defineEntity({
    name: "OidcWaiting",
    tableName: "oidc_waiting",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      places: p.json<WaitingPlace[]>(),
      /** Codes remembered in the present hour, and its beginning in Unix seconds. */
      codes: p.bigint("number").default(0),
      codesSince: p.bigint("number").default(0),
    },
  }),
  { archive: "never" },
);
export type OidcWaitingRow = RowOf<typeof OidcWaitingRows>;

/**
 * Authorization codes that came back, with the provider whose attempt each came back to: a code is good for attempts of
 * that provider alone (rule access.sso.15).
 */
export const OidcCodeRows = entity(
  defineEntity({
    name: "OidcCode",
    tableName: "oidc_codes",
    properties: {
      /** Hex SHA-256 of the code as `codeKey` spells it. */
      id: p.text().primary(),
      providerId: p.bigint("number"),
      /** Unix seconds. */
      expiresAt: p.bigint("number"),
    },
    indexes: [{ properties: ["expiresAt"] }],
  }),
  { archive: "never" },
);
