// Templates (rules pool.template).
import { z } from "zod";
import { lock } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, pathId, type Route, route } from "../http/index.ts";
import { leadsByJoining, POINTS } from "./points.ts";
import { holding, templateContent, templatePage } from "./pool.queries.ts";
import { readerOf, templateView } from "./pool.views.ts";
import type { PrivateTargets } from "./refused-fragment.ts";
import { usedByOfTemplate, type UseDeps } from "./used-by.queries.ts";
import { TemplateClaimRows, TemplateRows } from "./template.entity.ts";
import { TemplateCreate, TemplateRecord, TemplateUpdate, TemplateView } from "./template.schema.ts";
import {
  createTemplate,
  deleteTemplate,
  type TemplateContent,
  TemplateUseStale,
  updateTemplate,
} from "./templates.commands.ts";

export interface TemplateRoutesDeps extends UseDeps {
  /** Takes the ids of deleted templates out of accounts and plans, and with them their departures. */
  readonly carryOutDepartures: () => Promise<void>;
  readonly privateTargets: PrivateTargets;
}

export function templateRoutes({ carryOutDepartures, privateTargets, ...uses }: TemplateRoutesDeps): Route[] {
  const { reads, nodesOn } = uses;
  const reader = readerOf({ privateTargets });
  return [
    listRoute({
      path: "/templates",
      scope: "templates:read",
      tiers: ["sudo", "admin"],
      summary: "Templates with what they carry",
      item: TemplateView,
      list: { q: ["name", "remark"], updatedAt: "updated_at", order: "id", sorts: { id: "id", name: "name" } },
      query: z.object({ inbound_id: pathId.optional(), outbound_id: pathId.optional() }),
      handle: async ({ list, query, caller }) => {
        const where = [
          ...holding(reads, "inbound_ids", query.inbound_id),
          ...holding(reads, "outbound_ids", query.outbound_id),
        ];
        const { rows, total } = await templatePage(reads, list, where);
        return { rows: rows.map((content) => templateView(content, reader(caller))), total };
      },
    }),
    route({
      method: "GET",
      path: "/templates/{id}",
      scope: "templates:read",
      tiers: ["sudo", "admin"],
      summary: "One template with what it carries",
      params: idParams,
      answer: TemplateRecord,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const content = (await templateContent(reads, id)) ?? notFound("template", id);
        const usedBy = await usedByOfTemplate(uses, caller, content.template);
        return { ...templateView(content, reader(caller)), usedBy };
      },
    }),
    route({
      method: "POST",
      path: "/templates",
      scope: "templates:write",
      tiers: ["sudo", "admin"],
      summary: "Add a template",
      body: TemplateCreate,
      answer: TemplateView,
      audit: { key: "templates", action: "create" },
      statuses: [400],
      codes: ["forbidden_key"],
      handle: ({ body, caller, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const content = createTemplate(draft, privateTargets, body);
            return {
              answer: templateView(content, reader(caller)),
              audit: { entityId: content.template.id, after: content.template },
            };
          },
        }),
    }),
    route({
      method: "PUT",
      path: "/templates/{id}",
      scope: "templates:write",
      tiers: ["sudo", "admin"],
      summary: "Change a template",
      description: "Absent fields keep their value.",
      params: idParams,
      body: TemplateUpdate,
      answer: TemplateView,
      extra: POINTS,
      audit: { key: "templates", action: "update" },
      statuses: [400, 404],
      codes: ["forbidden_key"],
      handle: ({ params: { id }, body, caller, commit, requireExtra }) =>
        commit({
          locks: [lock(TemplateRows, id)],
          decide(draft) {
            const view = (content: TemplateContent) => templateView(content, reader(caller));
            const { before, after } = updateTemplate(draft, privateTargets, id, body, view);
            if (leadsByJoining(before.inboundIds, after.inbounds)) requireExtra();
            return {
              answer: view(after),
              audit: { entityId: id, before, after: after.template },
            };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/templates/{id}",
      scope: "templates:write",
      tiers: ["sudo", "admin"],
      summary: "Delete a template; it leaves users and plans",
      description: "409 with `names` while a node runs it.",
      params: idParams,
      answer: okAnswer,
      audit: { key: "templates", action: "delete" },
      statuses: [404, 409],
      codes: ["in_use"],
      handle: async ({ params: { id }, commit }) => {
        const remove = async (): Promise<Awaited<ReturnType<typeof commit>>> => {
          const claims = (await reads.find(TemplateClaimRows, id))?.claims ?? 0;
          const nodes = await nodesOn([id]);
          const use = { claims, nodes: nodes.map(({ name }) => name) };
          try {
            return await commit({
              locks: [lock(TemplateRows, id), lock(TemplateClaimRows, id)],
              decide: (draft) => ({
                answer: { ok: true as const },
                audit: { entityId: id, before: deleteTemplate(draft, id, use) },
              }),
            });
          } catch (error) {
            if (error instanceof TemplateUseStale) return remove();
            throw error;
          }
        };
        const answer = await remove();
        await carryOutDepartures();
        return answer;
      },
    }),
  ];
}
