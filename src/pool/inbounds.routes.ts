// Inbounds (rules pool.inbound).
import { lock, sql } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, pageOf, pointsAnew, type Route, route } from "../http/index.ts";
import { InboundRows, type InboundRow } from "./inbound.entity.ts";
import { InboundCreate, InboundRecord, InboundUpdate, InboundView, PoolFilters } from "./inbound.schema.ts";
import {
  createInbound,
  deleteInbound,
  updateInbound,
  type InboundLeaves,
  type InboundRules,
} from "./inbounds.commands.ts";
import { partsOfInbound, POINTS } from "./points.ts";
import { holding } from "./pool.queries.ts";
import { inboundRecord, inboundView, readerOf } from "./pool.views.ts";
import { usedByOfInbound, type UseDeps } from "./used-by.queries.ts";

export interface InboundRoutesDeps extends InboundRules, UseDeps {
  readonly inboundLeaves: InboundLeaves;
}

export function inboundRoutes(deps: InboundRoutesDeps): Route[] {
  const { reads, certificateExists, inboundLeaves, privateTargets } = deps;
  const rules = { certificateExists, privateTargets };
  const reader = readerOf(rules);
  return [
    listRoute({
      path: "/inbounds",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "Inbounds",
      item: InboundView,
      list: {
        q: ["tag", "type", "remark"],
        updatedAt: "updated_at",
        order: "id",
        sorts: { id: "id", tag: "tag", type: "type" },
      },
      query: PoolFilters,
      handle: async ({ list, query, caller }) => {
        const where = [
          ...(query.type === undefined ? [] : [sql<boolean>`type = ${query.type}`]),
          ...holding(reads, "template_ids", query.template_id),
        ];
        const { rows, total } = await pageOf(reads, InboundRows, list, { where });
        return { rows: rows.map((row) => inboundView(row, reader(caller))), total };
      },
    }),
    route({
      method: "GET",
      path: "/inbounds/{id}",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "One inbound",
      params: idParams,
      answer: InboundRecord,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const row = (await reads.find(InboundRows, id)) ?? notFound("inbound", id);
        return { ...inboundView(row, reader(caller)), usedBy: await usedByOfInbound(deps, caller, row) };
      },
    }),
    route({
      method: "POST",
      path: "/inbounds",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Add an inbound",
      body: InboundCreate,
      answer: InboundView,
      extra: POINTS,
      audit: { key: "inbounds", action: "create" },
      statuses: [400],
      codes: ["forbidden_key"],
      handle: ({ body, caller, commit, requireExtra }) =>
        commit({
          locks: [],
          decide(draft) {
            const row = createInbound(draft, rules, body);
            if (partsOfInbound(row).length > 0) requireExtra();
            return { answer: inboundView(row, reader(caller)), audit: { entityId: row.id, after: inboundRecord(row) } };
          },
        }),
    }),
    route({
      method: "PUT",
      path: "/inbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Change an inbound",
      description: "Absent fields keep their value, and so do private keys and passwords that come empty.",
      params: idParams,
      body: InboundUpdate,
      answer: InboundView,
      extra: POINTS,
      audit: { key: "inbounds", action: "update" },
      statuses: [400, 404],
      codes: ["forbidden_key"],
      handle: ({ params: { id }, body, caller, commit, requireExtra }) =>
        commit({
          locks: [lock(InboundRows, id)],
          decide(draft) {
            const view = (row: Readonly<InboundRow>) => inboundView(row, reader(caller));
            const { before, after } = updateInbound(draft, rules, id, body, view);
            if (pointsAnew(partsOfInbound(before), partsOfInbound(after))) requireExtra();
            const audit = { entityId: id, before: inboundRecord(before), after: inboundRecord(after) };
            return { answer: view(after), audit };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/inbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Delete an inbound; it leaves its templates, and the users and plans that name it",
      params: idParams,
      answer: okAnswer,
      audit: { key: "inbounds", action: "delete" },
      statuses: [404],
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(InboundRows, id)],
          decide(draft) {
            const row = deleteInbound(draft, inboundLeaves, id);
            return { answer: { ok: true }, audit: { entityId: id, before: inboundRecord(row) } };
          },
        }),
    }),
  ];
}
