// Outbounds (rules pool.outbound).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, pageOf, type Route, route } from "../http/index.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { OutboundCreate, OutboundUpdate, OutboundView } from "./outbound.schema.ts";
import { createOutbound, deleteOutbound, updateOutbound } from "./outbounds.commands.ts";
import { namersOfTag } from "./pool.queries.ts";
import { outboundRecord, outboundView, readerOf } from "./pool.views.ts";
import type { PrivateTargets } from "./refused-fragment.ts";

export interface OutboundRoutesDeps {
  readonly reads: Reader;
  /** What outside the pool routes to a tag (nodes with routing of their own), in words for the refusal. */
  readonly routedBy: (tag: string) => Promise<readonly string[]>;
  readonly privateTargets: PrivateTargets;
}

export function outboundRoutes({ reads, routedBy, privateTargets }: OutboundRoutesDeps): Route[] {
  const reader = readerOf({ privateTargets });
  const namers = async (id: number): Promise<string[]> => {
    const { tag } = (await reads.find(OutboundRows, id)) ?? notFound("outbound", id);
    return (await Promise.all([namersOfTag(reads, tag), routedBy(tag)])).flat();
  };
  return [
    listRoute({
      path: "/outbounds",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "Outbounds",
      item: OutboundView,
      list: {
        q: ["tag", "type", "remark"],
        updatedAt: "updated_at",
        order: "id",
        sorts: { id: "id", tag: "tag", type: "type" },
      },
      handle: async ({ list, caller }) => {
        const { rows, total } = await pageOf(reads, OutboundRows, list);
        return { rows: rows.map((row) => outboundView(row, reader(caller))), total };
      },
    }),
    route({
      method: "GET",
      path: "/outbounds/{id}",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "One outbound",
      params: idParams,
      answer: OutboundView,
      statuses: [404],
      handle: async ({ params: { id }, caller }) =>
        outboundView((await reads.find(OutboundRows, id)) ?? notFound("outbound", id), reader(caller)),
    }),
    route({
      method: "POST",
      path: "/outbounds",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Add an outbound",
      body: OutboundCreate,
      answer: OutboundView,
      audit: { key: "outbounds", action: "create" },
      statuses: [400],
      codes: ["forbidden_key"],
      handle: ({ body, caller, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const row = createOutbound(draft, privateTargets, body);
            return {
              answer: outboundView(row, reader(caller)),
              audit: { entityId: row.id, after: outboundRecord(row) },
            };
          },
        }),
    }),
    route({
      method: "PUT",
      path: "/outbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Change an outbound",
      description:
        "Absent fields keep their value, and so do private keys and passwords that come empty. A tag that a route names cannot change.",
      params: idParams,
      body: OutboundUpdate,
      answer: OutboundView,
      audit: { key: "outbounds", action: "update" },
      statuses: [400, 404, 409],
      codes: ["forbidden_key", "in_use"],
      handle: async ({ params: { id }, body, caller, commit }) => {
        const named = body.tag === undefined ? [] : await namers(id);
        return commit({
          locks: [lock(OutboundRows, id)],
          decide(draft) {
            const { before, after } = updateOutbound(draft, privateTargets, id, body, named);
            const audit = { entityId: id, before: outboundRecord(before), after: outboundRecord(after) };
            return { answer: outboundView(after, reader(caller)), audit };
          },
        });
      },
    }),
    route({
      method: "DELETE",
      path: "/outbounds/{id}",
      scope: "pool:write",
      tiers: ["sudo", "admin"],
      summary: "Delete an outbound",
      description: "409 with `names` while a template carries it or a route names it.",
      params: idParams,
      answer: okAnswer,
      audit: { key: "outbounds", action: "delete" },
      statuses: [404, 409],
      codes: ["in_use"],
      handle: async ({ params: { id }, commit }) => {
        const named = await namers(id);
        return commit({
          locks: [lock(OutboundRows, id)],
          decide(draft) {
            const row = deleteOutbound(draft, id, named);
            return { answer: { ok: true }, audit: { entityId: id, before: outboundRecord(row) } };
          },
        });
      },
    }),
  ];
}
