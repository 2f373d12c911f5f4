// Archives at a glance, for the panel's information.
import type { SettingsReader } from "../../feature/index.ts";
import type { BackupResult } from "../backup.schema.ts";
import type { BackupFolder } from "../stored/backup-folder.ts";
import type { BackupOutcomes } from "../stored/outcomes.ts";
import { dueAt, newestOf } from "./due.ts";
import { scheduleOf, type ScheduleKey } from "./schedule-settings.ts";

export interface BackupReadout {
  /** Whether the schedule is on. */
  readonly enabled: boolean;
  /** Unix seconds of the newest archive; null: there is none. */
  readonly lastAt: number | null;
  /** How the last archive of the schedule went. */
  readonly lastResult: BackupResult | null;
  /** Null while the schedule is off. */
  readonly nextDue: number | null;
  /** Why the last archive of the schedule was not made; empty while nothing is wrong. */
  readonly error: string;
}

export interface ReadoutDeps {
  readonly settings: SettingsReader<ScheduleKey>;
  readonly folder: BackupFolder;
  readonly outcomes: BackupOutcomes;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Rejects where the folder cannot be read. */
export async function readoutOf({ settings, folder, outcomes, now }: ReadoutDeps): Promise<BackupReadout> {
  const schedule = scheduleOf(settings);
  const [files, lastResult] = await Promise.all([folder.list(), outcomes.last()]);
  return {
    enabled: schedule.enabled,
    lastAt: newestOf(files)?.createdAt ?? null,
    lastResult,
    nextDue: dueAt(schedule, files, Math.floor(now() / 1000)),
    error: lastResult?.error ?? "",
  };
}
