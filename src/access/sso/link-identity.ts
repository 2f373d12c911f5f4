// A proven identity is linked to the account whose login began the attempt.
import { lock, UniqueConflict } from "../../db/index.ts";
import { AdminRows, RoleRows } from "../records/admin.entity.ts";
import { SessionRows } from "../records/credential.entity.ts";
import type { LinkResult } from "./landings.ts";
import { insertLink, type Identity } from "./links.commands.ts";
import { linkOf } from "./links.queries.ts";
import { servesRole } from "./provider-reach.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { OIDC_COOKIE, type Callback, type ReturnedAttempt, type Sso } from "./sso.ts";

/**
 * Links only while the starting login exists and the password is unchanged (rule access.sso.9), and only an account
 * that the provider serves; an identity of another account is refused.
 */
export async function linkIdentity(
  sso: Sso,
  { request, commit, clearCookie }: Callback,
  { attempt, provider, keys }: ReturnedAttempt,
  identity: Identity,
): Promise<LinkResult> {
  const { reads } = sso.access;
  const { adminId, sessionId } = attempt;
  const known = await linkOf(reads, provider.id, identity.subject);
  if (known && known.adminId !== adminId) return "link-taken";
  try {
    const { answer } = await commit({
      locks: [lock(AdminRows, adminId), lock(SessionRows, sessionId), lock(OidcProviderRows, provider.id)],
      decide(draft) {
        const admin = draft.find(AdminRows, adminId);
        const session = draft.find(SessionRows, sessionId);
        const signedIn = session?.adminId === adminId && session.expiresAt > draft.time;
        const now = draft.find(OidcProviderRows, provider.id);
        const role = admin && draft.find(RoleRows, admin.roleId, "read");
        const serves = now?.updatedAt === provider.updatedAt && role !== undefined && servesRole(now, role);
        if (!admin || !serves || !signedIn || admin.passwordHash !== keys.passwordHash)
          return { answer: "link-error", audit: null };
        if (known) return { answer: "linked", audit: null };
        const { id: entityId } = insertLink(draft, adminId, now, identity);
        const origin = { via: "session", actor: admin.username, adminId, tokenId: 0, ip: request.ip } as const;
        const after = { provider: provider.id, providerName: provider.name, ...identity };
        return { answer: "linked", audit: { key: "oidc-links", action: "create", entityId, after, origin } };
      },
    });
    if (answer !== "linked") return "link-error";
  } catch (error) {
    if (!(error instanceof UniqueConflict)) throw error;
    // Linked by another attempt meanwhile: whose it is now decides.
    if ((await linkOf(reads, provider.id, identity.subject))?.adminId !== adminId) return "link-taken";
  }
  clearCookie(OIDC_COOKIE);
  return "linked";
}
