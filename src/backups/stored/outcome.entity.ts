// What came of archives: how the last one of the schedule went, and how those went that were tried out. Of this panel
// and its folder, so no archive has it.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../../db/index.ts";

export const BackupOutcomeRows = entity(
  defineEntity({
    name: "BackupOutcome",
    tableName: "backup_outcomes",
    properties: {
      /** `schedule`, or `rehearsal:<name>`. */
      id: p.text().primary(),
      /** Unix seconds. */
      at: p.bigint("number"),
      ok: p.boolean(),
      /** Empty where it went well. */
      error: p.text(),
      /** The archive's; empty where there is none. */
      name: p.text(),
      size: p.bigint("number"),
    },
  }),
  { archive: "never" },
);
export type BackupOutcomeRow = RowOf<typeof BackupOutcomeRows>;
