// Backups as the panel takes them: archives of its database, and what they bring back.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { AnyFeature, Ground, KindPorts, Opened } from "../feature/index.ts";
import type { Jobs } from "../jobs/index.ts";
import { backupsEvents } from "./backups.events.ts";
import { backupsWords } from "./backups.words.ts";
import { openLoad } from "./load/open-load.ts";
import { RESTORED } from "./restore/exchange.ts";
import { appliedRestore, type ToldRestore } from "./restore/first-start.ts";
import { openRestore, type RestoreCore, type RestoreNeeds } from "./restore/open-restore.ts";
import { defineRestoreActor, type RestoreActor } from "./restore/restore.actor.ts";
import { RestoreRows, type RestoreRow } from "./restore/restore.entity.ts";
import { readoutOf, type BackupReadout } from "./schedule/readout.ts";
import type { ScheduleKey } from "./schedule/schedule-settings.ts";
import { BackupFolder } from "./stored/backup-folder.ts";
import { BackupMaker } from "./stored/make-backup.ts";
import { openStored, type StoredCore } from "./stored/open-stored.ts";
import { BackupOrderRows } from "./stored/order.entity.ts";
import { BackupOutcomeRows } from "./stored/outcome.entity.ts";
import { BackupOutcomes } from "./stored/outcomes.ts";

/** Archives, for the parts of this feature and for the panel's information. */
interface BackupsProvide {
  readonly backupFolder: BackupFolder;
  readonly backupMaker: BackupMaker;
  readonly backupOutcomes: BackupOutcomes;
  /** What `GET /panel/info` says of archives. Rejects where the folder cannot be read. */
  readonly backupReadout: () => Promise<BackupReadout>;
  /** Local nodes of another machine, which a restore brought; none once the panel has said that it was applied. */
  readonly foreignNodes: () => Promise<readonly number[]>;
}

function provide(ground: Ground<ScheduleKey>): BackupsProvide {
  const { clock, database, environment, log, program, reads, secretKey, settings } = ground;
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
  return {
    backupFolder,
    backupMaker,
    backupOutcomes,
    backupReadout: () => readoutOf(parts),
    foreignNodes: async () => (await appliedRestore(reads))?.foreignNodes ?? [],
  };
}

/** The folder that a value of `backup_dir` means. */
function folderOf({ environment }: Pick<Ground, "environment">, dir: string): string {
  return dir === "" ? join(environment.dataDirectory, "backups") : dir;
}

function kinds({ errand, follow }: KindPorts): { restore: RestoreActor } {
  const [snapshot, build, exchange] = [errand("snapshot"), errand("build"), errand("exchange")];
  return { restore: defineRestoreActor({ snapshot, build, exchange, ended: follow<RestoreRow>("ended") }) };
}

type BackupsNeeds = BackupsProvide & RestoreNeeds & { readonly jobs: Jobs };

interface BackupsServe {
  /** What the first start after a restore says. */
  readonly restoreToTell: () => Promise<ToldRestore | undefined>;
}

function open(core: StoredCore & RestoreCore, needs: BackupsNeeds, { restore: kind }: { restore: RestoreActor }) {
  const { backupFolder: folder, backupMaker: maker, backupOutcomes: outcomes, jobs, uploads } = needs;
  const load = openLoad(core, { folder, outcomes, uploads });
  const restore = openRestore(core, { folder, makeBackup: maker.makeBackup, kind }, needs);
  const stored = openStored(core, {
    folder,
    maker,
    outcomes,
    jobs,
    folderOf: (dir) => folderOf(core, dir),
    async made({ name }, { rehearse }) {
      if (!rehearse) return "";
      const { ok, warnings } = await load.rehearsals.rehearse(name, core.settings.text("backup_passphrase"));
      return ok ? "" : `${name} was tried out, and could not be restored: ${warnings[0] ?? "it is not known why"}`;
    },
  });
  return {
    ...restore,
    routes: [...stored.routes, ...load.opened.routes, ...restore.routes],
    prepare: () => Promise.all([stored.prepare(), load.opened.prepare()]),
    start: stored.start,
    hourly: () => stored.hourly(),
  } satisfies Opened<BackupsServe>;
}

export const feature = {
  name: "backups",
  entities: [BackupOutcomeRows, BackupOrderRows, RestoreRows],
  echo: { facts: [RESTORED] },
  events: backupsEvents,
  words: backupsWords,
  kinds,
  provide,
  open,
} as const satisfies AnyFeature;
