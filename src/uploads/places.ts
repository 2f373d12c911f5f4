// Places of files that are sent, and the bytes that they may put on disk (rule jobs.import.8): all panels decide on one
// row.
//
// Invariants:
// - What lies on disk was reserved before, for as long as its row is there: of one account and purpose, and of all
//   together, it is bounded, whatever process dies at whatever moment.
// - Whoever sends holds its place by a lease. What nobody renews loses its place at once, and its bytes when
//   its file is away.
// - A file counts once its row has its digest: it is synced before.
import type { Draft } from "../db/index.ts";
import { Refusal } from "../http/index.ts";
import { UploadsRows, type Upload } from "./upload.entity.ts";

const MIB = 1024 * 1024;
/** Uploads at a time: of one account, of all accounts but main admins, of all. */
const PLACES = { account: 4, others: 24, all: 32 } as const;
/** Bytes that wait on disk, of all accounts and purposes. */
const ALL_BYTES = 8192 * MIB;
const RETRY_SECONDS = 5;
/** The one row. */
export const ROW = 1;
/** In place of `until`: something uses it. */
export const IN_USE = 0;
/** In place of `until`: nobody sends it and nothing uses it; it is being deleted. */
export const LEFT = -1;
/** What files of older versions are for. */
const FIRST_PURPOSE = "accounts";

/** What a file is sent for. */
export interface Purpose {
  readonly name: string;
  /** Bytes of one file, and those of one account's files that wait on disk. */
  readonly limit: number;
  readonly account: number;
}

export function uploadsIn(draft: Draft): readonly Upload[] {
  return draft.find(UploadsRows, ROW)?.uploads ?? [];
}

export function putUploads(draft: Draft, uploads: readonly Upload[]): void {
  draft.upsert(UploadsRows, { id: ROW, uploads });
}

/** The others and this one as it is from now on. */
export function withUntil(uploads: readonly Upload[], job: number, until: number): readonly Upload[] {
  return uploads.map((each) => (each.job === job ? { ...each, until } : each));
}

/** Whether its sender still holds its place, or something uses it. */
export function holdsPlace(uploads: readonly Upload[], job: number): boolean {
  return uploads.some((each) => each.job === job && each.until !== LEFT);
}

type Wanted = Pick<Upload, "account" | "main" | "bytes">;

/** Throws 429 where as many are being sent as may be. */
export function refuseCrowd(uploads: readonly Upload[], { account, main }: Wanted, now: number): void {
  const sending = uploads.filter(({ until }) => until > now);
  if (sending.filter((each) => each.account === account).length >= PLACES.account)
    throw noRoom(`${PLACES.account} files of this account are being sent`);
  if (sending.length >= PLACES.all) throw noRoom(`${PLACES.all} files are being sent`);
  // One place or another is left for those who run the panel.
  if (!main && sending.filter((each) => !each.main).length >= PLACES.others)
    throw noRoom(`${PLACES.others} files are being sent`);
}

/** Throws 429 where no room is left for the bytes that it has or wants. */
export function refuseLarge(uploads: readonly Upload[], { account, bytes }: Wanted, purpose: Purpose): void {
  const own = uploads.filter((each) => each.account === account && (each.purpose ?? FIRST_PURPOSE) === purpose.name);
  if (sum(own) + bytes > purpose.account) throw noRoom(`${purpose.account / MIB} MiB of this account's files wait`);
  if (sum(uploads) + bytes > ALL_BYTES) throw noRoom(`${ALL_BYTES / MIB} MiB of files wait`);
}

/** The bytes that a body will have. Throws 413 where they are too many. */
export function announced(contentLength: string | undefined, { limit }: Purpose): number | undefined {
  if (contentLength === undefined || !/^\d{1,15}$/.test(contentLength)) return undefined;
  const bytes = Number(contentLength);
  if (bytes > limit) throw new Refusal("too_large");
  return bytes;
}

const sum = (uploads: readonly Upload[]): number => uploads.reduce((all, { bytes }) => all + bytes, 0);

function noRoom(message: string): Refusal {
  return new Refusal("rate_limited", { message: `${message}: wait for one to end`, retryAfter: RETRY_SECONDS });
}

/** 408: another process took the sender for dead. */
export function lostPlace(): Refusal {
  return new Refusal("request_timeout", { message: "the file lost its place: nothing was heard of it for too long" });
}
