// Routes that bring a database back: from an archive that is sent, from a stored one, and on a panel that is not set up
// yet (rules backups.restore).
import { z } from "zod";
import {
  openRoute,
  queryBoolean,
  Refusal,
  route,
  SCOPES,
  type Caller,
  type Rendered,
  type Route,
} from "../../http/index.ts";
import { systemOrigin, type Origin } from "../../lib/origin.ts";
import type { Purpose, Uploads } from "../../uploads/index.ts";
import { BackupRestore } from "../backup.schema.ts";
import { passphraseOf } from "../passphrase.ts";
import { refuseForeignName } from "../stored/backup-names.ts";
import { WEB_KEYS } from "./kept.ts";
import type { RestoreRow } from "./restore.entity.ts";
import { refusalOf } from "./refused.ts";
import type { RestoreOrder, Restores } from "./restores.ts";
import { isPlainFile } from "./staging.ts";

const MIB = 1024 * 1024;
/** The largest archive. */
export const ARCHIVE_LIMIT = 1024 * MIB;
/** Two may wait: one that is being restored, and the one of whoever tries at the same time. */
const RESTORES: Purpose = { name: "restores", limit: ARCHIVE_LIMIT, account: 2 * ARCHIVE_LIMIT };
const CONFIRM = "replace-database";
/** Setup's uploads are of no account: none is there yet. */
const NOBODY: Pick<Caller, "adminId" | "base"> = { adminId: 0, base: "sudo" };

export interface RestoreRoutesDeps {
  readonly restores: Restores;
  readonly uploads: Uploads;
  readonly databaseUrl: string;
  /** Throws 404 where no archive of this name is stored. */
  readonly findStored: (name: string) => Promise<unknown>;
  readonly isSetUp: () => Promise<boolean>;
  readonly checkSetting: (key: string, value: string) => string;
  readonly restart: () => void;
}

const Query = z.object({
  confirm: z
    .string()
    .optional()
    .describe(`\`${CONFIRM}\`: everything that is there now is replaced. In setup nothing is, and it may be absent.`),
  keep_web_settings: queryBoolean.optional(),
  keep_license: queryBoolean.optional(),
});
const SetupQuery = Query.extend({
  t: z.string().optional(),
  ...Object.fromEntries(
    WEB_KEYS.map((key) => [
      key,
      z.string().max(1024).optional().describe("The setting of this name: the archive's is left."),
    ]),
  ),
});
const CODES = ["encrypted", "passphrase", "format", "no_admins", "busy", "disk_full"] as const;

export function restoreRoutes(deps: RestoreRoutesDeps): Route[] {
  const { restores, uploads } = deps;
  const common = {
    method: "POST",
    scope: "-",
    tiers: ["sudo"],
    sensitive: true,
    query: Query,
    answer: BackupRestore,
    audit: { key: "backups", action: "restore" },
    idempotent: false,
    codes: CODES,
    worded: true,
    reach: requireEverything,
  } as const;
  return [
    route({
      ...common,
      path: "/backup/restore",
      summary: "Replace the database by an archive",
      description:
        "The body is the archive, its passphrase in `X-Backup-Passphrase`. An archive of what is there is made first and never pruned. The new database is built and checked beside the one in use. `staged` true: the panel restarts after the answer and exchanges them then; false: it was exchanged in one transaction, and every panel restarts.",
      bodyLimit: ARCHIVE_LIMIT,
      stream: true,
      statuses: [400, 404, 413, 501],
      handle: async ({ caller, origin, query, request, stream, commit, signal, afterResponse }) => {
        await admit(deps, query);
        const sending = await uploads.begin(caller, RESTORES, request.header("content-length"));
        let id: number;
        try {
          await sending.take(stream);
          const order = orderOf(query, { upload: sending.id, archive: "" }, passphraseOf(request));
          await restores.checkUpload(order);
          id = await restores.start(order, origin);
        } finally {
          await sending.end();
        }
        return answered(deps, id, signal(), afterResponse, commit);
      },
    }),
    route({
      ...common,
      path: "/backups/{name}/restore",
      summary: "Replace the database by a stored archive",
      description: "As `POST /backup/restore`, of an archive in the folder of backups.",
      params: z.object({ name: z.string() }),
      statuses: [400, 404, 501],
      handle: async ({ origin, params: { name }, query, request, commit, signal, afterResponse }) => {
        refuseForeignName(name);
        await admit(deps, query);
        await deps.findStored(name);
        const order = orderOf(query, { upload: 0, archive: name }, passphraseOf(request));
        await restores.checkUpload(order);
        const id = await restores.start(order, origin);
        return answered(deps, id, signal(), afterResponse, commit);
      },
    }),
    openRoute({
      method: "POST",
      path: "/setup/restore",
      summary: "Finish first-run setup by an archive; the panel restarts itself",
      description:
        "The body is the archive, its passphrase in `X-Backup-Passphrase`. `web_*` parameters are settings that the panel gets whatever the archive says. `keep_web_settings` (off unless said) leaves the others as they are now: plain HTTP unless set.",
      query: SetupQuery,
      answer: BackupRestore,
      bodyLimit: ARCHIVE_LIMIT,
      stream: true,
      audit: { key: "setup", action: "restore" },
      statuses: [400, 404, 409, 413, 501],
      codes: CODES,
      handle: async ({ query, request, stream, commit, signal, afterResponse }) => {
        if (await deps.isSetUp()) throw new Refusal("setup_finished");
        refuseUnsupported(deps.databaseUrl);
        const settings = chosen(deps, query);
        const sending = await uploads.begin(NOBODY, RESTORES, request.header("content-length"));
        const origin: Origin = { ...systemOrigin("setup"), ip: request.ip };
        let id: number;
        try {
          await sending.take(stream);
          const order = orderOf(query, { upload: sending.id, archive: "" }, passphraseOf(request));
          // What is kept of a panel that is not set up is what the query says.
          const fresh = { ...order, fresh: true, settings, keepWebSettings: query.keep_web_settings === true };
          await restores.checkUpload(fresh);
          id = await restores.start(fresh, origin);
        } finally {
          await sending.end();
        }
        return answered(deps, id, signal(), afterResponse, commit, origin);
      },
    }),
  ];
}

/** Nothing of the panel is beyond what replaces all of it. */
function requireEverything(caller: Caller): void {
  const missing = SCOPES.find((scope) => !caller.scopes.has(scope));
  if (missing !== undefined)
    throw new Refusal("scope", { message: `a restore needs every permission, and ${missing} is missing` });
}

async function admit(
  { databaseUrl, restores }: RestoreRoutesDeps,
  { confirm }: { readonly confirm?: string | undefined },
): Promise<void> {
  if (confirm !== CONFIRM)
    throw new Refusal("bad_request", {
      code: "confirm",
      field: "confirm",
      message: `confirm: must be ${CONFIRM}: everything that is there now is replaced`,
    });
  refuseUnsupported(databaseUrl);
  await restores.refuseBusy();
}

function refuseUnsupported(databaseUrl: string): void {
  if (databaseUrl.startsWith("sqlite:") && !isPlainFile(databaseUrl))
    throw new Refusal("unsupported", {
      message: "a SQLite database in memory, or named by a URI, cannot be exchanged",
    });
}

function orderOf(
  { keep_web_settings: web, keep_license: license }: z.output<typeof Query>,
  { upload, archive }: Pick<RestoreRow, "upload" | "archive">,
  passphrase: string | undefined,
): RestoreOrder {
  return {
    source: upload > 0 ? "upload" : "stored",
    upload,
    archive,
    fresh: false,
    keepWebSettings: web !== false,
    keepLicense: license !== false,
    settings: {},
    passphrase: passphrase ?? "",
  };
}

/** Settings of the query, checked. */
function chosen({ checkSetting }: RestoreRoutesDeps, query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    WEB_KEYS.flatMap((key) => {
      const value = query[key];
      return typeof value === "string" ? [[key, checkSetting(key, value)]] : [];
    }),
  );
}

type Commit = (unit: {
  locks: [];
  decide: () => {
    answer: z.input<typeof BackupRestore>;
    audit: { entityId: number; obj: Record<string, unknown>; origin?: Origin };
  };
}) => Promise<Rendered<z.input<typeof BackupRestore>>>;

/** Waits for the end, answers, and starts the panel again, whoever is still there to hear it. */
async function answered(
  { restores, restart }: RestoreRoutesDeps,
  id: number,
  signal: AbortSignal,
  afterResponse: (action: () => void) => void,
  commit: Commit,
  origin?: Origin,
): Promise<Rendered<z.input<typeof BackupRestore>>> {
  let row: RestoreRow;
  try {
    row = await restores.ended(id, signal);
  } catch (error) {
    restores.finishAlone(id, restart);
    throw error;
  }
  if (row.mstate === "failed") throw failed(row);
  const { snapshot, tables, rows, archive, warnings } = row;
  const answer = { staged: row.mstate === "staged", snapshot, tables, rows };
  const obj = { archive, snapshot, tables, rows, warnings: warnings.length };
  try {
    const rendered = await commit({
      locks: [],
      decide: () => ({ answer, audit: { entityId: id, obj, ...(origin && { origin }) } }),
    });
    afterResponse(restart);
    return rendered;
  } catch (error) {
    // It was done all the same.
    restart();
    throw error;
  }
}

function failed({ code, error }: Pick<RestoreRow, "code" | "error">): Refusal {
  return (
    refusalOf({ refusal: code, sentence: error }) ??
    new Refusal("internal", { message: `the restore was given up, and nothing changed: ${error}` })
  );
}
