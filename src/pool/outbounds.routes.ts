// Outbounds (rules pool.outbound).
import { lock, sql } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, pageOf, type Route, route } from "../http/index.ts";
import { PoolFilters } from "./inbound.schema.ts";
import { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
import { OutboundCreate, OutboundRecord, OutboundUpdate, OutboundView } from "./outbound.schema.ts";
import { createOutbound, deleteOutbound, updateOutbound } from "./outbounds.commands.ts";
import { holding, namersOfTag } from "./pool.queries.ts";
import { outboundRecord, outboundView, readerOf } from "./pool.views.ts";
import type { PrivateTargets } from "./refused-fragment.ts";
import { usedByOfOutbound, type UseDeps } from "./used-by.queries.ts";
import type { Named } from "./used-by.schema.ts";

export interface OutboundRoutesDeps extends UseDeps {
  readonly privateTargets: PrivateTargets;
}

export function outboundRoutes({ privateTargets, ...uses }: OutboundRoutesDeps): Route[] {
  const { reads, nodesRouting } = uses;
  const reader = readerOf({ privateTargets });
  /** What names its tag, in words for the refusal. */
  const namers = async (id: number): Promise<string[]> => {
    const { tag } = (await reads.find(OutboundRows, id)) ?? notFound("outbound", id);
    const [{ templates, outbounds }, nodes] = await Promise.all([namersOfTag(reads, tag), nodesRouting(tag)]);
    const told = (what: string, all: readonly Named[]) => all.map(({ name }) => `${what} ${name}`);
    return [...told("template", templates), ...told("outbound", outbounds), ...told("node", nodes)];
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
      query: PoolFilters,
      handle: async ({ list, query, caller }) => {
        const where = [
          ...(query.type === undefined ? [] : [sql<boolean>`type = ${query.type}`]),
          ...holding(reads, "template_ids", query.template_id),
        ];
        const { rows, total } = await pageOf(reads, OutboundRows, list, { where });
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
      answer: OutboundRecord,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const row = (await reads.find(OutboundRows, id)) ?? notFound("outbound", id);
        return { ...outboundView(row, reader(caller)), usedBy: await usedByOfOutbound(uses, caller, row) };
      },
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
        const routesNaming = body.tag === undefined ? [] : await namers(id);
        const view = (row: Readonly<OutboundRow>) => outboundView(row, reader(caller));
        return commit({
          locks: [lock(OutboundRows, id)],
          decide(draft) {
            const { before, after } = updateOutbound(draft, privateTargets, id, body, { routesNaming, view });
            const audit = { entityId: id, before: outboundRecord(before), after: outboundRecord(after) };
            return { answer: view(after), audit };
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
