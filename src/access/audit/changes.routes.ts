// /api/changes: the audit log, newest first, its facets, its export and its purge (rules admins.audit).
import { z } from "zod";
import { lock, sql } from "../../db/index.ts";
import { idParams, listRoute, notFound, pageOf, queryTime, RawAnswer, route, type Route } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { ChangeRows } from "../records/change.entity.ts";
import { beginPurge, endPurge, forgetChanges } from "./changes.commands.ts";
import {
  changeConditions,
  ChangeFilters,
  changeView,
  ExportFilters,
  exportedChanges,
  SEARCHED,
} from "./changes.queries.ts";
import { Change, ChangeFacets } from "./changes.schema.ts";

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

  async function facets(): Promise<z.input<typeof ChangeFacets>> {
    const [actors, keys, actions] = await Promise.all([distinct("actor"), distinct("collection"), distinct("action")]);
    return { actors, keys, actions };
  }

  const facetsAt = (path: "/changes/facets" | "/changes/facetsj"): Route =>
    route({
      ...shared,
      method: "GET",
      path,
      summary: "Actors, entity types and actions that the log knows",
      answer: ChangeFacets,
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
      query: z.object({ before: queryTime.optional() }),
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
    route({
      ...shared,
      method: "GET",
      path: "/changes/export",
      summary: "The audit log as a file, newest first",
      description:
        "The filters of the list. `csv` has a head line, and `obj` as JSON in its last column; cells that a spreadsheet would calculate begin with `'`. `ndjson` has one record a line.",
      query: ExportFilters,
      answer: z.string(),
      produces: ["text/csv", "application/x-ndjson"],
      handle: ({ query }) =>
        new RawAnswer(
          query.format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
          exportedChanges(reads, query),
          200,
          {
            "content-disposition": `attachment; filename="changes.${query.format}"`,
            "cache-control": "no-store",
          },
        ),
    }),
    route({
      ...shared,
      method: "GET",
      path: "/changes/{id}",
      summary: "One record of the audit log",
      params: idParams,
      answer: Change,
      statuses: [404],
      handle: async ({ params: { id } }) => changeView((await reads.find(ChangeRows, id)) ?? notFound("change", id)),
    }),
    listRoute({
      ...shared,
      path: "/changes",
      summary: "Audit log, newest first",
      item: Change,
      list: { q: SEARCHED, updatedAt: "time", order: "time desc, id desc" },
      query: ChangeFilters,
      handle: async ({ list, query }) => {
        const page = await pageOf(reads, ChangeRows, list, { where: changeConditions(query) });
        return { rows: page.rows.map(changeView), total: page.total };
      },
    }),
  ];
}
