// Certificates that the panel holds. For now its own listener's, self-signed.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../db/index.ts";

export const CertificateRows = entity(
  defineEntity({
    name: "Certificate",
    tableName: "certificates",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      /** `self_signed`. */
      type: p.text(),
      sans: p.json<string[]>(),
      /** Unix seconds. */
      notBefore: p.bigint("number"),
      notAfter: p.bigint("number"),
      /** PEM chain. */
      certificate: p.text(),
      /** PEM, sealed. */
      privateKey: sealedText(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type CertificateRow = RowOf<typeof CertificateRows>;
