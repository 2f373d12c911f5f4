// /api/tokens (rules admins.token).
import { z } from "zod";
import { lock, sql, type Draft } from "../../db/index.ts";
import {
  type Caller,
  count,
  coversScopes,
  CREDENTIALS_ENDED,
  idParams,
  invalid,
  isScope,
  line,
  listRoute,
  matching,
  notFound,
  okAnswer,
  pageOf,
  Refusal,
  route,
  type Route,
  rule,
  writtenTime,
} from "../../http/index.ts";
import { apiToken, sha256Hex } from "../../lib/ids.ts";
import type { Access } from "../access.ts";
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../records/admin.entity.ts";
import { takeRole } from "./admins.commands.ts";
import { roleNamed } from "../rights/builtin-roles.ts";
import { ApiTokenRows, type ApiTokenRow } from "../records/credential.entity.ts";
import { coversRole, outranks, tokenScopes } from "../rights/reach.ts";

const ApiToken = z
  .object({
    id: z.int(),
    desc: z.string(),
    role: z.string(),
    adminId: z.int(),
    adminName: z.string(),
    scopes: z.array(z.string()),
    addon: z.string(),
    rateLimit: z.int(),
    expiry: z.int(),
    managedBy: z.string().optional(),
    lastUsedAt: z.int(),
    lastUsedIp: z.string(),
    createdAt: z.int(),
    expired: z.boolean(),
  })
  .meta({ id: "ApiToken" });
const CreatedToken = ApiToken.extend({ token: z.string() }).meta({ id: "ApiTokenCreated" });

const TokenBody = z.object({
  desc: line(256).default(""),
  role: z.string().max(64).default(""),
  adminId: count.default(0),
  scopes: z.array(z.string()).max(100).default([]),
  addon: z
    .string()
    .check(matching(/^[a-z0-9_-]{0,32}$/, rule("slug")))
    .default(""),
  rateLimit: count.max(1_000_000).default(0),
  expiry: writtenTime.default(0),
});
type TokenFields = z.output<typeof TokenBody>;

const shared = { scope: "tokens:write", tiers: ["sudo"] } as const;

interface Named {
  readonly role: string;
  readonly adminName: string;
}

/**
 * Throws 403 where the token would reach more than the caller: a scope that the caller lacks, or the owner's whole
 * role, where no scopes are named or the owner is another account.
 */
function refuseWider(caller: Caller, owner: AdminRow, ownerRole: RoleRow, scopes: readonly string[]): void {
  const whole = scopes.length === 0 || owner.id !== caller.adminId;
  if (!coversScopes(caller.scopes, scopes) || (whole && !coversRole(caller, ownerRole))) {
    throw new Refusal("forbidden", { message: "the token would reach more than the caller" });
  }
}

/**
 * Throws 403 where the caller may not end a token: one of another account needs all of that account's role, an own one
 * what it reaches.
 */
function refuseStronger(caller: Caller, token: ApiTokenRow, { own, lent }: Record<"own" | "lent", RoleRow>): void {
  const covers =
    token.adminId === caller.adminId
      ? coversScopes(caller.scopes, [...tokenScopes(token, [lent, own])])
      : coversRole(caller, own);
  if (!covers) throw new Refusal("forbidden", { message: "the token reaches more than the caller" });
}

export function tokenRoutes(access: Access): Route[] {
  const { reads, activity, now, ports } = access;

  function view(row: ApiTokenRow, { role, adminName }: Named): z.input<typeof ApiToken> {
    const { id, description: desc, adminId, scopes, addon, rateLimit, expiry, createdAt } = row;
    const { at: lastUsedAt, ip: lastUsedIp } = activity.lastUse(row);
    const expired = expiry > 0 && expiry <= Math.floor(now() / 1000);
    const managed = addon === "" ? {} : { managedBy: addon };
    return {
      id,
      desc,
      role,
      adminId,
      adminName,
      scopes,
      addon,
      rateLimit,
      expiry,
      ...managed,
      lastUsedAt,
      lastUsedIp,
      createdAt,
      expired,
    };
  }

  async function views(rows: readonly ApiTokenRow[]): Promise<z.input<typeof ApiToken>[]> {
    const [admins, roles] = await Promise.all([
      reads.rows(AdminRows, sql`select * from admins`),
      reads.rows(RoleRows, sql`select * from roles`),
    ]);
    const adminNames = new Map(admins.map((admin) => [admin.id, admin.username]));
    const roleNames = new Map(roles.map((role) => [role.id, role.name]));
    return rows.map((row) =>
      view(row, { role: roleNames.get(row.roleId) ?? "", adminName: adminNames.get(row.adminId) ?? "" }),
    );
  }

  function checkFields({ scopes, addon }: TokenFields): void {
    for (const scope of scopes) if (!isScope(scope)) invalid("scopes", rule("absent", "scope", scope));
    if (addon !== "" && ports.isAddon?.(addon) !== true) invalid("addon", rule("absent", "addon", addon));
  }

  /** The owner, its role, and the token's own role, locked. */
  function holders(
    draft: Draft,
    adminId: number,
    roleId: number | undefined,
  ): { owner: AdminRow; ownerRole: RoleRow; role: RoleRow } {
    const owner = draft.find(AdminRows, adminId) ?? invalid("adminId", rule("absent", "admin", adminId));
    const ownerRole = draft.find(RoleRows, owner.roleId) ?? notFound("role", owner.roleId);
    const role = takeRole(draft, roleId ?? ownerRole.id);
    if (outranks(role.base, ownerRole.base)) invalid("role", rule("outranks"));
    return { owner: { ...owner }, ownerRole: { ...ownerRole }, role };
  }

  return [
    listRoute({
      ...shared,
      path: "/tokens",
      summary: "API tokens",
      item: ApiToken,
      list: { q: ["description", "addon"], order: "id" },
      handle: async ({ list }) => {
        const page = await pageOf(reads, ApiTokenRows, list);
        return { rows: await views(page.rows), total: page.total };
      },
    }),
    route({
      ...shared,
      method: "GET",
      path: "/tokens/{id}",
      summary: "One API token, without its text",
      params: idParams,
      answer: ApiToken,
      statuses: [404],
      handle: async ({ params: { id } }) => {
        const row = (await reads.find(ApiTokenRows, id)) ?? notFound("token", id);
        const [shown] = await views([row]);
        return shown ?? notFound("token", id);
      },
    }),
    route({
      ...shared,
      method: "POST",
      path: "/tokens",
      sensitive: true,
      summary: "Create an API token; its text is shown once",
      body: TokenBody,
      answer: CreatedToken,
      audit: { key: "tokens", action: "create" },
      secretAnswer: true,
      handle: async ({ caller, body, commit }) => {
        checkFields(body);
        const named =
          body.role === ""
            ? undefined
            : ((await roleNamed(reads, body.role)) ?? invalid("role", rule("absent", "role", body.role)));
        const adminId = body.adminId === 0 ? caller.adminId : body.adminId;
        const token = apiToken();
        return commit({
          locks: [lock(AdminRows, adminId)],
          decide(draft) {
            const { owner, ownerRole, role } = holders(draft, adminId, named?.id);
            refuseWider(caller, owner, ownerRole, body.scopes);
            const { desc: description, scopes, addon, rateLimit, expiry } = body;
            const fresh = {
              description,
              scopes,
              addon,
              rateLimit,
              expiry,
              lastUsedAt: 0,
              lastUsedIp: "",
              createdAt: draft.time,
            };
            const row: ApiTokenRow = {
              id: draft.nextId("api_tokens"),
              hash: sha256Hex(token),
              adminId,
              roleId: role.id,
              ...fresh,
            };
            draft.insert(ApiTokenRows, row);
            const shown = view(row, { role: role.name, adminName: owner.username });
            return { answer: { ...shown, token }, audit: { entityId: row.id, after: shown } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "DELETE",
      path: "/tokens/{id}",
      sensitive: true,
      summary: "Delete an API token; it stops authenticating at once",
      params: idParams,
      answer: okAnswer,
      audit: { key: "tokens", action: "delete" },
      statuses: [404],
      admit: async (_caller, { id }) => {
        if (!(await reads.find(ApiTokenRows, id))) notFound("token", id);
      },
      handle: async ({ caller, params: { id }, commit }) => {
        const seen = (await reads.find(ApiTokenRows, id)) ?? notFound("token", id);
        const [shown] = await views([seen]);
        return commit({
          locks: [lock(ApiTokenRows, id), lock(AdminRows, seen.adminId, "read"), lock(RoleRows, seen.roleId, "read")],
          decide(draft) {
            const row = draft.find(ApiTokenRows, id) ?? notFound("token", id);
            const owner = draft.find(AdminRows, row.adminId, "read");
            const [own, lent] = [
              owner && draft.find(RoleRows, owner.roleId, "read"),
              draft.find(RoleRows, row.roleId, "read"),
            ];
            // A token without them reaches nothing.
            if (own && lent) refuseStronger(caller, row, { own: { ...own }, lent: { ...lent } });
            if (row.addon !== "")
              throw new Refusal("conflict", {
                code: "held_by_addon",
                message: `the addon ${row.addon} holds the token`,
              });
            draft.delete(ApiTokenRows, id);
            draft.publish(CREDENTIALS_ENDED, id);
            return { answer: { ok: true }, audit: { entityId: id, ...(shown === undefined ? {} : { before: shown }) } };
          },
        });
      },
    }),
  ];
}
