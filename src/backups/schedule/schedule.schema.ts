// What is asked of the schedule.
import { z } from "zod";
import { MOST_HOURS } from "./schedule-settings.ts";

/** What is null or left out stays as it is. */
export const BackupScheduleUpdate = z
  .object({
    enabled: z.boolean().nullish(),
    intervalHours: z.int().min(0).max(MOST_HOURS).nullish(),
    dir: z.string().nullish(),
    keep: z.int().min(0).max(1_000_000).nullish(),
    includeHistory: z.boolean().nullish(),
    includeAudit: z.boolean().nullish(),
    passphrase: z.string().max(1024).nullish(),
    clearPassphrase: z.boolean().nullish(),
    rehearse: z.boolean().nullish(),
  })
  .meta({ id: "BackupScheduleUpdate" });
export type BackupScheduleUpdate = z.output<typeof BackupScheduleUpdate>;
