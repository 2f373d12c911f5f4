// Idempotency records: the claim of a running request (where several processes share a database) and the stored answer
// (rules http.key).
import { defineEntity, p } from "@mikro-orm/core";
import { entity, partlySealedText, type RowOf } from "../../db/index.ts";

export const ClaimRows = entity(
  defineEntity({
    name: "IdempotencyRecord",
    tableName: "idempotency_records",
    properties: {
      /** SHA-256 of caller and key. */
      id: p.text().primary(),
      /** Digest of method, path, query string and body. */
      fingerprint: p.text(),
      /** `running` or `done`. */
      state: p.text(),
      /** The process run that claimed it, and which of its claims. */
      boot: p.text(),
      claim: p.text(),
      /** Unix milliseconds. */
      claimedAt: p.bigint("number"),
      /** 0: carried out, and its answer is no longer kept. */
      status: p.integer(),
      /** The answer's bytes as text; sealed where the route says so. */
      body: partlySealedText(),
      /** The account whose answers it counts among, and the bytes of this one (rule http.key.10). */
      account: p.bigint("number").default(0),
      size: p.integer().default(0),
    },
    indexes: [{ properties: ["account", "claimedAt"] }],
  }),
  { archive: "never" },
);
export type ClaimRow = RowOf<typeof ClaimRows>;
