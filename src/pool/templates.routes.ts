// Templates (rules pool.template).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, type Route, route } from "../http/index.ts";
import { templateContent, templatePage } from "./pool.queries.ts";
import { readerOf, templateView } from "./pool.views.ts";
import type { PrivateTargets } from "./refused-fragment.ts";
import { TemplateClaimRows, TemplateRows } from "./template.entity.ts";
import { TemplateCreate, TemplateUpdate, TemplateView } from "./template.schema.ts";
import { createTemplate, deleteTemplate, TemplateUseStale, updateTemplate } from "./templates.commands.ts";

export interface TemplateRoutesDeps {
  readonly reads: Reader;
  /** Names of the nodes that run a template. */
  readonly nodesRunning: (templateId: number) => Promise<readonly string[]>;
  /** Takes the ids of deleted templates out of accounts and plans, and with them their departures. */
  readonly carryOutDepartures: () => Promise<void>;
  readonly privateTargets: PrivateTargets;
}

export function templateRoutes({
  reads,
  nodesRunning,
  carryOutDepartures,
  privateTargets,
}: TemplateRoutesDeps): Route[] {
  const reader = readerOf({ privateTargets });
  return [
    listRoute({
      path: "/templates",
      scope: "templates:read",
      tiers: ["sudo", "admin"],
      summary: "Templates with what they carry",
      item: TemplateView,
      list: { q: ["name", "remark"], updatedAt: "updated_at", order: "id", sorts: { id: "id", name: "name" } },
      handle: async ({ list, caller }) => {
        const { rows, total } = await templatePage(reads, list);
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
      answer: TemplateView,
      statuses: [404],
      handle: async ({ params: { id }, caller }) =>
        templateView((await templateContent(reads, id)) ?? notFound("template", id), reader(caller)),
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
      audit: { key: "templates", action: "update" },
      statuses: [400, 404],
      codes: ["forbidden_key"],
      handle: ({ params: { id }, body, caller, commit }) =>
        commit({
          locks: [lock(TemplateRows, id)],
          decide(draft) {
            const { before, after } = updateTemplate(draft, privateTargets, id, body);
            return {
              answer: templateView(after, reader(caller)),
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
          const use = { claims, nodes: await nodesRunning(id) };
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
