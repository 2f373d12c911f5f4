// POST /api/login, /api/login/mfa and /api/logout (rules access.login, access.mfa).
import { z } from "zod";
import { lock, sql } from "../../db/index.ts";
import { okAnswer, openRoute, Refusal, SESSION_COOKIE, type Route } from "../../http/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { newSessionToken, type Access } from "../access.ts";
import { sessionLifetime } from "../rights/last-use.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { refuseAddress } from "../rights/authenticate.ts";
import { openedByCode } from "../two-factor/code-attempts.ts";
import { SessionRows } from "../records/credential.entity.ts";
import { holdingsOf } from "../rights/holdings.ts";
import { completeLogin, completeSecondFactor, loginLocks, loginNote } from "./logins.commands.ts";
import { adminNamed, waitingLogin } from "./logins.queries.ts";
import { Me, meView } from "../rights/me.schema.ts";
import { passwords } from "./password-queue.ts";
import { PendingLoginRows } from "../records/pending-login.entity.ts";
import { endSession } from "./sessions.commands.ts";
import { proofOf } from "../two-factor/two-factor.commands.ts";

const LoginBody = z.object({
  username: z.string().max(256),
  password: z.string().max(4096),
  remember: z.boolean().default(false),
});
type Login = z.output<typeof LoginBody>;

const MfaPending = z.object({ pending: z.string(), expiresAt: z.int() }).meta({ id: "MfaPending" });
const MfaBody = z.object({ pending: z.string().max(256), code: z.string().max(64) });

/** The account whose password this is. A refused attempt is counted before the 401. */
async function verifiedAdmin(access: Access, { username, password }: Login, ip: string): Promise<AdminRow> {
  return access.guard.attempt(ip, async () => {
    const admin = await adminNamed(access.reads, username);
    if ((await passwords.matches(admin?.passwordHash, password, access.known.standingOf(ip))) && admin) return admin;
    const shown = username.replace(/\p{Cc}/gu, "").slice(0, 64);
    await access.guard.refused({ ip, reason: "refused sign-ins", login: { username: shown, stage: "password" } });
    throw new Refusal("bad_credentials");
  });
}

export function loginRoutes(access: Access): Route[] {
  const { reads, settings, guard, secretKey } = access;

  return [
    openRoute({
      method: "POST",
      path: "/login",
      summary: "Sign in; with two-factor on the answer is a pending token for /login/mfa",
      body: LoginBody,
      answer: z.union([Me, MfaPending]),
      audit: { key: "sessions", action: "login" },
      statuses: [401, 403, 503],
      codes: ["too_busy"],
      handle: async ({ body, request, commit, setCookie }) => {
        const { ip, userAgent } = request;
        refuseAddress(settings, ip);
        const verified = await verifiedAdmin(access, body, ip);
        const holdings = await holdingsOf(access, [verified.id]);
        const token = newSessionToken();
        const login = {
          adminId: verified.id,
          passwordHash: verified.passwordHash,
          via: "password",
          remember: body.remember,
        } as const;
        const rendered = await commit({
          locks: loginLocks(verified),
          decide(draft) {
            const outcome = completeLogin(draft, access, { ...login, hash: token.hash, ip, userAgent });
            const audit = loginNote(outcome);
            if (outcome.kind === "pending")
              return { answer: { pending: token.value, expiresAt: outcome.expiresAt }, audit };
            return { answer: meView(outcome.caller, outcome.admin, settings, holdings(verified.id)), audit };
          },
        });
        if (!("pending" in rendered.answer))
          setCookie(SESSION_COOKIE, token.value, body.remember ? sessionLifetime(true) : undefined);
        return rendered;
      },
    }),
    openRoute({
      method: "POST",
      path: "/login/mfa",
      summary: "End a sign-in with a code of the second factor, or a recovery code",
      body: MfaBody,
      answer: Me,
      audit: { key: "sessions", action: "login" },
      statuses: [401, 403, 503],
      codes: ["login_ended", "too_busy"],
      handle: async ({ body, request: { ip, userAgent }, commit, setCookie }) => {
        refuseAddress(settings, ip);
        await guard.refuseBanned(ip);
        const waiting = await waitingLogin(access, body.pending);
        const { account, pending } = waiting;
        const holdings = await holdingsOf(access, [account.id]);
        const token = newSessionToken();
        const rendered = await openedByCode(access, {
          ip,
          account,
          pending: pending.id,
          prove: (time) => proofOf(account, secretKey, { code: body.code, accepts: "either", time }),
          change: (proof) =>
            commit({
              locks: [...loginLocks(account), lock(PendingLoginRows, pending.id)],
              decide(draft) {
                const signedIn = completeSecondFactor(draft, access, {
                  waiting,
                  proof,
                  hash: token.hash,
                  ip,
                  userAgent,
                });
                const answer = meView(signedIn.caller, signedIn.admin, settings, holdings(account.id));
                return { answer, audit: loginNote(signedIn) };
              },
            }),
        });
        setCookie(SESSION_COOKIE, token.value, pending.remember ? sessionLifetime(true) : undefined);
        return rendered;
      },
    }),
    openRoute({
      method: "POST",
      path: "/logout",
      summary: "End the current session",
      answer: okAnswer,
      audit: { key: "sessions", action: "logout" },
      handle: async ({ request, commit, clearCookie }) => {
        const value = request.cookie(SESSION_COOKIE) ?? "";
        const [session] = await reads.rows(SessionRows, sql`select * from sessions where hash = ${sha256Hex(value)}`);
        const account = session && (await reads.find(AdminRows, session.adminId));
        clearCookie(SESSION_COOKIE);
        if (!session || !account) return { ok: true } as const;
        const { id: adminId, username: actor } = account;
        return commit({
          name: "session.logout",
          locks: [lock(SessionRows, session.id)],
          decide(draft) {
            endSession(draft, session.id);
            const origin = { via: "session", actor, adminId, tokenId: 0, ip: request.ip } as const;
            return { answer: { ok: true } as const, audit: { entityId: session.id, origin } };
          },
        });
      },
    }),
  ];
}
