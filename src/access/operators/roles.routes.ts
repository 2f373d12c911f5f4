// /api/roles (rules admins.role).
import { z } from "zod";
import { lock, sql, type Draft } from "../../db/index.ts";
import {
  type Caller,
  changedFields,
  count,
  idParams,
  invalid,
  isScope,
  line,
  listRoute,
  matching,
  notFound,
  okAnswer,
  pageOf,
  paragraphs,
  Refusal,
  route,
  type Route,
  rule,
  refuseOutdated,
  ruleSaying,
  TIERS,
  version,
} from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows, RoleRows, type RoleRow } from "../records/admin.entity.ts";
import { refuseUncovered } from "../rights/uncovered.ts";
import { TIER_SCOPES } from "../rights/reach.ts";
import { endSessions } from "../login/sessions.commands.ts";

const Role = z
  .object({
    id: z.int(),
    name: z.string(),
    base: z.enum(["sudo", "admin", "resale"]),
    builtin: z.boolean(),
    description: z.string(),
    scopes: z.array(z.string()),
    userLimit: z.int(),
    maxDeviceLimit: z.int(),
    maxDuration: z.int(),
    admins: z.int(),
    createdAt: z.int(),
    updatedAt: z.int(),
  })
  .meta({ id: "Role" });

const RoleBody = z
  .object({
    name: line(64).check(
      matching(/^\S(.*\S)?$/u, ruleSaying("must not be empty, nor begin or end with a space", "edge_spaces")),
    ),
    base: z.enum(["sudo", "admin", "resale"]),
    description: paragraphs(1024).default(""),
    scopes: z
      .array(z.string())
      .min(1)
      .max(100)
      .transform((scopes) => [...new Set(scopes)]),
    userLimit: count.default(0),
    maxDeviceLimit: count.default(0),
    maxDuration: count.default(0),
  })
  .meta({ id: "RoleWrite" });
type RoleFields = z.output<typeof RoleBody>;
const RoleUpdate = RoleBody.extend({ version }).meta({ id: "RoleUpdate" });

const shared = { scope: "admins:write", tiers: ["sudo"] } as const;

/**
 * A role is not called like a tier, in any spelling, and names scopes that exist and that its tier has: it narrows and
 * never widens.
 */
function checkRole({ name, base, scopes }: RoleFields): void {
  if (TIERS.some((tier) => tier === name.toLowerCase()))
    throw new Refusal("duplicate", { message: `name: ${name} is a built-in role`, field: "name" });
  for (const scope of scopes) {
    if (!isScope(scope)) invalid("scopes", rule("absent", "scope", scope));
    if (!TIER_SCOPES[base].has(scope)) invalid("scopes", rule("outside_tier", scope, base));
  }
}

function roleView(row: RoleRow, admins: number): z.input<typeof Role> {
  const { assignments: _assignments, ...shown } = row;
  return { ...shown, admins };
}

export function roleRoutes(access: Access): Route[] {
  const { reads } = access;

  /** Accounts on a role, by id. */
  async function holders(roleId: number): Promise<{ id: number; username: string }[]> {
    const rows = await reads.query<{ id: number | string; username: string }>(
      sql`select id, username from admins where role_id = ${roleId} order by id`,
    );
    return rows.map((row) => ({ id: Number(row.id), username: row.username }));
  }

  async function counts(): Promise<Map<number, number>> {
    const rows = await reads.query<{ id: number | string; admins: number | string }>(
      sql`select role_id as id, count(*) as admins from admins group by role_id`,
    );
    return new Map(rows.map((row) => [Number(row.id), Number(row.admins)]));
  }

  async function existing(_caller: Caller, { id }: { id: number }): Promise<void> {
    if (!(await reads.find(RoleRows, id))) notFound("role", id);
  }

  function editable(draft: Draft, id: number): RoleRow {
    const row = draft.find(RoleRows, id) ?? notFound("role", id);
    if (row.builtin) throw new Refusal("bad_request", { message: "a built-in role cannot be changed" });
    return { ...row };
  }

  /** What was read of the role's holders must still hold. */
  function refuseTaken(now: RoleRow, seen: RoleRow): void {
    if (now.assignments !== seen.assignments)
      throw new Refusal("conflict", {
        code: "changed_meanwhile",
        message: "the role was given to an account meanwhile",
      });
  }

  /**
   * The owner stays a main admin, and so there is always one. The role's lock holds back a transfer to one of these
   * accounts.
   */
  function refuseOwners(draft: Draft, held: readonly { id: number }[]): void {
    const ids = held.map((admin) => admin.id);
    if (draft.findAll(AdminRows, ids, "read").some((admin) => admin.owner))
      throw new Refusal("bad_request", { message: "the owner holds the role and stays a main admin", field: "base" });
  }

  return [
    listRoute({
      ...shared,
      path: "/roles",
      summary: "Roles",
      item: Role,
      list: { q: ["name", "description"], updatedAt: "updated_at", order: "id", sorts: { id: "id", name: "name" } },
      handle: async ({ list }) => {
        const [page, admins] = await Promise.all([pageOf(reads, RoleRows, list), counts()]);
        return { rows: page.rows.map((row) => roleView(row, admins.get(row.id) ?? 0)), total: page.total };
      },
    }),
    route({
      ...shared,
      method: "GET",
      path: "/roles/{id}",
      summary: "One role",
      params: idParams,
      answer: Role,
      statuses: [404],
      handle: async ({ params: { id } }) => {
        const row = (await reads.find(RoleRows, id)) ?? notFound("role", id);
        return roleView(row, (await holders(id)).length);
      },
    }),
    route({
      ...shared,
      method: "POST",
      path: "/roles",
      sensitive: true,
      summary: "Create a role",
      body: RoleBody,
      answer: Role,
      audit: { key: "roles", action: "create" },
      handle: ({ caller, body, commit }) => {
        checkRole(body);
        return commit({
          locks: [],
          decide(draft) {
            const row: RoleRow = {
              id: draft.nextId("roles"),
              ...body,
              builtin: false,
              assignments: 0,
              createdAt: draft.time,
              updatedAt: draft.time,
            };
            refuseUncovered(caller, row);
            draft.insert(RoleRows, row);
            const answer = roleView(row, 0);
            return { answer, audit: { entityId: row.id, after: answer } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "PUT",
      path: "/roles/{id}",
      sensitive: true,
      summary: "Edit a role; ends every session on it",
      params: idParams,
      body: RoleUpdate,
      answer: Role,
      audit: { key: "roles", action: "update" },
      statuses: [404],
      admit: existing,
      handle: async ({ caller, origin, params: { id }, body, commit }) => {
        const { version: read, ...fields } = body;
        checkRole(fields);
        const seen = (await reads.find(RoleRows, id)) ?? notFound("role", id);
        const held = await holders(id);
        // Another base makes resellers of its holders, or of resellers something else.
        const rebased = seen.base === fields.base ? [] : held.map((admin) => admin.id);
        return commit({
          locks: [lock(RoleRows, id), ...(access.ports.allowanceLocks?.(rebased) ?? [])],
          decide(draft) {
            const old = editable(draft, id);
            const row: RoleRow = { ...old, ...fields };
            refuseUncovered(caller, old);
            refuseUncovered(caller, row);
            refuseOutdated(read, old, () => roleView(old, held.length));
            refuseTaken(old, seen);
            if (row.base !== "sudo") refuseOwners(draft, held);
            const after = draft.touch(RoleRows, id, fields);
            for (const admin of held) endSessions(draft, admin.id);
            for (const admin of rebased) access.ports.allowanceChanged?.(draft, admin, origin);
            const answer = roleView(after, held.length);
            return { answer, audit: { entityId: id, obj: changedFields(roleView(old, held.length), answer) } };
          },
        });
      },
    }),
    route({
      ...shared,
      method: "DELETE",
      path: "/roles/{id}",
      sensitive: true,
      summary: "Delete a role that no account holds",
      params: idParams,
      answer: okAnswer,
      audit: { key: "roles", action: "delete" },
      statuses: [404],
      admit: existing,
      handle: async ({ caller, params: { id }, commit }) => {
        const seen = (await reads.find(RoleRows, id)) ?? notFound("role", id);
        const held = await holders(id);
        const tokens = await reads.query(sql`select id from api_tokens where role_id = ${id}`);
        return commit({
          locks: [lock(RoleRows, id)],
          decide(draft) {
            const row = editable(draft, id);
            refuseUncovered(caller, row);
            if (held.length > 0)
              throw new Refusal("bad_request", {
                message: `the role is held by ${held.map((admin) => admin.username).join(", ")}`,
              });
            if (tokens.length > 0)
              throw new Refusal("bad_request", { message: `the role is held by ${tokens.length} API tokens` });
            refuseTaken(row, seen);
            draft.delete(RoleRows, id);
            return { answer: { ok: true }, audit: { entityId: id, before: roleView(row, 0) } };
          },
        });
      },
    }),
  ];
}
