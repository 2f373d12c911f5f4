// What a job that makes an archive was asked for and its row may not hold: the passphrase, sealed, until the job ends.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../../db/index.ts";

export const BackupOrderRows = entity(
  defineEntity({
    name: "BackupOrder",
    tableName: "backup_orders",
    properties: {
      /** The job's. */
      id: p.bigint("number").primary().autoincrement(false),
      passphrase: sealedText(),
    },
  }),
  { owned: true, archive: "never" },
);
export type BackupOrderRow = RowOf<typeof BackupOrderRows>;
