// The audit port: a record with every answered write, secrets replaced, only while `changes_logging` is on (document 1; decisions 4 and 14).
import type { Draft } from "../db/index.ts";
import type { AuditRecord } from "../http/index.ts";
import type { Settings } from "../system/index.ts";
import { ChangeRows } from "./change.entity.ts";

export const REDACTED = "[redacted]";
const SECRET_NAME =
  /pass(word|phrase)|secret|token|private|seed|hash$|cookie|^(key|uuid|ss16|ss32|subid|suburl|code|codes|psk)$|(api|_|access|secret)key$|recovery/i;

/** Names that only sound like secrets: flags, ids and numbers stay readable through their type. */
function redactValue(value: unknown): unknown {
  if (value === null || value === "" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(redactValue);
  return REDACTED;
}

/** A copy in which secret-looking fields, at any depth, read `[redacted]`. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return redactFields(value);
}

export function redactFields(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name, SECRET_NAME.test(name) ? redactValue(member) : redact(member)]),
  );
}

/** Writes audit records with their changes. */
export function auditLog(settings: Settings): (draft: Draft, record: AuditRecord) => void {
  return (draft, { origin, key, entityId, action, obj }) => {
    if (!settings.flag("changes_logging")) return;
    draft.insert(ChangeRows, {
      id: draft.nextId("changes"),
      time: draft.time,
      ...origin,
      collection: key,
      entityId,
      action,
      obj: redactFields(obj),
    });
  };
}
