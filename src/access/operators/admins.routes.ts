// /api/admins (rules admins.account, admins.reseller).
import { z } from "zod";
import { lock, sql, type Draft } from "../../db/index.ts";
import {
  type Caller,
  changedFields,
  idParams,
  invalid,
  listRoute,
  notFound,
  okAnswer,
  pageOf,
  queryList,
  Refusal,
  refuseOutdated,
  route,
  type Route,
  rule,
} from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import { editedAllowance, newAdmin, refuseLastSudo, sudoIds, takeRole } from "./admins.commands.ts";
import { refuseUncovered, refuseUncoveredAccount, refuseUncoveredPeer } from "../rights/uncovered.ts";
import { Admin, AdminCreate, AdminUpdate, adminView, type AdminView } from "./admins.schema.ts";
import { roleNamed } from "../rights/builtin-roles.ts";
import { ALLOWANCE_STATES, holdingsOf, NO_HOLDINGS } from "../rights/holdings.ts";
import { ApiTokenRows } from "../records/credential.entity.ts";
import { InterfaceRows } from "../records/interface.entity.ts";
import { passwords } from "../login/password-queue.ts";
import { checkPassword, usernameKey } from "../login/passwords.ts";
import { endSessions, keptSession } from "../login/sessions.commands.ts";
import { removeLinks } from "../sso/links.commands.ts";

const shared = { scope: "admins:write", tiers: ["sudo"] } as const;

export function adminRoutes(access: Access): Route[] {
  const { reads, settings, ports } = access;

  async function views(rows: readonly AdminRow[]): Promise<AdminView[]> {
    const [holdings, roles] = await Promise.all([
      holdingsOf(
        access,
        rows.map((row) => row.id),
      ),
      reads.rows(RoleRows, sql`select * from roles`),
    ]);
    const byId = new Map(roles.map((role) => [role.id, role]));
    return rows.map((row) => adminView(row, byId.get(row.roleId) ?? notFound("role", row.roleId), holdings(row.id)));
  }

  async function roleOf(name: string): Promise<RoleRow> {
    return (await roleNamed(reads, name)) ?? invalid("role", rule("absent", "role", name));
  }

  async function admin(id: number): Promise<AdminRow> {
    return (await reads.find(AdminRows, id)) ?? notFound("admin", id);
  }

  async function existing(_caller: Caller, { id }: { id: number }): Promise<void> {
    await admin(id);
  }

  /** The account and its role, locked. */
  function holding(draft: Draft, id: number): { row: AdminRow; role: RoleRow } {
    const row = draft.find(AdminRows, id) ?? notFound("admin", id);
    const role = draft.find(RoleRows, row.roleId, "read") ?? notFound("role", row.roleId);
    return { row: { ...row }, role: { ...role } };
  }

  return [
    listRoute({
      ...shared,
      path: "/admins",
      summary: "Operators",
      query: z.object({
        base: z.enum(["sudo", "admin", "resale"]).optional(),
        state: queryList(ALLOWANCE_STATES).optional(),
      }),
      item: Admin,
      list: {
        q: ["username"],
        updatedAt: "updated_at",
        order: "id",
        sorts: {
          id: "id",
          username: "username_key",
          volume: "volume",
          next_reset: "next_reset",
          expiry: "expiry",
          created_at: "created_at",
          updated_at: "updated_at",
        },
      },
      handle: async ({ list, query: { base, state } }) => {
        const of = (tier: string) => sql<boolean>`role_id in (select id from roles where base = ${tier})`;
        const where = [
          ...(base === undefined ? [] : [of(base)]),
          ...(state === undefined ? [] : [of("resale"), ports.allowanceIs?.(state) ?? sql<boolean>`1 = 1`]),
        ];
        const page = await pageOf(reads, AdminRows, list, { where });
        return { rows: await views(page.rows), total: page.total };
      },
    }),
    route({
      ...shared,
      method: "GET",
      path: "/admins/{id}",
      summary: "One operator",
      params: idParams,
      answer: Admin,
      statuses: [404],
      handle: async ({ params: { id } }) => {
        const [view] = await views([await admin(id)]);
        return view ?? notFound("admin", id);
      },
    }),
    route({
      ...shared,
      method: "POST",
      path: "/admins",
      sensitive: true,
      summary: "Create an operator",
      codes: ["too_busy"],
      body: AdminCreate,
      answer: Admin,
      audit: { key: "admins", action: "create" },
      uniqueFields: { usernameKey: "username" },
      handle: async ({ caller, origin, body, commit }) => {
        const { username, password, role: roleName, ...fields } = body;
        checkPassword(password, username);
        const { id: roleId } = await roleOf(roleName);
        const passwordHash = await passwords.hash(password, "known");
        return commit({
          locks: [lock(RoleRows, roleId)],
          decide(draft) {
            const role = takeRole(draft, roleId);
            refuseUncovered(caller, role);
            const row = newAdmin(draft, { username, passwordHash, roleId, fields }, settings.textAtStart("timezone"));
            draft.insert(AdminRows, row);
            ports.allowanceChanged?.(draft, row.id, origin);
            const answer = adminView(row, role, { ...NO_HOLDINGS, ...ports.allowanceIn?.(draft, row.id) });
            return { answer, audit: { entityId: row.id, after: answer } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "PUT",
      path: "/admins/{id}",
      sensitive: true,
      summary: "Edit an operator; a role change ends its sessions",
      params: idParams,
      body: AdminUpdate,
      answer: Admin,
      audit: { key: "admins", action: "update" },
      uniqueFields: { usernameKey: "username" },
      statuses: [404],
      admit: existing,
      handle: async ({ caller, origin, params: { id }, body, commit }) => {
        const { username, role: roleName, version, ...fields } = body;
        const [{ id: roleId }, candidates, holdings] = await Promise.all([
          roleOf(roleName),
          sudoIds(reads),
          holdingsOf(access, [id]),
        ]);
        return commit({
          locks: [lock(AdminRows, id), lock(RoleRows, roleId)],
          decide(draft) {
            const { row, role: oldRole } = holding(draft, id);
            refuseUncoveredPeer(caller, oldRole);
            const before = adminView(row, oldRole, holdings(id));
            refuseOutdated(version, row, () => before);
            const moved = row.roleId !== roleId;
            const role = moved ? takeRole(draft, roleId) : oldRole;
            if (moved) {
              refuseUncovered(caller, oldRole);
              refuseUncovered(caller, role);
              if (row.owner && role.base !== "sudo")
                throw new Refusal("bad_request", { message: "the owner stays a main admin", field: "role" });
              if (oldRole.base === "sudo" && role.base !== "sudo") refuseLastSudo(draft, id, candidates, "demoted");
              endSessions(draft, id);
            }
            const patch = {
              ...editedAllowance(row, fields, draft.time, settings.textAtStart("timezone")),
              username,
              usernameKey: usernameKey(username),
              roleId,
            };
            draft.touch(AdminRows, id, patch);
            ports.allowanceChanged?.(draft, id, origin);
            const after = draft.find(AdminRows, id) ?? notFound("admin", id);
            const answer = adminView({ ...after }, role, { ...holdings(id), ...ports.allowanceIn?.(draft, id) });
            return { answer, audit: { entityId: id, obj: changedFields(before, answer) } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "DELETE",
      path: "/admins/{id}",
      sensitive: true,
      summary: "Delete an operator with its sessions, tokens and webhooks; its users go to the panel",
      params: idParams,
      answer: okAnswer,
      audit: { key: "admins", action: "delete" },
      statuses: [404],
      admit: existing,
      handle: async ({ caller, origin, params: { id }, commit }) => {
        const [candidates, holdings, depart] = await Promise.all([
          sudoIds(reads),
          holdingsOf(access, [id]),
          ports.departing?.(id),
        ]);
        const answer = await commit({
          locks: [lock(AdminRows, id)],
          decide(draft) {
            const { row, role } = holding(draft, id);
            refuseUncoveredAccount(caller, role);
            if (id === caller.adminId)
              throw new Refusal("bad_request", { message: "an operator cannot delete itself" });
            if (row.owner) throw new Refusal("bad_request", { message: "the owner cannot be deleted" });
            if (role.base === "sudo") refuseLastSudo(draft, id, candidates, "deleted");
            endSessions(draft, id);
            removeLinks(draft, id);
            draft.purge(ApiTokenRows, { adminId: id });
            draft.purge(InterfaceRows, { id });
            depart?.(draft);
            ports.allowanceGone?.(draft, id, origin);
            draft.delete(AdminRows, id);
            return { answer: { ok: true }, audit: { entityId: id, before: adminView(row, role, holdings(id)) } };
          },
        });
        await ports.releaseUsers?.();
        return answer;
      },
    }),
    route({
      ...shared,
      method: "PUT",
      path: "/admins/{id}/password",
      sensitive: true,
      summary: "Reset an operator's password; ends its sessions",
      description: "Of the own account by a session alone: a token that somebody took must not take the account.",
      params: idParams,
      body: z.object({ password: z.string().max(4096) }),
      answer: okAnswer,
      audit: { key: "admins", action: "password" },
      statuses: [404],
      codes: ["own_password", "too_busy"],
      admit: async (caller, { id }) => {
        if (caller.via === "token" && id === caller.adminId)
          throw new Refusal("forbidden", {
            message: "a token does not set its own account's password",
            code: "own_password",
          });
        await admin(id);
      },
      handle: async ({ caller, params: { id }, body, commit }) => {
        checkPassword(body.password, (await admin(id)).username);
        const passwordHash = await passwords.hash(body.password, "known");
        const keep = id === caller.adminId ? caller.sessionId : 0;
        return commit({
          locks: [lock(AdminRows, id), ...keptSession(keep)],
          decide(draft) {
            const { role } = holding(draft, id);
            refuseUncoveredAccount(caller, role);
            draft.touch(AdminRows, id, { passwordHash });
            endSessions(draft, id, keep);
            // A caller who resets another account's password does not trust its identity-provider links, so they are
            // removed; a caller's own links stay.
            if (id !== caller.adminId) removeLinks(draft, id);
            return { answer: { ok: true }, audit: { entityId: id } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "DELETE",
      path: "/admins/{id}/sessions",
      sensitive: true,
      summary: "End an operator's sessions; the caller's own one stays",
      params: idParams,
      answer: okAnswer,
      audit: { key: "admins", action: "sessions.delete" },
      statuses: [404],
      admit: existing,
      handle: ({ caller, params: { id }, commit }) => {
        const keep = id === caller.adminId ? caller.sessionId : 0;
        return commit({
          locks: [lock(AdminRows, id), ...keptSession(keep)],
          decide(draft) {
            refuseUncoveredAccount(caller, holding(draft, id).role);
            endSessions(draft, id, keep);
            return { answer: { ok: true }, audit: { entityId: id } };
          },
        });
      },
    }),
  ];
}
