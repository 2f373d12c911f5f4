// The audit port: a record with every answered write, secrets replaced, only while `changes_logging` is on (rules
// admins.audit).
import type { Draft } from "../../db/index.ts";
import type { AuditRecord } from "../../http/index.ts";
import type { SettingsReader } from "../../feature/index.ts";
import { isSealed } from "../../lib/seal.ts";
import { ChangeRows } from "../records/change.entity.ts";

const REDACTED = "[redacted]";
/**
 * Names of secrets, anywhere in a name or as the whole of it. Of keys only those that say they are public are not
 * secret.
 */
const SECRET_NAME =
  /pass(word|phrase|wd|code)|pwd|secret|token|private|seed|hash$|cookie|credential|authorization|bearer|otp|recovery|(?<!public_?)keys?$|^(auth|auth_str|obfs|uuid|ss16|ss32|subid|suburl|codes?|psk)$/i;
/** Names of addresses, which are no secret whatever they lead to; a subscription's is one. */
const ADDRESS_NAME = /^(?!sub).*ur[il]$/i;
/** Numbers under such a name that only say which, when or how many. */
const ABOUT_A_SECRET = /(id|at|left|count|limit)$/i;

/** Decisions so far, by name: records have few names, and the patterns are slow. */
const decided = new Map<string, boolean>();
/** Names come from callers too. */
const MOST_DECIDED = 2000;
const LONGEST_DECIDED = 64;

function isSecret(name: string): boolean {
  const known = decided.get(name);
  if (known !== undefined) return known;
  const secret = SECRET_NAME.test(name) && !ADDRESS_NAME.test(name);
  if (name.length > LONGEST_DECIDED) return secret;
  if (decided.size >= MOST_DECIDED) decided.clear();
  decided.set(name, secret);
  return secret;
}

/** Flags, and what is empty, stay readable: they say that something was set, not to what. */
function redactValue(name: string, value: unknown): unknown {
  if (value === null || value === "" || typeof value === "boolean") return value;
  if (typeof value === "number" && ABOUT_A_SECRET.test(name)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(name, item));
  return REDACTED;
}

/** A copy in which secret-looking fields, and sealed texts under any name, at any depth, read `[redacted]`. */
function redact(value: unknown): unknown {
  if (typeof value === "string") return isSealed(value) ? REDACTED : value;
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return redactFields(value);
}

export function redactFields(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      isSecret(name) ? redactValue(name, member) : redact(member),
    ]),
  );
}

/** Writes a record with its change, whatever `changes_logging` says. Returns its id. */
export function recordChange(draft: Draft, { origin, key, entityId, action, obj }: AuditRecord): number {
  const id = draft.nextId("changes");
  draft.insert(ChangeRows, {
    id,
    time: draft.time,
    ...origin,
    collection: key,
    entityId,
    action,
    obj: redactFields(obj),
  });
  return id;
}

/** Writes audit records with their changes, while `changes_logging` is on. */
export function auditLog(settings: SettingsReader<"changes_logging">): (draft: Draft, record: AuditRecord) => void {
  return (draft, record) => {
    if (settings.flag("changes_logging")) recordChange(draft, record);
  };
}
