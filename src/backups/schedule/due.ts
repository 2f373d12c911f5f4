// When the schedule's next archive is due, by what lies in the folder.
import type { BackupFile, BackupResult } from "../backup.schema.ts";
import { isOwnName, PRE_RESTORE } from "../stored/backup-names.ts";
import type { ScheduleValues } from "./schedule-settings.ts";

/** Well within the hour. */
const RETRY_SECONDS = 1800;

/** The newest archive of what the panel holds. `files`: newest first. What was before a restore is none. */
export function newestOf(files: readonly BackupFile[]): BackupFile | undefined {
  return files.find(({ name }) => !name.startsWith(PRE_RESTORE));
}

/**
 * Unix seconds; null while the schedule is off. Without any archive one is due now. A file from after `now` (the clock
 * was set back) counts as one of now: it must not put the next one off.
 */
export function dueAt(
  { enabled, intervalHours }: Pick<ScheduleValues, "enabled" | "intervalHours">,
  files: readonly BackupFile[],
  now: number,
): number | null {
  if (!enabled) return null;
  const newest = newestOf(files);
  return newest ? Math.min(newest.createdAt, now) + intervalHours * 3600 : now;
}

/**
 * When one that is due is made: a while after the last one was tried, so that one that fails is not tried without end,
 * nor one that the folder does not show.
 */
export function attemptAt(due: number, last: BackupResult | null, now: number): number {
  return last ? Math.max(due, Math.min(last.at, now) + RETRY_SECONDS) : due;
}

/** Archives that the retention deletes; 0 keeps all. People's own names and what was before a restore stay. */
export function pastKeeping(files: readonly BackupFile[], keep: number): BackupFile[] {
  return keep === 0 ? [] : files.filter(({ name }) => isOwnName(name)).slice(keep);
}
