// Domain fronts, and which of them an inbound has (rules pool.front).
import { z } from "zod";
import { lock, sql } from "../db/index.ts";
import { each, idParams, notFound, pointsAnew, type Route, route } from "../http/index.ts";
import type { FrontRow } from "./front.entity.ts";
import { fragmentRoutes, type FragmentRoutesDeps } from "./fragments/fragments.routes.ts";
import { FrontCreate, FrontFilters, FrontRecord, FrontUpdate, FrontView, InboundFronts } from "./front.schema.ts";
import { FRONT, keepInbounds, setInboundFronts } from "./fronts.commands.ts";
import { frontsOf } from "./fronts.queries.ts";
import { InboundRows } from "./inbound.entity.ts";
import { partsOfFront, POINTS } from "./points.ts";
import { holding } from "./pool.queries.ts";
import { usedByOfFront, type UseDeps } from "./used-by.queries.ts";

export function frontRoutes(deps: FragmentRoutesDeps & UseDeps): Route[] {
  const { reads } = deps;
  const own = fragmentRoutes(deps, {
    shape: FRONT,
    collection: "fronts",
    scopes: { read: "pool:read", write: "pool:write" },
    list: {
      summary: "Domain fronts",
      item: FrontView,
      columns: { q: ["name", "domain", "address", "remark"], sorts: { id: "id", name: "name", domain: "domain" } },
      filters: FrontFilters,
      where: ({ inbound_id: inbound, enabled }) => [
        ...holding(reads, "inbound_ids", inbound),
        ...(enabled === undefined ? [] : [enabled ? sql<boolean>`enabled` : sql<boolean>`not enabled`]),
      ],
    },
    one: { summary: "One domain front", answer: FrontRecord },
    create: {
      summary: "Add a domain front",
      body: FrontCreate,
      // A front is an address that clients get.
      also: ["users:read"],
      statuses: [400, 409],
      codes: ["too_many_fronts"],
    },
    update: {
      summary: "Change a domain front",
      description: "Absent fields keep their value.",
      body: FrontUpdate,
      statuses: [400, 404, 409],
      codes: ["too_many_fronts"],
      leads: (before, after: Readonly<FrontRow>) => pointsAnew(before ? partsOfFront(before) : [], partsOfFront(after)),
    },
    remove: { summary: "Delete a domain front; it leaves its inbounds", statuses: [404] },
    wholes: (rows) => rows,
    whole: (_, row) => row,
    view: (row: Readonly<FrontRow>) => row,
    usedBy: (caller, row) => usedByOfFront(deps, caller, row),
    follow:
      () =>
      (draft, { id, before, after }) =>
        keepInbounds(draft, id, before?.inboundIds ?? [], after.inboundIds),
    leave: () => ({ leave: (draft, row) => keepInbounds(draft, row.id, row.inboundIds, []) }),
  });
  return [
    ...own,
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
