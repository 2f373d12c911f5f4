// Inbounds (document 2).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, okAnswer, pageOf, type Route, route } from "../http/index.ts";
import { InboundRows } from "./inbound.entity.ts";
import { InboundCreate, InboundUpdate, InboundView } from "./inbound.schema.ts";
import { createInbound, deleteInbound, updateInbound, type CertificateExists } from "./inbounds.commands.ts";
import { inboundView } from "./pool.queries.ts";

export interface InboundRoutesDeps {
  readonly reads: Reader;
  readonly certificateExists: CertificateExists;
}

export function inboundRoutes({ reads, certificateExists }: InboundRoutesDeps): Route[] {
  return [
    listRoute({
      path: "/inbounds",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "Inbounds",
      item: InboundView,
      list: { q: ["tag", "type", "remark"], updatedAt: "updated_at", order: "id", sorts: { id: "id", tag: "tag", type: "type" } },
      handle: async ({ list }) => {
        const { rows, total } = await pageOf(reads, InboundRows, list);
        return { rows: rows.map(inboundView), total };
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
      audit: { key: "inbounds", action: "create" },
      statuses: [400],
      handle: ({ body, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const view = inboundView(createInbound(draft, body, certificateExists));
            return { answer: view, audit: { entityId: view.id, after: view } };
          },
        }),
    }),
    route({
      method: "PUT",
      path: "/inbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Change an inbound",
      description: "Absent fields keep their value.",
      params: idParams,
      body: InboundUpdate,
      answer: InboundView,
      audit: { key: "inbounds", action: "update" },
      statuses: [400, 404],
      handle: ({ params: { id }, body, commit }) =>
        commit({
          locks: [lock(InboundRows, id)],
          decide(draft) {
            const { before, after } = updateInbound(draft, id, body, certificateExists);
            return { answer: inboundView(after), audit: { entityId: id, before: inboundView(before), after: inboundView(after) } };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/inbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Delete an inbound; it leaves its templates",
      params: idParams,
      answer: okAnswer,
      audit: { key: "inbounds", action: "delete" },
      statuses: [404],
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(InboundRows, id)],
          decide(draft) {
            const row = deleteInbound(draft, id);
            return { answer: { ok: true }, audit: { entityId: id, before: inboundView(row) } };
          },
        }),
    }),
  ];
}
