// What the audit log says was done: a closed set. A new verb needs words in every language (`src/web/words/actions/`),
// or it does not compile.

export const AUDIT_ACTIONS = [
  "create",
  "update",
  "delete",
  "enable",
  "disable",
  "login",
  "logout",
  "confirm",
  "password",
  "2fa.enrol",
  "2fa.enable",
  "2fa.disable",
  "2fa.recovery",
  "sessions.delete",
  "dashboard",
  "interface",
  "owner",
  "start",
  "renew",
  "extend",
  "reset-usage",
  "sub.rotate",
  "batch",
  "connections.close",
  "ping",
  "resend",
  "sync",
  "reconnect",
  "repin",
  "move",
  "event",
  "resume",
  "restart",
  "refresh",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Words of a language for every verb, as they are shown next to what was changed. */
export type ActionWords = Readonly<Record<AuditAction, string>>;
