// Stored archives and their schedule at work: routes, the job that makes one, what is made when it is due, and what is
// deleted.
import { randomBytes } from "node:crypto";
import type { Core, Opened } from "../../feature/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { hasDuty, onDutyMoved } from "../../runtime/index.ts";
import { pastKeeping } from "../schedule/due.ts";
import type { ScheduleKey } from "../schedule/schedule-settings.ts";
import { scheduleRoutes } from "../schedule/schedule.routes.ts";
import { Scheduler, type ScheduleEvent, type SchedulerDeps } from "../schedule/scheduler.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { backupWork } from "./backup.work.ts";
import { sweepLeftovers } from "./leftovers.ts";
import type { BackupMaker } from "./make-backup.ts";
import type { BackupOutcomes } from "./outcomes.ts";
import { storedRoutes } from "./stored.routes.ts";

export type StoredCore = Core<ScheduleKey, ScheduleEvent | "panel.settings_changed">;

export interface StoredParts {
  readonly folder: BackupFolder;
  readonly maker: BackupMaker;
  readonly outcomes: BackupOutcomes;
  readonly jobs: Jobs;
  /** The folder that a value of `dir` means. */
  readonly folderOf: (dir: string) => string;
  /** What is done with an archive of the schedule once it is there. */
  readonly made: SchedulerDeps["made"];
}

export function openStored(core: StoredCore, { folder, maker, outcomes, jobs, folderOf, made }: StoredParts) {
  const { alone, clock, commits, environment, log, outbox, reads, secretKey, settings, shards, undo } = core;
  const now = () => clock.now();
  const { makeBackup } = maker;
  const { work, stop } = backupWork({
    commits,
    reads,
    folder,
    makeBackup,
    secretKey,
    onError: (error) => log.warn({ err: error }, "a backup that a job makes failed"),
  });
  jobs.register(work);
  undo.push(stop);
  const scheduler = new Scheduler({
    clock,
    commits,
    folder,
    makeBackup,
    outcomes,
    outbox,
    settings,
    holds: () => hasDuty(shards, "backups.schedule"),
    onMoved: (moved) => onDutyMoved(shards, "backups.schedule", moved),
    made,
    log,
  });
  undo.push(() => scheduler.stop());
  const sweep = (others: boolean) =>
    sweepLeftovers({
      directory: folder.directory,
      isLive: (path) => maker.isLive(path),
      now: others ? now() : undefined,
    });
  const ownPassphrase = () => settings.text("backup_passphrase");
  const { privatePlaces } = environment;
  return {
    routes: [
      ...storedRoutes({ folder, maker, jobs, secretKey, ownPassphrase, now, random: randomBytes }),
      ...scheduleRoutes({ settings, folder, outcomes, outbox, secretKey, privatePlaces, folderOf, now }),
    ],
    async prepare() {
      try {
        await sweep(!alone);
      } catch (error) {
        log.warn({ err: error }, "the folder of backups cannot be read");
      }
    },
    start: () => scheduler.start(),
    async hourly() {
      await sweep(true);
      const files = await folder.list();
      const past = pastKeeping(files, settings.number("backup_keep"));
      for (const { name } of past) await folder.remove(name);
      if (past.length > 0) log.info({ names: past.map(({ name }) => name) }, "backups past their number were deleted");
      await outcomes.forget(new Set(files.map(({ name }) => name)), Math.floor(now() / 1000));
    },
  } satisfies Opened;
}
