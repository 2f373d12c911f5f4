// The schedule of archives as settings say it.
import type { SettingsReader } from "../../feature/index.ts";

export const SCHEDULE_KEYS = [
  "backup_enabled",
  "backup_interval_hours",
  "backup_dir",
  "backup_keep",
  "backup_include_history",
  "backup_include_audit",
  "backup_rehearse",
  "backup_passphrase",
] as const;
export type ScheduleKey = (typeof SCHEDULE_KEYS)[number];

/** What an interval of 0 means. */
const DAILY = 24;
/** A year. */
export const MOST_HOURS = 8760;

export interface ScheduleValues {
  readonly enabled: boolean;
  readonly intervalHours: number;
  /** Empty: the default one. */
  readonly dir: string;
  /** 0: all are kept. */
  readonly keep: number;
  readonly includeHistory: boolean;
  readonly includeAudit: boolean;
  readonly rehearse: boolean;
  readonly passphraseSet: boolean;
}

export function scheduleOf(settings: SettingsReader<ScheduleKey>): ScheduleValues {
  return {
    enabled: settings.flag("backup_enabled"),
    intervalHours: hoursOf(settings.number("backup_interval_hours")),
    dir: settings.text("backup_dir"),
    keep: settings.number("backup_keep"),
    includeHistory: settings.flag("backup_include_history"),
    includeAudit: settings.flag("backup_include_audit"),
    rehearse: settings.flag("backup_rehearse"),
    passphraseSet: settings.text("backup_passphrase") !== "",
  };
}

/** The interval that a stored number means. */
export function hoursOf(stored: number): number {
  return stored === 0 ? DAILY : stored;
}
