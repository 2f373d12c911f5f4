// /api/me/oidc (rule access.sso.8): the identities that sign in as the caller. Sessions only.
import { z } from "zod";
import { lock } from "../../db/index.ts";
import { idParams, notFound, okAnswer, Refusal, route, unixTime, type Caller, type Route } from "../../http/index.ts";
import { AdminRows, RoleRows } from "../records/admin.entity.ts";
import { passwords } from "../login/password-queue.ts";
import { ATTEMPT_KEPT, beginAttempt, beginLocks } from "./attempts.commands.ts";
import { OidcLinkRows } from "./link.entity.ts";
import { linksOf } from "./links.queries.ts";
import { servesRole } from "./provider-reach.ts";
import { OidcProviderRows } from "./provider.entity.ts";
import { attemptBody, OidcStarted } from "./sign-in.routes.ts";
import { prepareAttempt } from "./start-attempt.ts";
import { OIDC_COOKIE, type Sso } from "./sso.ts";

const OidcLink = z
  .object({
    id: z.int(),
    provider: z.int(),
    providerName: z.string(),
    subject: z.string(),
    email: z.string(),
    createdAt: unixTime,
    lastUsedAt: unixTime.describe("0 = never"),
  })
  .meta({ id: "OidcLink" });

const own = { scope: "-", tokenStatus: 400 } as const;

export function linkRoutes(sso: Sso): Route[] {
  const { reads, guard } = sso.access;

  /** The stored hash of the caller's password. A wrong one is 403, counted and told as a failed login. */
  async function verifiedPassword(caller: Caller, password: string, ip: string): Promise<string> {
    return guard.attempt(ip, async () => {
      const account = (await reads.find(AdminRows, caller.adminId)) ?? notFound("admin", caller.adminId);
      if (await passwords.matches(account.passwordHash, password, "known")) return account.passwordHash;
      await guard.refused({ ip, reason: "refused sign-ins", login: { username: caller.username, stage: "password" } });
      throw new Refusal("forbidden", { message: "wrong password", code: "wrong_password", field: "password" });
    });
  }

  /**
   * Throws 403 for a provider that was set up by somebody who reaches less than the caller's account. Decided again
   * when the link is made.
   */
  async function refuseUnserved(caller: Caller, providerId: number): Promise<void> {
    const [provider, account] = await Promise.all([
      reads.find(OidcProviderRows, providerId),
      reads.find(AdminRows, caller.adminId),
    ]);
    const role = account && (await reads.find(RoleRows, account.roleId));
    if (provider && role && !servesRole(provider, role)) {
      const message = "whoever set the provider up reaches less than this account";
      throw new Refusal("forbidden", { message, code: "provider_reach", field: "provider" });
    }
  }

  return [
    route({
      ...own,
      method: "GET",
      path: "/me/oidc",
      summary: "The identities that sign in as this account",
      answer: z.array(OidcLink),
      handle: async ({ caller }) =>
        (await linksOf(reads, caller.adminId)).map((link) => ({ ...link, provider: link.providerId })),
    }),
    route({
      ...own,
      method: "POST",
      path: "/me/oidc/link",
      summary: "Begin to link an identity to this account",
      description: "Sets the cookie `panel_oidc`; the way back lands on `dashboard?sso=…`.",
      body: z.object({ ...attemptBody, password: z.string().max(4096) }),
      answer: OidcStarted,
      audit: { key: "oidc-links", action: "start" },
      secretAnswer: true,
      statuses: [502],
      codes: ["wrong_password", "provider_reach", "provider_off", "changed_meanwhile", "too_busy"],
      handle: async ({ caller, body, request, commit, setCookie }) => {
        const passwordHash = await verifiedPassword(caller, body.password, request.ip);
        const { provider, redirectUri } = body;
        const { adminId, sessionId } = caller;
        await refuseUnserved(caller, provider);
        const link = { adminId, sessionId, passwordHash };
        const { url, row, browser } = await prepareAttempt(sso, request, {
          provider,
          redirectUri,
          remember: false,
          link,
        });
        const rendered = await commit({
          locks: beginLocks(row),
          decide(draft) {
            beginAttempt(draft, row);
            return { answer: { url }, audit: { entityId: "", obj: { provider } } };
          },
        });
        setCookie(OIDC_COOKIE, browser, ATTEMPT_KEPT);
        return rendered;
      },
    }),
    route({
      ...own,
      method: "DELETE",
      path: "/me/oidc/links/{id}",
      summary: "Unlink an identity; sessions that came from it stay",
      params: idParams,
      answer: okAnswer,
      audit: { key: "oidc-links", action: "delete" },
      statuses: [404],
      handle: ({ caller, params: { id }, commit }) =>
        commit({
          locks: [lock(AdminRows, caller.adminId, "read"), lock(OidcLinkRows, id)],
          decide(draft) {
            const row = draft.find(OidcLinkRows, id);
            if (row?.adminId !== caller.adminId) return notFound("link", id);
            draft.delete(OidcLinkRows, id);
            const { providerId: provider, subject, email } = row;
            return { answer: { ok: true }, audit: { entityId: id, before: { provider, subject, email } } };
          },
        }),
    }),
  ];
}
