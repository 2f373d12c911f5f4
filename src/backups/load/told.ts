// What a caller is told of an archive that was not taken.
import { Refusal } from "../../http/index.ts";
import { isDiskFull } from "../../lib/on-disk.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { LoadRefused } from "./load-refused.ts";

const RETRY_SECONDS = 60;

/** The refusal of a route: 400 with the code of what is wrong with the archive, 503 `disk_full`. */
export function told(error: unknown): unknown {
  if (error instanceof ArchiveError || error instanceof LoadRefused)
    return new Refusal("bad_request", { code: error.code, message: error.message, cause: error });
  if (!isDiskFull(error)) return error;
  const message = "the disk has no room for what the archive holds: make room, and try again";
  return new Refusal("unavailable", { code: "disk_full", message, retryAfter: RETRY_SECONDS, cause: error });
}
