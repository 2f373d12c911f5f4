// Backups as the panel takes them: archives of its database, and what they bring back.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { AnyFeature, Core, Ground, Opened } from "../feature/index.ts";
import type { Jobs } from "../jobs/index.ts";
import { hasDuty, onDutyMoved } from "../runtime/index.ts";
import { backupsEvents } from "./backups.events.ts";
import { backupsWords } from "./backups.words.ts";
import { pastKeeping } from "./schedule/due.ts";
import { readoutOf, type BackupReadout } from "./schedule/readout.ts";
import type { ScheduleKey } from "./schedule/schedule-settings.ts";
import { scheduleRoutes } from "./schedule/schedule.routes.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import { BackupFolder } from "./stored/backup-folder.ts";
import { backupWork } from "./stored/backup.work.ts";
import { sweepLeftovers } from "./stored/leftovers.ts";
import { BackupMaker } from "./stored/make-backup.ts";
import { BackupOrderRows } from "./stored/order.entity.ts";
import { BackupOutcomeRows } from "./stored/outcome.entity.ts";
import { BackupOutcomes } from "./stored/outcomes.ts";
import { storedRoutes } from "./stored/stored.routes.ts";

/** Archives, for the parts of this feature and for the panel's information. */
interface BackupsProvide {
  readonly backupFolder: BackupFolder;
  readonly backupMaker: BackupMaker;
  readonly backupOutcomes: BackupOutcomes;
  /** What `GET /panel/info` says of archives. Rejects where the folder cannot be read. */
  readonly backupReadout: () => Promise<BackupReadout>;
}

function provide(ground: Ground<ScheduleKey>): BackupsProvide {
  const { clock, database, environment, log, program, secretKey, settings } = ground;
  const backupOutcomes = new BackupOutcomes(database);
  const backupFolder = new BackupFolder({
    directory: () => folderOf(ground, settings.text("backup_dir")),
    rehearsed: backupOutcomes.rehearsed,
  });
  const backupMaker = new BackupMaker({
    folder: backupFolder,
    database,
    databaseUrl: environment.databaseUrl,
    version: program.version,
    secretKey,
    now: () => clock.now(),
    random: randomBytes,
    log,
  });
  const parts = { settings, folder: backupFolder, outcomes: backupOutcomes, now: () => clock.now() };
  return { backupFolder, backupMaker, backupOutcomes, backupReadout: () => readoutOf(parts) };
}

/** The folder that a value of `backup_dir` means. */
function folderOf({ environment }: Pick<Ground, "environment">, dir: string): string {
  return dir === "" ? join(environment.dataDirectory, "backups") : dir;
}

type BackupsCore = Core<ScheduleKey, keyof typeof backupsEvents | "panel.settings_changed">;
type BackupsNeeds = BackupsProvide & { readonly jobs: Jobs };

function open(core: BackupsCore, { backupFolder: folder, backupMaker, backupOutcomes: outcomes, jobs }: BackupsNeeds) {
  const { alone, clock, commits, environment, log, outbox, reads, secretKey, settings, shards, undo } = core;
  const now = () => clock.now();
  const { makeBackup } = backupMaker;
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
    // The place for what is done with each archive of the schedule: `schedule.rehearse` tries it out.
    made: async () => {},
    log,
  });
  undo.push(() => scheduler.stop());
  const sweep = (others: boolean) =>
    sweepLeftovers({
      directory: folder.directory,
      isLive: (path) => backupMaker.isLive(path),
      now: others ? now() : undefined,
    });
  return {
    routes: [
      ...storedRoutes({
        folder,
        maker: backupMaker,
        jobs,
        secretKey,
        ownPassphrase: () => settings.text("backup_passphrase"),
        now,
        random: randomBytes,
      }),
      ...scheduleRoutes({
        settings,
        folder,
        outcomes,
        outbox,
        secretKey,
        privatePlaces: environment.privatePlaces,
        folderOf: (dir) => folderOf(core, dir),
        now,
      }),
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

export const feature = {
  name: "backups",
  entities: [BackupOutcomeRows, BackupOrderRows],
  events: backupsEvents,
  words: backupsWords,
  provide,
  open,
} as const satisfies AnyFeature;
