// What the audit log says of a change: the record for create and delete, `{field: [before, after]}` for an update (rule
// admins.audit.2).
import { isDeepStrictEqual } from "node:util";
import type { Origin } from "../lib/origin.ts";
import type { AuditAction } from "./audit.schema.ts";
import type { AuditNote } from "./context.ts";

/** One line of the audit log, before redaction. */
export interface AuditRecord {
  readonly origin: Origin;
  /** Wire name of the collection: `users`, `settings` … */
  readonly key: string;
  readonly entityId: string;
  readonly action: AuditAction;
  readonly obj: Readonly<Record<string, unknown>>;
}

/** Fields that differ. */
export function changedFields(before: object, after: object): Record<string, [unknown, unknown]> {
  const old = new Map<string, unknown>(Object.entries(before));
  const fresh = new Map<string, unknown>(Object.entries(after));
  const changed: Record<string, [unknown, unknown]> = {};
  for (const field of new Set([...old.keys(), ...fresh.keys()])) {
    const pair: [unknown, unknown] = [old.get(field) ?? null, fresh.get(field) ?? null];
    // Every write changes it, so it does not describe the change.
    if (field !== "updatedAt" && !isDeepStrictEqual(pair[0], pair[1])) changed[field] = pair;
  }
  return changed;
}

function objectOf(note: AuditNote | undefined): Readonly<Record<string, unknown>> {
  if (note === undefined) return {};
  if (note.obj !== undefined) return note.obj;
  if (note.before !== undefined && note.after !== undefined) return changedFields(note.before, note.after);
  return { ...(note.after ?? note.before) };
}

/** The record of a route's change. */
export function auditRecord(
  declared: { readonly key: string; readonly action: AuditAction },
  note: AuditNote | undefined,
  origin: Origin,
): AuditRecord {
  return {
    origin: note?.origin ?? origin,
    key: note?.key ?? declared.key,
    entityId: String(note?.entityId ?? ""),
    action: note?.action ?? declared.action,
    obj: objectOf(note),
  };
}
