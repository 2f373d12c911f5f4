// Completes every verified sign-in (by password or identity provider). It reads the account again. With two-factor on,
// the sign-in waits for a code; otherwise a session starts and an event is raised.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { Refusal, type AuditNote, type Caller } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import type { SessionRow } from "../records/credential.entity.ts";
import { loginEnded, type Waiting } from "./logins.queries.ts";
import { PendingLoginRows } from "../records/pending-login.entity.ts";
import { isExpired, SECOND_FACTOR_FRESH, sessionCaller } from "../rights/reach.ts";
import { beginSession, type NewSession } from "./sessions.commands.ts";
import { spendProof, type CodeProof } from "../two-factor/two-factor.commands.ts";

/** Seconds that a sign-in waits for its second factor (rule access.mfa.2). */
const PENDING = 300;

/** A sign-in whose proof was found good before the change. */
export interface VerifiedLogin extends NewSession {
  readonly adminId: number;
  /** Hash of the password that was verified; absent where an identity provider vouched for the account. */
  readonly passwordHash?: string;
}

/** Signed in; the value whose hash was given is the cookie. */
export interface SignedIn {
  readonly kind: "session";
  readonly session: SessionRow;
  readonly caller: Caller;
  readonly admin: AdminRow;
}

/** `pending`: a second factor is asked for; the value whose hash was given is the pending token. */
export type LoginOutcome = SignedIn | { readonly kind: "pending"; readonly expiresAt: number };

/** Locks of `completeLogin` and `completeSecondFactor`. */
export function loginLocks({ id, roleId }: Pick<AdminRow, "id" | "roleId">): Lock[] {
  return [lock(AdminRows, id), lock(RoleRows, roleId, "read")];
}

/** The account and its role, locked; undefined where they are gone. */
function accountOf(draft: Draft, adminId: number): { admin: AdminRow; role: RoleRow } | undefined {
  const admin = draft.find(AdminRows, adminId);
  const role = admin && draft.find(RoleRows, admin.roleId, "read");
  return admin && role && { admin: { ...admin }, role: { ...role } };
}

/**
 * Ends a verified sign-in (rule access.login.1). Throws 401 where the account was deleted or its password changed since
 * the proof was found good, and 403 `account_expired` for an expired reseller.
 */
export function completeLogin(
  draft: Draft,
  access: Pick<Access, "outbox" | "boot">,
  login: VerifiedLogin,
): LoginOutcome {
  const { adminId, passwordHash, ...begun } = login;
  const found = accountOf(draft, adminId);
  if (!found || (passwordHash !== undefined && found.admin.passwordHash !== passwordHash))
    throw new Refusal("bad_credentials");
  const { admin, role } = found;
  if (admin.twoFactorAt === 0) return signIn(draft, access, admin, role, begun);
  if (isExpired(admin, role.base, draft.time)) throw new Refusal("account_expired");
  const expiresAt = draft.time + PENDING;
  const { hash: id, via, remember } = begun;
  draft.insert(PendingLoginRows, {
    id,
    adminId,
    adminVersion: admin.updatedAt,
    via,
    remember,
    boot: access.boot,
    tries: 0,
    expiresAt,
  });
  return { kind: "pending", expiresAt };
}

/** What a second factor was presented with. `hash`: of the value that becomes the cookie. */
export interface SecondFactor extends Pick<NewSession, "hash" | "ip" | "userAgent"> {
  readonly waiting: Waiting;
  readonly proof: CodeProof;
}

/**
 * Ends a sign-in that waited for its second factor. Throws 401 where it ended meanwhile or the account was changed
 * (password, role, two-factor), and where the code was used.
 */
export function completeSecondFactor(draft: Draft, access: Pick<Access, "outbox">, given: SecondFactor): SignedIn {
  const { waiting, proof, ...begun } = given;
  const found = accountOf(draft, waiting.account.id);
  const pending = draft.find(PendingLoginRows, waiting.pending.id);
  if (!found || !pending || pending.expiresAt <= draft.time || pending.adminVersion !== found.admin.updatedAt)
    throw loginEnded();
  draft.delete(PendingLoginRows, pending.id);
  const admin = spendProof(draft, found.admin.id, proof);
  const { via, remember } = pending;
  return signIn(draft, access, admin, found.role, {
    ...begun,
    via,
    remember,
    confirmedUntil: draft.time + SECOND_FACTOR_FRESH,
  });
}

/** Begins the session and tells of it. */
function signIn(
  draft: Draft,
  { outbox }: Pick<Access, "outbox">,
  admin: AdminRow,
  role: RoleRow,
  begun: NewSession,
): SignedIn {
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
