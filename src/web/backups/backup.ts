// An archive as the API answers it, where it comes from, and how it is asked for.
import type { z } from "zod";
import type {
  BackupFile,
  BackupList as ListSchema,
  BackupPreview,
  BackupRehearsal,
  BackupRestore,
  BackupSchedule as ScheduleSchema,
} from "../../backups/backup.schema.ts";
import { apiUrl } from "../../client/exchange.ts";
import { ApiError, call, type QueryValue } from "../api/call.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

/** Its name is its id. */
export type Backup = BackupFile & { readonly id: string };
export type BackupList = z.output<typeof ListSchema>;
export type BackupSchedule = z.output<typeof ScheduleSchema>;
export type Preview = z.output<typeof BackupPreview>;
export type Rehearsal = z.output<typeof BackupRehearsal>;
export type Restored = z.output<typeof BackupRestore>;
export type Manifest = Preview["manifest"];

export const BACKUPS: RecordKind<Backup> = { list: "/backups", name: ({ name }) => name };

/** Repeated to the panel by whoever restores. */
export const CONFIRMATION = "replace-database";

/** Where an archive is: in the panel's folder, or a file of the person's own. */
export type Source = { readonly stored: string } | { readonly file: File };

export function nameOf(source: Source): string {
  return "stored" in source ? source.stored : source.file.name;
}

/** What a restore left of the panel before it. */
export function isOfRestore(name: string): boolean {
  return name.startsWith("pre-restore-");
}

/** The page of an archive in the folder. */
export function pageOf(name: string): string {
  return `/backups/${encodeURIComponent(name)}`;
}

/** Where the browser fetches the archive, as it lies there. */
export function fileAddress(name: string): string {
  return apiUrl(document.baseURI, `/backups/${encodeURIComponent(name)}`).href;
}

interface Asked {
  readonly passphrase?: string | undefined;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly signal?: AbortSignal;
}

/** Has the panel do something with an archive, wherever it lies. */
export function askOf<T>(source: Source, verb: "preview" | "rehearse" | "restore", asked: Asked): Promise<T> {
  const { passphrase, ...rest } = asked;
  const options = { ...rest, headers: passphraseHeader(passphrase), ...(verb === "preview" && { dry: true as const }) };
  return "stored" in source
    ? call<T>("POST", `/backups/${encodeURIComponent(source.stored)}/${verb}`, options)
    : call<T>("POST", `/backup/${verb}`, { ...options, file: source.file });
}

/** The header that carries a passphrase. A header holds bytes: these are the passphrase in UTF-8. */
export function passphraseHeader(passphrase: string | undefined): Readonly<Record<string, string>> {
  if (passphrase === undefined || passphrase === "") return {};
  const bytes = new TextEncoder().encode(passphrase);
  return { "x-backup-passphrase": Array.from(bytes, (byte) => String.fromCharCode(byte)).join("") };
}

/** The archive wants a passphrase, or another one than was given. */
export function wantsPassphrase(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "encrypted" || error.code === "passphrase");
}

/** The panel looks whether an archive is due once an hour. */
const TICK_S = 3600;
const SLACK_S = 300;

/** Whether the next archive should have been made by now. */
export function isLate({ nextDue }: Pick<BackupSchedule, "nextDue">, now: number): boolean {
  return nextDue !== null && now > nextDue + TICK_S + SLACK_S;
}
