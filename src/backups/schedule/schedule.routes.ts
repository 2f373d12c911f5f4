// The schedule of archives: what holds, and how it is changed (rules backups.schedule).
import { lock } from "../../db/index.ts";
import { invalid, route, rule, type Route } from "../../http/index.ts";
import { checkSetting, SettingRows, writeSetting, type WriteDeps } from "../../system/index.ts";
import { BackupSchedule } from "../backup.schema.ts";
import type { BackupFolder } from "../stored/backup-folder.ts";
import type { BackupOutcomes } from "../stored/outcomes.ts";
import { dueAt } from "./due.ts";
import { hoursOf, scheduleOf, type ScheduleKey, type ScheduleValues } from "./schedule-settings.ts";
import { BackupScheduleUpdate } from "./schedule.schema.ts";
import type { SettingsReader } from "../../feature/index.ts";

export interface ScheduleRoutesDeps extends Omit<WriteDeps, "settings"> {
  readonly settings: SettingsReader<ScheduleKey>;
  readonly folder: BackupFolder;
  readonly outcomes: BackupOutcomes;
  /** The folder that a value of `dir` means. */
  readonly folderOf: (dir: string) => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function scheduleRoutes(deps: ScheduleRoutesDeps): Route[] {
  const { settings, folder, outcomes, folderOf, now } = deps;
  const viewOf = async (values: ScheduleValues) => {
    const files = values.enabled ? await folder.list(folderOf(values.dir)) : [];
    const nextDue = dueAt(values, files, Math.floor(now() / 1000));
    return { ...values, nextDue, lastResult: await outcomes.last() };
  };
  return [
    route({
      method: "GET",
      path: "/backups/schedule",
      scope: "backup:read",
      tiers: ["sudo"],
      summary: "The schedule of archives",
      answer: BackupSchedule,
      handle: () => viewOf(scheduleOf(settings)),
    }),
    route({
      method: "PUT",
      path: "/backups/schedule",
      scope: "backup:write",
      tiers: ["sudo"],
      summary: "Change the schedule of archives",
      description:
        "What is null or left out stays. The folder and the passphrase hold at once, the rest from the next hourly look on. Without an archive the first one is due then.",
      body: BackupScheduleUpdate,
      answer: BackupSchedule,
      statuses: [400],
      audit: { key: "backups", action: "update" },
      handle: async ({ body, commit, origin }) => {
        const written = writtenOf(deps, body);
        const before = scheduleOf(settings);
        const after = changedBy(body, { ...before, dir: new Map(written).get("backup_dir") ?? before.dir });
        const view = await viewOf(after);
        return commit({
          locks: written.map(([key]) => lock(SettingRows, key)),
          decide(draft) {
            for (const [key, value] of written) writeSetting(draft, deps, { key, value, origin });
            return { answer: view, audit: { entityId: "schedule", before, after } };
          },
        });
      },
    }),
  ];
}

/** Settings that a body writes. Throws 400. */
function writtenOf({ settings }: ScheduleRoutesDeps, body: BackupScheduleUpdate): [ScheduleKey, string][] {
  const clears = body.clearPassphrase === true;
  const passphrase = body.passphrase ?? "";
  if (clears && passphrase !== "") invalid("passphrase", rule("not_with", "clearPassphrase"));
  const asked: Record<ScheduleKey, readonly [field: string, value: string | number | boolean | null | undefined]> = {
    backup_enabled: ["enabled", body.enabled],
    backup_interval_hours: ["intervalHours", body.intervalHours],
    backup_dir: ["dir", body.dir],
    backup_keep: ["keep", body.keep],
    backup_include_history: ["includeHistory", body.includeHistory],
    backup_include_audit: ["includeAudit", body.includeAudit],
    backup_rehearse: ["rehearse", body.rehearse],
    backup_passphrase: ["passphrase", clears ? "" : passphrase || undefined],
  };
  return Object.entries(asked).flatMap(([key, [field, value]]): [ScheduleKey, string][] => {
    if (value === undefined || value === null) return [];
    // `asked` has no other keys.
    return [[key as ScheduleKey, checkSetting(settings, key, String(value), field)]];
  });
}

function changedBy(body: BackupScheduleUpdate, before: ScheduleValues): ScheduleValues {
  const { enabled, intervalHours, keep, includeHistory, includeAudit, rehearse } = body;
  return {
    enabled: enabled ?? before.enabled,
    intervalHours:
      intervalHours === undefined || intervalHours === null ? before.intervalHours : hoursOf(intervalHours),
    dir: before.dir,
    keep: keep ?? before.keep,
    includeHistory: includeHistory ?? before.includeHistory,
    includeAudit: includeAudit ?? before.includeAudit,
    rehearse: rehearse ?? before.rehearse,
    passphraseSet: body.clearPassphrase === true ? false : before.passphraseSet || (body.passphrase ?? "") !== "",
  };
}
