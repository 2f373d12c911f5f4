// Names of archives in the folder of backups. A name says nothing that the file does not say itself; it only tells
// files that may be archives from all others, and what the panel named from what people did.
import { Refusal } from "../../http/index.ts";
import { alphanumeric, type RandomSource } from "../../lib/ids.ts";

/** No path, nothing hidden, nothing that another program reads as an option. */
const NAME = /^[A-Za-z0-9][\w.-]{0,180}\.tar\.gz(?:\.enc)?$/;
/** What the panel named. A file under any other name is a person's, and the retention leaves it. */
const OWN = /^signalbox-\d{8}-\d{6}-[A-Za-z0-9]{4}\.tar\.gz(?:\.enc)?$/;
/** Archives of what a restore replaced: the retention leaves them too. */
export const PRE_RESTORE = "pre-restore-";

/** Whether a file of this name may be an archive. */
export function canBeBackup(name: string): boolean {
  return NAME.test(name);
}

/** Whether the retention may delete it, and the schedule counts from it. */
export function isOwnName(name: string): boolean {
  return OWN.test(name);
}

/** A name that no other archive has. `now`: Unix milliseconds; `prefix`: `pre-restore-`. */
export function newBackupName(now: number, encrypted: boolean, random: RandomSource, prefix = "signalbox-"): string {
  const [date = "", time = ""] = new Date(now).toISOString().split("T");
  const moment = `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
  return `${prefix}${moment}-${alphanumeric(4, random)}.tar.gz${encrypted ? ".enc" : ""}`;
}

/** Throws 400 `format` for a name that no backup can have. */
export function refuseForeignName(name: string): void {
  if (!canBeBackup(name))
    throw new Refusal("bad_request", { code: "format", message: "no backup can have this name: it ends in .tar.gz" });
}
