// /api/changes: the audit log, newest first, its facets and its purge (rules admins.audit).
import { z } from "zod";
import { lock, sql } from "../db/index.ts";
import { AUDIT_ACTIONS, listRoute, pageOf, queryCount, route, type Condition, type Route } from "../http/index.ts";
import type { Access } from "./access.ts";
import { redactFields } from "./audit-log.ts";
import { ChangeRows } from "./change.entity.ts";
import { beginPurge, endPurge, forgetChanges } from "./changes.commands.ts";

const Change = z
  .object({
    id: z.int(),
    time: z.int(),
    actor: z.string(),
    adminId: z.int(),
    via: z.enum(["session", "token", "cli", "system"]),
    tokenId: z.int(),
    ip: z.string(),
    key: z.string(),
    entityId: z.string(),
    action: z.string(),
    obj: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Change" });

const Facets = z
  .object({ actors: z.array(z.string()), keys: z.array(z.string()), actions: z.array(z.string()) })
  .meta({ id: "ChangeFacets" });
const shared = { scope: "admins:write", tiers: ["sudo"] } as const;

export function changeRoutes(access: Access): Route[] {
  const { reads } = access;

  /** Distinct values by steps along an index: the log may be long, its values are few. */
  async function distinct(name: "actor" | "collection" | "action"): Promise<string[]> {
    const column = sql.raw(name);
    const rows = await reads.query<{ value: string }>(
      sql`with recursive seen(value) as (
        select min(${column}) from changes
        union all select (select min(${column}) from changes where ${column} > seen.value) from seen where seen.value is not null
      ) select value from seen where value is not null`,
    );
    return rows.map((row) => row.value).toSorted();
  }

  async function facets(): Promise<z.input<typeof Facets>> {
    const [actors, keys, actions] = await Promise.all([distinct("actor"), distinct("collection"), distinct("action")]);
    return { actors, keys, actions };
  }

  const facetsAt = (path: "/changes/facets" | "/changes/facetsj"): Route =>
    route({
      ...shared,
      method: "GET",
      path,
      summary: "Actors, entity types and actions that the log knows",
      answer: Facets,
      handle: facets,
    });

  return [
    facetsAt("/changes/facets"),
    // A second name, for those who know it by this one (rule admins.audit.5).
    facetsAt("/changes/facetsj"),
    route({
      ...shared,
      method: "DELETE",
      path: "/changes",
      sensitive: true,
      summary: "Empty the audit log; the purge is itself recorded",
      query: z.object({ before: queryCount.optional() }),
      answer: z.object({ deleted: z.int() }),
      audit: { key: "changes", action: "delete" },
      handle: async ({ query, origin, submit, commit }) => {
        const purge = await submit({
          name: "changes.purge",
          locks: [],
          decide: (draft) => beginPurge(draft, query.before ?? 0, origin),
        });
        const deleted = await forgetChanges(access, query.before ?? purge.begunAt + 1, purge.recordId);
        return commit({
          locks: [lock(ChangeRows, purge.recordId)],
          decide(draft) {
            endPurge(draft, purge, deleted);
            // The record is there already.
            return { answer: { deleted }, audit: null };
          },
        });
      },
    }),
    listRoute({
      ...shared,
      path: "/changes",
      summary: "Audit log, newest first",
      item: Change,
      list: { q: ["actor", "collection", "entity_id", "action"], updatedAt: "time", order: "time desc, id desc" },
      query: z.object({
        actor: z.string().optional(),
        key: z.string().optional(),
        action: z.enum(AUDIT_ACTIONS).optional(),
        from: queryCount.optional(),
        to: queryCount.optional(),
      }),
      handle: async ({ list, query }) => {
        const where: Condition[] = [];
        if (query.actor !== undefined) where.push(sql<boolean>`actor = ${query.actor}`);
        if (query.key !== undefined) where.push(sql<boolean>`collection = ${query.key}`);
        if (query.action !== undefined) where.push(sql<boolean>`action = ${query.action}`);
        if (query.from !== undefined) where.push(sql<boolean>`time >= ${query.from}`);
        if (query.to !== undefined) where.push(sql<boolean>`time <= ${query.to}`);
        const page = await pageOf(reads, ChangeRows, list, { where });
        return {
          rows: page.rows.map(({ collection, obj, ...row }) => ({ ...row, key: collection, obj: redactFields(obj) })),
          total: page.total,
        };
      },
    }),
  ];
}
