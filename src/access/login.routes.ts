// POST /api/login, POST /api/logout (document 1, Session; decisions 2 and 14). Two-factor and single sign-on join here.
import { z } from "zod";
import { lock, sql, type Reader } from "../db/index.ts";
import { okAnswer, openRoute, Refusal, SESSION_COOKIE, type RequestFacts, type Route } from "../http/index.ts";
import { sha256Hex } from "../lib/ids.ts";
import { newSessionToken, type Access } from "./access.ts";
import { sessionLifetime } from "./activity.ts";
import { AdminRows, type AdminRow } from "./admin.entity.ts";
import { refuseAddress } from "./authenticate.ts";
import { SessionRows } from "./credential.entity.ts";
import { completeLogin, loginLocks, loginNote } from "./logins.commands.ts";
import { Me, meView } from "./me.schema.ts";
import { passwordMatches, usernameKey } from "./passwords.ts";
import { endSession } from "./sessions.commands.ts";

const LoginBody = z.object({ username: z.string().max(256), password: z.string().max(4096), remember: z.boolean().default(false) });
type Login = z.output<typeof LoginBody>;

export async function adminNamed(reads: Reader, username: string): Promise<AdminRow | undefined> {
  const [row] = await reads.rows(AdminRows, sql`select * from admins where username_key = ${usernameKey(username)}`);
  return row;
}

/** The account whose password this is. A refused attempt is counted before the 401. */
async function verifiedAdmin(access: Access, { username, password }: Login, ip: string): Promise<AdminRow> {
  return access.guard.attempt(ip, async () => {
    const admin = await adminNamed(access.reads, username);
    if ((await passwordMatches(admin?.passwordHash, password)) && admin) return admin;
    const shown = username.replace(/\p{Cc}/gu, "").slice(0, 64);
    await access.guard.refused({ ip, reason: "refused sign-ins", login: { username: shown, stage: "password" } });
    throw new Refusal("bad_credentials");
  });
}

export function loginRoutes(access: Access): Route[] {
  const { commits, reads, settings } = access;

  /** What a refused or repeated cookie leaves behind: the session that the browser had. */
  async function currentSession(request: RequestFacts) {
    const value = request.cookie(SESSION_COOKIE);
    if (value === undefined || value === "") return undefined;
    const [row] = await reads.rows(SessionRows, sql`select * from sessions where hash = ${sha256Hex(value)}`);
    return row;
  }

  return [
    openRoute({
      method: "POST",
      path: "/login",
      summary: "Sign in",
      body: LoginBody,
      answer: Me,
      audit: { key: "sessions", action: "login" },
      statuses: [401, 403],
      handle: async ({ body, request, commit, setCookie }) => {
        const { ip, userAgent } = request;
        refuseAddress(settings, ip);
        const verified = await verifiedAdmin(access, body, ip);
        const token = newSessionToken();
        const login = { adminId: verified.id, passwordHash: verified.passwordHash, via: "password", remember: body.remember } as const;
        const rendered = await commit({
          locks: loginLocks(verified),
          decide(draft) {
            const outcome = completeLogin(draft, access, { ...login, hash: token.hash, ip, userAgent });
            if (outcome.kind === "pending") throw new Error("no second factor is asked for");
            return { answer: meView(outcome.caller, outcome.admin, settings), audit: loginNote(outcome) };
          },
        });
        setCookie(SESSION_COOKIE, token.value, body.remember ? sessionLifetime(true) : undefined);
        return rendered;
      },
    }),
    openRoute({
      method: "POST",
      path: "/logout",
      summary: "End the current session",
      answer: okAnswer,
      handle: async ({ request, clearCookie }) => {
        const session = await currentSession(request);
        if (session)
          await commits.submit({
            name: "session.logout",
            locks: [lock(SessionRows, session.id)],
            decide: (draft) => endSession(draft, session.id),
          });
        clearCookie(SESSION_COOKIE);
        return { ok: true } as const;
      },
    }),
  ];
}
