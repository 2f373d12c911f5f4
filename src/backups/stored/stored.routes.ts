// Archives that are stored, and one for download (rules backups.stored).
import { open, rm } from "node:fs/promises";
import { z } from "zod";
import { okAnswer, queryBoolean, route, type Route } from "../../http/index.ts";
import { JobStarted, type Jobs } from "../../jobs/index.ts";
import type { RandomSource } from "../../lib/ids.ts";
import { Manifest } from "../archive/manifest.ts";
import { BackupFile, BackupList } from "../backup.schema.ts";
import { passphraseOf } from "../passphrase.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { newBackupName } from "./backup-names.ts";
import { startBackup } from "./backup.work.ts";
import { ARCHIVE_TYPES, beginsFile, bytesOf, fileAnswer, wholeAnswer } from "./file-answer.ts";
import type { BackupMaker } from "./make-backup.ts";
import { forgetRehearsal, rehearsalLock } from "./outcomes.ts";

/** From so many bytes of the database on nobody waits for an archive: it is made by a job. */
const LARGE_BYTES = 1024 ** 3;

const reads = { scope: "backup:read", tiers: ["sudo"] } as const;
const writes = { scope: "backup:write", tiers: ["sudo"] } as const;
const named = {
  params: z.object({ name: z.string() }),
  statuses: [400, 404],
  codes: ["format"],
  refusesNul: true,
} as const;
const Included = z.object({ history: queryBoolean.default(false), audit: queryBoolean.default(false) });

export interface StoredRoutesDeps {
  readonly folder: BackupFolder;
  readonly maker: BackupMaker;
  readonly jobs: Jobs;
  readonly secretKey: Uint8Array;
  /** The schedule's; empty: none. */
  readonly ownPassphrase: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
}

export function storedRoutes({
  folder,
  maker,
  jobs,
  secretKey,
  ownPassphrase,
  now,
  random,
}: StoredRoutesDeps): Route[] {
  return [
    route({
      method: "GET",
      path: "/backup",
      ...reads,
      summary: "Download a new archive of the panel's database",
      description:
        "A gzipped tar: `manifest.json`, then one NDJSON file for each table. It holds every secret of the panel in plain text, unless `X-Backup-Passphrase` says a passphrase (UTF-8): then it is encrypted, and nobody opens it without that. The answer begins when the archive is made; nothing of it stays here.",
      query: Included,
      answer: z.unknown(),
      produces: ARCHIVE_TYPES,
      audit: { key: "backups", action: "download" },
      codes: ["disk_full"],
      handle: async ({ query, request, signal, commit }) => {
        const passphrase = passphraseOf(request) ?? "";
        const left = signal();
        const { path, size, name, drop } = await maker.spool({ ...query, passphrase }, left);
        try {
          await commit({
            locks: [],
            decide: () => ({
              answer: null,
              audit: { entityId: name, obj: { ...query, encrypted: passphrase !== "" } },
            }),
          });
          const handle = await open(path, "r");
          // The bytes stay for as long as they are read, and go with whatever ends that.
          await rm(path);
          const stream = bytesOf(handle, 0, size - 1);
          if (left.aborted) stream.destroy();
          else left.addEventListener("abort", () => stream.destroy(), { once: true });
          return wholeAnswer(name, size, stream);
        } finally {
          await drop();
        }
      },
    }),
    route({
      method: "GET",
      path: "/backups",
      ...reads,
      summary: "Stored archives",
      description: "Newest first. Files of the folder that are no archives are left out.",
      answer: BackupList,
      handle: async () => ({ items: await folder.list(), dir: folder.directory }),
    }),
    route({
      method: "POST",
      path: "/backups",
      ...writes,
      summary: "Make an archive and store it",
      description:
        "Encrypted with the passphrase in `X-Backup-Passphrase` (UTF-8), or else with the schedule's own. With `async=true`, and where the database is larger than 1 GiB, the answer is 202 with the job that makes it.",
      query: Included.extend({ async: queryBoolean.default(false) }),
      answer: BackupFile,
      accepted: JobStarted,
      audit: { key: "backups", action: "create" },
      codes: ["disk_full"],
      handle: async ({ query: { history, audit, async }, request, origin, signal, accept, commit }) => {
        const passphrase = passphraseOf(request) ?? ownPassphrase();
        const order = { history, audit, passphrase };
        const obj = { history, audit, encrypted: passphrase !== "" };
        if (async || (await maker.databaseSize()) > LARGE_BYTES) {
          const name = newBackupName(now(), passphrase !== "", random);
          return accept({
            locks: [],
            decide: (draft) => ({
              answer: { job: startBackup(draft, { jobs, secretKey }, { ...order, name }, origin) },
              audit: { entityId: name, obj },
            }),
          });
        }
        const file = await maker.makeBackup(order, signal());
        return commit({
          locks: [],
          decide: () => ({ answer: file, audit: { entityId: file.name, obj: { ...obj, size: file.size } } }),
        });
      },
    }),
    route({
      method: "GET",
      path: "/backups/{name}",
      ...reads,
      ...named,
      summary: "Download a stored archive",
      description:
        "Answers `Range` of one part with 206 (416 where the file has no such bytes) and `If-Range`, so a download that was broken off goes on; `If-None-Match` and `If-Modified-Since` with 304.",
      answer: z.unknown(),
      produces: ARCHIVE_TYPES,
      audit: { key: "backups", action: "download" },
      handle: async ({ params: { name }, request, commit }) => {
        const file = await folder.open(name);
        try {
          if (beginsFile(request, file))
            await commit({ locks: [], decide: () => ({ answer: null, audit: { entityId: name } }) });
        } catch (error) {
          await file.handle.close();
          throw error;
        }
        return fileAnswer(request, name, file);
      },
    }),
    route({
      method: "GET",
      path: "/backups/{name}/manifest",
      ...reads,
      ...named,
      summary: "What a stored archive says of itself",
      description: "Null where it is encrypted.",
      answer: Manifest.nullable(),
      handle: async ({ params: { name } }) => (await folder.find(name)).manifest,
    }),
    route({
      method: "DELETE",
      path: "/backups/{name}",
      ...writes,
      ...named,
      summary: "Delete a stored archive",
      answer: okAnswer,
      audit: { key: "backups", action: "delete" },
      handle: async ({ params: { name }, commit }) => {
        const { size } = await folder.find(name);
        await folder.remove(name);
        return commit({
          locks: [rehearsalLock(name)],
          decide(draft) {
            forgetRehearsal(draft, name);
            return { answer: { ok: true as const }, audit: { entityId: name, obj: { size } } };
          },
        });
      },
    }),
  ];
}
