// /api/me: the caller's own account, password and sessions.
import { z } from "zod";
import { lock, sql } from "../../db/index.ts";
import {
  idParams,
  invalid,
  notFound,
  okAnswer,
  Refusal,
  route,
  type Route,
  rule,
  SESSION_COOKIE,
} from "../../http/index.ts";
import type { Access } from "../access.ts";
import { sessionLifetime } from "../rights/last-use.ts";
import { AdminRows } from "../records/admin.entity.ts";
import { SessionRows } from "../records/credential.entity.ts";
import { holdingsOf } from "../rights/holdings.ts";
import { AdminSession, Me, meView } from "../rights/me.schema.ts";
import { ownAccount } from "../rights/own-account.ts";
import { passwords } from "../login/password-queue.ts";
import { checkPassword } from "../login/passwords.ts";
import { endSession, endSessions, keptSession } from "../login/sessions.commands.ts";

export function meRoutes(access: Access): Route[] {
  const { reads, settings, activity, guard, now } = access;

  return [
    route({
      method: "GET",
      path: "/me",
      scope: "",
      summary: "Who is calling",
      answer: Me,
      handle: async ({ caller, request, setCookie }) => {
        const session = caller.via === "session" ? await reads.find(SessionRows, caller.sessionId) : undefined;
        const value = request.cookie(SESSION_COOKIE);
        // A remembered session slides with use; so does its cookie.
        if (session?.remember && value !== undefined) setCookie(SESSION_COOKIE, value, sessionLifetime(true));
        const [account, holdings] = await Promise.all([
          ownAccount(access, caller),
          holdingsOf(access, [caller.adminId]),
        ]);
        return meView(caller, account, settings, holdings(caller.adminId));
      },
    }),
    route({
      method: "PUT",
      path: "/me/password",
      scope: "-",
      summary: "Change the own password; ends the account's other sessions",
      body: z.object({ currentPassword: z.string().max(4096), newPassword: z.string().max(4096) }),
      answer: okAnswer,
      audit: { key: "admins", action: "password" },
      statuses: [401],
      codes: ["too_busy"],
      handle: async ({ caller, body, request, commit }) => {
        checkPassword(body.newPassword, caller.username, "newPassword");
        const verified = await guard.attempt(request.ip, async () => {
          const account = await ownAccount(access, caller);
          if (await passwords.matches(account.passwordHash, body.currentPassword, "known")) return account;
          await guard.refused({
            ip: request.ip,
            reason: "refused sign-ins",
            login: { username: caller.username, stage: "password" },
          });
          throw new Refusal("bad_credentials", { message: "wrong password", field: "currentPassword" });
        });
        const passwordHash = await passwords.hash(body.newPassword, "known");
        return commit({
          locks: [lock(AdminRows, caller.adminId), ...keptSession(caller.sessionId)],
          decide(draft) {
            const admin = draft.find(AdminRows, caller.adminId) ?? notFound("admin", caller.adminId);
            if (admin.passwordHash !== verified.passwordHash) throw new Refusal("bad_credentials");
            draft.touch(AdminRows, admin.id, { passwordHash });
            endSessions(draft, admin.id, caller.sessionId);
            return { answer: { ok: true }, audit: { entityId: admin.id } };
          },
        });
      },
    }),
    route({
      method: "PUT",
      path: "/me/dashboard-tiles",
      scope: "-",
      summary: "Choose the dashboard's tiles",
      body: z.object({ value: z.string().max(8192) }),
      answer: z.object({ value: z.string() }),
      audit: { key: "admins", action: "dashboard" },
      handle: ({ caller, body, commit }) => {
        const keys = body.value === "" ? [] : body.value.split(",");
        if (keys.length > 64 || keys.some((key) => !/^[a-z0-9-]{1,64}$/.test(key))) invalid("value", rule("tiles"));
        return commit({
          locks: [lock(AdminRows, caller.adminId)],
          decide(draft) {
            const admin = draft.find(AdminRows, caller.adminId) ?? notFound("admin", caller.adminId);
            draft.update(AdminRows, admin.id, { dashboardTiles: body.value });
            return {
              answer: { value: body.value },
              audit: { entityId: admin.id, obj: { dashboardTiles: [admin.dashboardTiles, body.value] } },
            };
          },
        });
      },
    }),
    route({
      method: "GET",
      path: "/me/sessions",
      scope: "-",
      tokenStatus: 400,
      summary: "The account's logins, most recently active first",
      answer: z.array(AdminSession),
      handle: async ({ caller }) => {
        const time = Math.floor(now() / 1000);
        const rows = await reads.rows(SessionRows, sql`select * from sessions where admin_id = ${caller.adminId}`);
        const seen = rows.map((row) => {
          const lastSeenAt = activity.lastSeen(row);
          return {
            ...row,
            current: row.id === caller.sessionId,
            lastSeenAt,
            expiresAt: lastSeenAt + sessionLifetime(row.remember),
          };
        });
        const unexpired = seen.filter(({ expiresAt }) => expiresAt > time);
        return unexpired.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt || b.id - a.id);
      },
    }),
    route({
      method: "DELETE",
      path: "/me/sessions",
      scope: "-",
      tokenStatus: 400,
      summary: "End every session of the account but the current one",
      answer: okAnswer,
      audit: { key: "sessions", action: "delete" },
      handle: ({ caller, commit }) =>
        commit({
          locks: [lock(AdminRows, caller.adminId), ...keptSession(caller.sessionId)],
          decide(draft) {
            endSessions(draft, caller.adminId, caller.sessionId);
            return { answer: { ok: true } };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/me/sessions/{id}",
      scope: "-",
      tokenStatus: 400,
      summary: "End one session; the current one: sign out",
      params: idParams,
      answer: okAnswer,
      audit: { key: "sessions", action: "delete" },
      statuses: [404],
      handle: async ({ caller, params, commit, clearCookie }) => {
        const rendered = await commit({
          locks: [lock(SessionRows, params.id)],
          decide(draft) {
            const row = draft.find(SessionRows, params.id);
            if (row?.adminId !== caller.adminId || row.expiresAt <= draft.time) return notFound("session", params.id);
            endSession(draft, params.id);
            return { answer: { ok: true }, audit: { entityId: params.id } };
          },
        });
        if (params.id === caller.sessionId) clearCookie(SESSION_COOKIE);
        return rendered;
      },
    }),
  ];
}
