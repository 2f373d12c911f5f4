// A proven identity signs in as the account that it is linked to.
import { lock } from "../../db/index.ts";
import { Refusal, SESSION_COOKIE } from "../../http/index.ts";
import { newSessionToken } from "../access.ts";
import { sessionLifetime } from "../rights/last-use.ts";
import { AdminRows, RoleRows } from "../records/admin.entity.ts";
import { completeLogin, loginLocks, loginNote } from "../login/logins.commands.ts";
import type { Landing } from "./landings.ts";
import { OidcLinkRows } from "./link.entity.ts";
import type { Identity } from "./links.commands.ts";
import { linkOf } from "./links.queries.ts";
import { servesRole } from "./provider-reach.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { OIDC_COOKIE, type Callback, type ReturnedAttempt, type Sso } from "./sso.ts";

/** Begins a session, or a login that waits for its second factor; audited and told like one by password. */
export async function signInAs(
  sso: Sso,
  callback: Callback,
  { attempt, provider }: ReturnedAttempt,
  identity: Identity,
): Promise<Landing> {
  const { reads, log } = sso.access;
  const { request, commit, setCookie, clearCookie } = callback;
  const known = await linkOf(reads, provider.id, identity.subject);
  const admin = known && (await reads.find(AdminRows, known.adminId));
  if (!known || !admin) return "login?sso=unlinked";
  const token = newSessionToken();
  const { ip, userAgent } = request;
  // The password as it was when the link was found: a reset by another removes links, and one that comes between is
  // noticed by it.
  const { id: adminId, passwordHash } = admin;
  const login = {
    adminId,
    passwordHash,
    hash: token.hash,
    ip,
    userAgent,
    remember: attempt.remember,
    via: "oidc",
  } as const;
  try {
    const { answer } = await commit({
      locks: [...loginLocks(admin), lock(OidcProviderRows, provider.id, "read"), lock(OidcLinkRows, known.id)],
      decide(draft) {
        const held = draft.find(OidcLinkRows, known.id);
        // Links go with their provider, and with what it was.
        const same = draft.find(OidcProviderRows, provider.id, "read")?.updatedAt === provider.updatedAt;
        if (!held || !same) return { answer: "unlinked", audit: null };
        // The account now has more rights than the caller who set the provider's address.
        const role = draft.find(RoleRows, admin.roleId, "read");
        if (!role || !servesRole(provider, role)) return { answer: "unserved", audit: null };
        const outcome = completeLogin(draft, sso.access, login);
        draft.update(OidcLinkRows, held.id, {
          lastUsedAt: draft.time,
          email: identity.email === "" ? held.email : identity.email,
        });
        const note = loginNote(outcome);
        return { answer: outcome.kind, audit: note && { ...note, obj: { ...note.obj, provider: provider.id } } };
      },
    });
    if (answer === "unlinked") return "login?sso=unlinked";
    if (answer === "unserved") {
      log.warn(
        { provider: provider.id, admin: adminId },
        "an account reaches further than whoever set up its identity provider; a main admin who covers it must save the provider anew",
      );
      return "login?sso=error";
    }
    clearCookie(OIDC_COOKIE);
    if (answer === "pending") return `login?sso=mfa#${token.value}`;
    setCookie(SESSION_COOKIE, token.value, attempt.remember ? sessionLifetime(true) : undefined);
    return "";
  } catch (error) {
    if (error instanceof Refusal && error.kind === "account_expired") return "login?sso=account-expired";
    if (error instanceof Refusal && error.kind === "bad_credentials") return "login?sso=error";
    throw error;
  }
}
