// What was restored, remembered over the restart and the new sign-in by this window alone.
import type { Manifest, Restored } from "./backup.ts";

export interface RestoredHere {
  readonly name: string;
  /** Unix seconds: the moment that the panel is of since then. */
  readonly createdAt: number;
  /** Path of the archive of what was there before. */
  readonly snapshot: string;
  readonly tables: number;
  readonly rows: number;
}

const PLACE = "signalbox.restored";

export function rememberRestored(name: string, { createdAt }: Pick<Manifest, "createdAt">, restored: Restored): void {
  const { snapshot, tables, rows } = restored;
  sessionStorage.setItem(PLACE, JSON.stringify({ name, createdAt, snapshot, tables, rows } satisfies RestoredHere));
}

export function restoredHere(): RestoredHere | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    return isRestored(kept) ? kept : undefined;
  } catch {
    // Written by something else: nothing is known.
    return undefined;
  }
}

export function forgetRestored(): void {
  sessionStorage.removeItem(PLACE);
}

function isRestored(kept: unknown): kept is RestoredHere {
  if (typeof kept !== "object" || kept === null) return false;
  const fields: Partial<Record<keyof RestoredHere, unknown>> = kept;
  return (
    typeof fields.name === "string" &&
    typeof fields.snapshot === "string" &&
    [fields.createdAt, fields.tables, fields.rows].every((each) => typeof each === "number")
  );
}
