// Restores at work: their routes, what their errands do, and what the first start after one says.
import type { Core, Opened } from "../../feature/index.ts";
import { checkSetting, type Settings } from "../../system/index.ts";
import { Spool, type Uploads } from "../../uploads/index.ts";
import type { ScheduleKey } from "../schedule/schedule-settings.ts";
import type { BackupFolder } from "../stored/backup-folder.ts";
import type { MakeBackup } from "../stored/make-backup.ts";
import { restoreToTell } from "./first-start.ts";
import type { RestoreActor } from "./restore.actor.ts";
import type { RestoreRow } from "./restore.entity.ts";
import { restoreRoutes } from "./restore.routes.ts";
import { Restores } from "./restores.ts";

export type RestoreCore = Core<ScheduleKey, "panel.restore_applied"> & { readonly settings: Settings<ScheduleKey> };

/** What restores ask of other features. */
export interface RestoreNeeds {
  readonly uploads: Uploads;
  readonly nodeStops: { readonly standDown?: (nodeId: number, timeoutMs: number) => Promise<boolean> };
  readonly isSetUp: () => Promise<boolean>;
}

export interface RestoreParts {
  readonly folder: BackupFolder;
  readonly makeBackup: MakeBackup;
  readonly kind: RestoreActor;
}

export function openRestore(
  core: RestoreCore,
  { folder, makeBackup, kind }: RestoreParts,
  { uploads, nodeStops, isSetUp }: RestoreNeeds,
) {
  const { clock, database, entities, environment, log, outbox, reads, restart, secretKey, settings, supervisor } = core;
  const { dataDirectory, databaseUrl } = environment;
  const restores = new Restores({
    database,
    databaseUrl,
    dataDirectory,
    entities,
    restored: core.restores,
    secretKey,
    clock,
    log,
    supervisor,
    kind,
    uploads,
    spool: new Spool(dataDirectory),
    stored: (name) => folder.file(name),
    makeBackup,
    schedulePassphrase: () => settings.text("backup_passphrase"),
    standDown: async (nodeId, timeoutMs) => (await nodeStops.standDown?.(nodeId, timeoutMs)) ?? false,
  });
  core.undo.push(restores.onExchanged(restart));
  return {
    routes: restoreRoutes({
      restores,
      uploads,
      databaseUrl,
      findStored: (name) => folder.find(name),
      isSetUp,
      checkSetting: (key, value) => checkSetting(settings, key, value, key),
      restart,
    }),
    errands: { snapshot: restores.snapshot, build: restores.build, exchange: restores.exchange },
    follows: { ended: (draft, row: Readonly<RestoreRow>) => restores.left(draft, row) },
    serves: { restoreToTell: () => restoreToTell({ reads, outbox }) },
  } satisfies Opened;
}
