// The secret end of our inbound tags in an engine that writes into its log what a client chose: a line without the mark
// may be the client's invention.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readState, writeState } from "../state/state-file.ts";

const Kept = z.object({ mark: z.string().regex(/^[0-9a-f]{16}$/) });

/**
 * The mark of a driver's directory, the same for all its processes: the next agent must know them by it. Made when
 * there is none.
 */
export function markOf(directory: string): string {
  const path = join(directory, "tag-mark.json");
  const kept = readState(path, Kept);
  if (kept) return `.${kept.mark}`;
  const mark = randomBytes(8).toString("hex");
  writeState(path, { mark });
  return `.${mark}`;
}
