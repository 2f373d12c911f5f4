// What an agent must find again after a restart: small JSON files, mode 0600, replaced in one step.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { z } from "zod";

/** Replaces the file in one step: a reader sees the old or the new text, never half of one. */
export function writeState(path: string, value: unknown): void {
  const draft = `${path}.new`;
  writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
  renameSync(draft, path);
}

/** The parsed file; undefined when there is none. Throws an error naming the file when it cannot be understood. */
export function readState<T>(path: string, schema: z.ZodType<T>): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read`, { cause: error });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is not a state file of this version`, { cause: error });
  }
}

export function removeState(path: string): void {
  rmSync(path, { force: true });
}

const DISK_REFUSES = ["EROFS", "EPERM", "EACCES", "EIO", "ENOSPC"];

/**
 * Deletes files that are no longer needed. A file that a failing disk does not delete does no harm: a later reader
 * first checks whether its process lives.
 */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && DISK_REFUSES.includes(String(error.code)))) throw error;
  }
}
