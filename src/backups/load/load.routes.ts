// What an archive would bring, of one that is sent and of a stored one; and rehearsals (rules backups.preview,
// backups.rehearse).
import { z } from "zod";
import { route, type RequestFacts, type Route } from "../../http/index.ts";
import type { Purpose, Spool, Uploads } from "../../uploads/index.ts";
import { BackupPreview, BackupRehearsal } from "../backup.schema.ts";
import { passphraseOf } from "../passphrase.ts";
import { previewInThread } from "./load-in-thread.ts";
import type { Receiver } from "./receiver.ts";
import type { Rehearsals, RehearsalsDeps } from "./rehearsals.ts";
import { told } from "./told.ts";

/** Bytes of an archive that is sent. */
export const ARCHIVE_LIMIT = 1024 * 1024 * 1024;
export const ARCHIVES: Purpose = { name: "archives", limit: ARCHIVE_LIMIT, account: 2 * ARCHIVE_LIMIT };

export interface LoadRoutesDeps {
  readonly folder: RehearsalsDeps["folder"];
  readonly uploads: Uploads;
  readonly spool: Spool;
  readonly receiver: () => Promise<Receiver>;
  /** Where scratch directories are made. */
  readonly scratch: string;
  readonly rehearsals: Rehearsals;
}

const Named = z.object({ name: z.string() });

export function loadRoutes({ folder, uploads, spool, receiver, scratch, rehearsals }: LoadRoutesDeps): Route[] {
  const preview = async (file: string, request: RequestFacts, signal: AbortSignal) =>
    orTold(
      previewInThread({ file, passphrase: passphraseOf(request) ?? "", receiver: await receiver(), scratch }, signal),
    );
  return [
    route({
      method: "POST",
      path: "/backup/preview",
      scope: "backup:read",
      tiers: ["sudo"],
      summary: "What an archive would bring",
      description:
        "The body is the archive itself, up to 1 GiB; `X-Backup-Passphrase` opens one that is encrypted. All that its manifest claims is checked and every row is read; nothing is changed. `warnings` are sentences. `compatible` is false where this version cannot restore it: a newer one made it, or tables are missing.",
      answer: BackupPreview,
      bodyLimit: ARCHIVE_LIMIT,
      stream: true,
      idempotent: false,
      statuses: [400, 408, 413],
      codes: ["format", "encrypted", "passphrase", "disk_full"],
      handle: async ({ caller, request, stream, signal, recheck }) => {
        const sending = await uploads.begin(caller, ARCHIVES, request.header("content-length"));
        try {
          const { id } = await sending.take(stream);
          const said = await preview(spool.pathOf(id), request, signal());
          await recheck();
          return said;
        } finally {
          await sending.end();
        }
      },
    }),
    route({
      method: "POST",
      path: "/backups/{name}/preview",
      scope: "backup:read",
      tiers: ["sudo"],
      summary: "What a stored archive would bring",
      description: "As `POST /backup/preview`, of an archive in the folder of backups.",
      params: Named,
      answer: BackupPreview,
      idempotent: false,
      statuses: [400, 404],
      codes: ["format", "encrypted", "passphrase", "disk_full"],
      handle: async ({ params: { name }, request, signal, recheck }) => {
        await folder.find(name);
        const said = await preview(folder.file(name), request, signal());
        await recheck();
        return said;
      },
    }),
    route({
      method: "POST",
      path: "/backups/{name}/rehearse",
      scope: "backup:write",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Try out a stored archive",
      description:
        "Loads it into a scratch database with all checks of a restore, and throws that away. Nothing of the panel opens it. An archive that could not be restored is `ok: false`, and its first warning says why. How it went is in the archive's record afterwards. Archives are tried out one at a time; it goes on when the caller leaves.",
      params: Named,
      answer: BackupRehearsal,
      idempotent: false,
      statuses: [400, 404],
      codes: ["format", "encrypted", "passphrase", "disk_full"],
      handle: async ({ params: { name }, request, recheck }) => {
        const tried = await orTold(rehearsals.rehearse(name, passphraseOf(request) ?? ""));
        await recheck();
        return tried;
      },
    }),
  ];
}

async function orTold<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw told(error);
  }
}
