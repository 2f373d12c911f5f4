// Links: which identity at a provider signs in as which account.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";

export const OidcLinkRows = entity(
  defineEntity({
    name: "OidcLink",
    tableName: "oidc_links",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      adminId: p.bigint("number"),
      providerId: p.bigint("number"),
      /** The identity's subject at the provider, which never gives it to another identity. */
      subject: p.text(),
      /** For people to recognise the identity by; proves nothing. */
      email: p.text(),
      createdAt: p.bigint("number"),
      /** 0 = never. */
      lastUsedAt: p.bigint("number"),
    },
    uniques: [{ properties: ["providerId", "subject"] }],
    indexes: [{ properties: ["adminId"] }],
  }),
  { owned: true },
);
export type OidcLinkRow = RowOf<typeof OidcLinkRows>;
