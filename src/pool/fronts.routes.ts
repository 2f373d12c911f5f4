// Domain fronts, and which of them an inbound has (rules pool.front).
import { z } from "zod";
import { lock, sql } from "../db/index.ts";
import { each, idParams, listRoute, notFound, okAnswer, pageOf, pointsAnew, type Route, route } from "../http/index.ts";
import { FrontRows } from "./front.entity.ts";
import { FrontCreate, FrontFilters, FrontRecord, FrontUpdate, FrontView, InboundFronts } from "./front.schema.ts";
import { createFront, deleteFront, setInboundFronts, updateFront } from "./fronts.commands.ts";
import { frontsOf } from "./fronts.queries.ts";
import { InboundRows } from "./inbound.entity.ts";
import { partsOfFront, POINTS } from "./points.ts";
import { holding } from "./pool.queries.ts";
import { usedByOfFront, type UseDeps } from "./used-by.queries.ts";

export function frontRoutes(deps: UseDeps): Route[] {
  const { reads } = deps;
  return [
    listRoute({
      path: "/fronts",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "Domain fronts",
      item: FrontView,
      list: {
        q: ["name", "domain", "address", "remark"],
        updatedAt: "updated_at",
        order: "id",
        sorts: { id: "id", name: "name", domain: "domain" },
      },
      query: FrontFilters,
      handle: async ({ list, query }) => {
        const where = [
          ...holding(reads, "inbound_ids", query.inbound_id),
          ...(query.enabled === undefined ? [] : [query.enabled ? sql<boolean>`enabled` : sql<boolean>`not enabled`]),
        ];
        return pageOf(reads, FrontRows, list, { where });
      },
    }),
    route({
      method: "GET",
      path: "/fronts/{id}",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "One domain front",
      params: idParams,
      answer: FrontRecord,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const row = (await reads.find(FrontRows, id)) ?? notFound("front", id);
        return { ...row, usedBy: await usedByOfFront(deps, caller, row) };
      },
    }),
    route({
      method: "POST",
      path: "/fronts",
      scope: "pool:write",
      // A front is an address that clients get.
      also: ["users:read"],
      tiers: ["sudo", "admin"],
      summary: "Add a domain front",
      body: FrontCreate,
      answer: FrontView,
      audit: { key: "fronts", action: "create" },
      statuses: [400, 409],
      codes: ["too_many_fronts"],
      handle: ({ body, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const row = createFront(draft, body);
            return { answer: row, audit: { entityId: row.id, after: row } };
          },
        }),
    }),
    route({
      method: "PUT",
      path: "/fronts/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Change a domain front",
      description: "Absent fields keep their value.",
      params: idParams,
      body: FrontUpdate,
      answer: FrontView,
      extra: POINTS,
      audit: { key: "fronts", action: "update" },
      statuses: [400, 404, 409],
      codes: ["too_many_fronts"],
      handle: ({ params: { id }, body, commit, requireExtra }) =>
        commit({
          locks: [lock(FrontRows, id)],
          decide(draft) {
            const { before, after } = updateFront(draft, id, body);
            if (pointsAnew(partsOfFront(before), partsOfFront(after))) requireExtra();
            return { answer: after, audit: { entityId: id, before, after } };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/fronts/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Delete a domain front; it leaves its inbounds",
      params: idParams,
      answer: okAnswer,
      audit: { key: "fronts", action: "delete" },
      statuses: [404],
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(FrontRows, id)],
          decide: (draft) => ({
            answer: { ok: true },
            audit: { entityId: id, before: deleteFront(draft, id) },
          }),
        }),
    }),
    route({
      method: "GET",
      path: "/inbounds/{id}/fronts",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "The domain fronts of an inbound, in their order",
      params: idParams,
      answer: z.array(FrontView),
      statuses: [404],
      handle: async ({ params: { id } }) => {
        const row = (await reads.find(InboundRows, id)) ?? notFound("inbound", id);
        return [...((await frontsOf(reads, [row])).get(id) ?? [])];
      },
    }),
    route({
      method: "PUT",
      path: "/inbounds/{id}/fronts",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Choose the domain fronts of an inbound",
      description:
        "An empty list removes every front. Nodes are sent the inbound again, which ends its connections, only where an xhttp inbound trusts other headers than before.",
      params: idParams,
      body: InboundFronts,
      answer: z.array(FrontView),
      extra: POINTS,
      audit: { key: "inbounds", action: "fronts" },
      statuses: [400, 404, 409],
      codes: ["too_many_fronts"],
      handle: ({ params: { id }, body: { frontIds }, commit, requireExtra }) =>
        commit({
          locks: [lock(InboundRows, id)],
          decide(draft) {
            const { before, fronts } = setInboundFronts(draft, id, frontIds);
            if (pointsAnew(each(before.frontIds), each(frontIds))) requireExtra();
            return { answer: [...fronts], audit: { entityId: id, before, after: { frontIds } } };
          },
        }),
    }),
  ];
}
