// Table of the credentials that accounts hold: a row for each, so that no two accounts get one that engines would count
// as the same user. On SQLite the table has no row ids (migration `narrow_credentials`).
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const UserCredentialRows = entity(
  defineEntity({
    name: "UserCredential",
    tableName: "user_credentials",
    properties: {
      /** A keyed hash of kind and value, see `credential-keys.ts`. */
      id: p.text().primary(),
      /** The account that holds it; 0 = that account left it to the sharers. */
      userId: p.bigint("number"),
      /** How many further accounts have the same one, since before that was refused. */
      sharers: p.bigint("number"),
    },
    indexes: [{ name: "user_credentials_shared", properties: ["userId"], where: "sharers > 0" }],
  }),
);

/** The sharers: a row for each. */
export const SharedCredentialRows = entity(
  defineEntity({
    name: "SharedCredential",
    tableName: "shared_credentials",
    properties: {
      /** `credentialId:userId`. */
      id: p.text().primary(),
      credentialId: p.text(),
      userId: p.bigint("number"),
    },
    indexes: [{ properties: ["credentialId"] }],
  }),
);

/** How far the accounts that an older version left are entered: one row. */
export const CredentialEntryRows = entity(
  defineEntity({
    name: "CredentialEntry",
    tableName: "credential_entry",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      /** Accounts up to this id are. */
      upTo: p.bigint("number"),
    },
  }),
);
