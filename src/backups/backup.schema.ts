// Backups on the wire: the manifest and what is said of an archive, of the schedule, and of a restore.
import { z } from "zod";
import { count, unixTime } from "../http/index.ts";
import { Manifest } from "./archive/manifest.ts";

/** An archive in the folder of backups. */
export const BackupFile = z
  .object({
    name: z.string(),
    /** Bytes. */
    size: count,
    /** The manifest's; where it is encrypted, when the file was written. */
    createdAt: unixTime,
    encrypted: z.boolean(),
    /** Null where the archive is encrypted. */
    manifest: Manifest.nullable(),
    /** When the archive was last tried out on a scratch database; null: never. */
    rehearsedAt: unixTime.nullable(),
    rehearsal: z.enum(["ok", "failed"]).nullable(),
  })
  .meta({ id: "BackupFile" });
export type BackupFile = z.output<typeof BackupFile>;

export const BackupList = z.object({ items: z.array(BackupFile), dir: z.string() }).meta({ id: "BackupList" });

/** How the last archive of the schedule went. */
export const BackupResult = z
  .object({
    at: unixTime,
    ok: z.boolean(),
    /** Empty where it went well. */
    error: z.string(),
    /** Empty where there is none. */
    name: z.string(),
    size: count,
  })
  .meta({ id: "BackupResult" });
export type BackupResult = z.output<typeof BackupResult>;

export const BackupSchedule = z
  .object({
    enabled: z.boolean(),
    intervalHours: count,
    dir: z.string(),
    /** Archives that the retention leaves; 0: all. */
    keep: count,
    includeHistory: z.boolean(),
    includeAudit: z.boolean(),
    passphraseSet: z.boolean(),
    /** Whether each archive of the schedule is tried out. */
    rehearse: z.boolean(),
    /** Null while the schedule is off. */
    nextDue: unixTime.nullable(),
    lastResult: BackupResult.nullable(),
  })
  .meta({ id: "BackupSchedule" });

/** What an archive would bring. Nothing was changed. */
export const BackupPreview = z
  .object({
    manifest: Manifest,
    /** Records of these tables. */
    admins: count,
    users: count,
    nodes: count,
    warnings: z.array(z.string()),
    /** Whether this version of the panel can restore it. */
    compatible: z.boolean(),
  })
  .meta({ id: "BackupPreview" });
export type BackupPreview = z.output<typeof BackupPreview>;

export const BackupRestore = z
  .object({
    /** True: the database is exchanged at the next start. False: it was exchanged. */
    staged: z.boolean(),
    /** Path of the archive of what was there before. */
    snapshot: z.string(),
    tables: count,
    rows: count,
  })
  .meta({ id: "BackupRestore" });
export type BackupRestore = z.output<typeof BackupRestore>;

export const BackupRehearsal = z
  .object({
    ok: z.boolean(),
    seconds: z.number(),
    tables: count,
    rows: count,
    admins: count,
    users: count,
    nodes: count,
    warnings: z.array(z.string()),
  })
  .meta({ id: "BackupRehearsal" });
export type BackupRehearsal = z.output<typeof BackupRehearsal>;
