// GET /api/changes: the audit log, newest first (document 1; decisions 4).
import { z } from "zod";
import { sql } from "../db/index.ts";
import { listRoute, pageOf, queryCount, type Condition, type Route } from "../http/index.ts";
import type { Access } from "./access.ts";
import { redactFields } from "./audit-log.ts";
import { ChangeRows } from "./change.entity.ts";

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

export function changeRoutes({ reads }: Access): Route[] {
  return [
    listRoute({
      path: "/changes",
      scope: "admins:write",
      tiers: ["sudo"],
      summary: "Audit log, newest first",
      item: Change,
      list: { q: ["actor", "collection", "entity_id", "action"], updatedAt: "time", order: "id desc" },
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
