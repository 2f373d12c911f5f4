// /api/changes: the audit log, newest first, its facets and its purge (document 1; decisions 4).
import { z } from "zod";
import { lock, sql } from "../db/index.ts";
import { listRoute, pageOf, queryCount, route, type Condition, type Route } from "../http/index.ts";
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

  /** One look at the log: of different combinations there are few. */
  async function facets(): Promise<z.input<typeof Facets>> {
    const rows = await reads.query<{ actor: string; collection: string; action: string }>(
      sql`select distinct actor, collection, action from changes`,
    );
    const distinct = (name: "actor" | "collection" | "action") => [...new Set(rows.map((row) => row[name]))].toSorted();
    return { actors: distinct("actor"), keys: distinct("collection"), actions: distinct("action") };
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
    // The name that the document prints.
    facetsAt("/changes/facetsj"),
    route({
      ...shared,
      method: "DELETE",
      path: "/changes",
      summary: "Empty the audit log; the purge is itself recorded",
      query: z.object({ before: queryCount.optional() }),
      answer: z.object({ deleted: z.int() }),
      audit: { key: "changes", action: "delete" },
      handle: async ({ query, origin, submit, commit }) => {
        const purge = await submit({
          name: "changes.purge",
          locks: [],
          decide: (draft) => beginPurge(draft, origin, query.before ?? 0),
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
        action: z.string().optional(),
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
