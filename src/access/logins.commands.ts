// How every verified sign-in ends, whatever proved it (password, identity provider): the account is looked at again, a session begins, subscribers hear of it.
import { lock, type Draft, type Lock } from "../db/index.ts";
import { Refusal, type AuditNote, type Caller } from "../http/index.ts";
import type { Access } from "./access.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "./admin.entity.ts";
import type { SessionRow } from "./credential.entity.ts";
import { sessionCaller } from "./reach.ts";
import { beginSession, type NewSession } from "./sessions.commands.ts";

/** A sign-in whose proof was found good before the change. */
export interface VerifiedLogin extends NewSession {
  readonly adminId: number;
  /** Hash of the password that was verified; absent where an identity provider vouched for the account. */
  readonly passwordHash?: string;
}

/** `session`: signed in; the value whose hash was given is the cookie. `pending`: a second factor is asked for; that value is the pending token. */
export type LoginOutcome =
  | { readonly kind: "session"; readonly session: SessionRow; readonly caller: Caller; readonly admin: AdminRow }
  | { readonly kind: "pending"; readonly expiresAt: number };

/** Locks of `completeLogin`. */
export function loginLocks({ id, roleId }: Pick<AdminRow, "id" | "roleId">): Lock[] {
  return [lock(AdminRows, id), lock(RoleRows, roleId, "read")];
}

/**
 * Ends a verified sign-in (document 1, Session, login). Throws 401 where the account was deleted or its password changed since the proof was found good, and 403
 * `account_expired` for an expired reseller.
 */
export function completeLogin(draft: Draft, access: Pick<Access, "outbox">, login: VerifiedLogin): LoginOutcome {
  const { adminId, passwordHash, ...begun } = login;
  const admin = draft.find(AdminRows, adminId);
  const role = admin && draft.find(RoleRows, admin.roleId, "read");
  if (!admin || !role || (passwordHash !== undefined && admin.passwordHash !== passwordHash)) throw new Refusal("bad_credentials");
  return signIn(draft, access, admin, role, begun);
}

/** Begins the session and tells of it. */
function signIn(draft: Draft, { outbox }: Pick<Access, "outbox">, admin: AdminRow, role: RoleRow, begun: NewSession): LoginOutcome {
  const session = beginSession(draft, admin, role, begun);
  const caller = sessionCaller(session, admin, role, draft.time);
  if (!caller || caller.expired) throw new Refusal("account_expired");
  const { id: adminId, username, lastLoginIp: previousIp } = admin;
  const { ip } = begun;
  const subject = `admin:${adminId}`;
  outbox.raise(draft, { event: "admin.login", data: { adminId, username, ip }, subject });
  if (previousIp !== "" && previousIp !== ip)
    outbox.raise(draft, { event: "admin.login_new_ip", data: { adminId, username, ip, previousIp }, subject });
  draft.update(AdminRows, adminId, { lastLoginAt: draft.time, lastLoginIp: ip });
  return { kind: "session", session, caller, admin };
}

/** What the audit log says of a sign-in: nothing before the second factor was presented. */
export function loginNote(outcome: LoginOutcome): AuditNote | null {
  if (outcome.kind === "pending") return null;
  const { session, admin } = outcome;
  const origin = { via: "session", actor: admin.username, adminId: admin.id, tokenId: 0, ip: session.ip } as const;
  return { entityId: session.id, obj: { remember: session.remember }, origin };
}
