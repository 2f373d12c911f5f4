// Why a restore is not carried out: as its chart is told, and as whoever asked for it is answered.
import { UniqueConflict } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { isDiskFull } from "../../lib/on-disk.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { LoadRefused } from "../load/load-refused.ts";
import { RestoreRows } from "./restore.entity.ts";

/** Why an archive is not taken, as the chart gets it. */
interface Refused {
  readonly refusal: string;
  readonly sentence: string;
}

/** What the chart is told where an archive or its place is the reason; undefined: something else is wrong. */
export function refusedAs(error: unknown): Refused | undefined {
  if (error instanceof ArchiveError || error instanceof LoadRefused)
    return { refusal: error.code, sentence: error.message };
  if (error instanceof Refusal && error.detail.code !== undefined)
    return { refusal: error.detail.code, sentence: error.message };
  return isDiskFull(error)
    ? { refusal: "disk_full", sentence: "the disk has no room for what the archive holds: make room, and try again" }
    : undefined;
}

const BAD = ["format", "encrypted", "passphrase", "no_admins"] as const;

/** The answer to whoever asked for a restore that was given up; undefined: no refusal is meant. */
export function refusalOf(refused: Refused | undefined): Refusal | undefined {
  if (!refused) return undefined;
  const { refusal, sentence: message } = refused;
  if (refusal === "disk_full") return new Refusal("unavailable", { code: "disk_full", message, retryAfter: 60 });
  const code = BAD.find((each) => each === refusal);
  return code === undefined ? undefined : new Refusal("bad_request", { code, message });
}

/** One is at work at a time. */
export function busy(): Refusal {
  return new Refusal("conflict", { code: "busy", message: "another restore is at work: wait for its end" });
}

/** Whether the commit that begins a restore met another one at work. */
export function isBusy(error: unknown): boolean {
  return error instanceof UniqueConflict && error.table === RestoreRows.name;
}
