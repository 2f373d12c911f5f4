// Templates (document 2).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, okAnswer, type Route, route } from "../http/index.ts";
import { templatePage, templateView } from "./pool.queries.ts";
import { TemplateClaimRows, TemplateRows } from "./template.entity.ts";
import { TemplateCreate, TemplateUpdate, TemplateView } from "./template.schema.ts";
import { createTemplate, deleteTemplate, TemplateUseStale, updateTemplate } from "./templates.commands.ts";

export interface TemplateRoutesDeps {
  readonly reads: Reader;
  /** Names of the nodes that run a template. */
  readonly nodesRunning: (templateId: number) => Promise<readonly string[]>;
  /** Takes the ids of deleted templates out of accounts and plans, and with them their departures. */
  readonly carryOutDepartures: () => Promise<void>;
}

export function templateRoutes({ reads, nodesRunning, carryOutDepartures }: TemplateRoutesDeps): Route[] {
  return [
    listRoute({
      path: "/templates",
      scope: "templates:read",
      tiers: ["sudo", "admin"],
      summary: "Templates with what they carry",
      item: TemplateView,
      list: { q: ["name", "remark"], updatedAt: "updated_at", order: "id", sorts: { id: "id", name: "name" } },
      handle: ({ list }) => templatePage(reads, list),
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
      handle: ({ body, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const content = createTemplate(draft, body);
            return { answer: templateView(content), audit: { entityId: content.template.id, after: content.template } };
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
      handle: ({ params: { id }, body, commit }) =>
        commit({
          locks: [lock(TemplateRows, id)],
          decide(draft) {
            const { before, after } = updateTemplate(draft, id, body);
            return { answer: templateView(after), audit: { entityId: id, before, after: after.template } };
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
      handle: async ({ params: { id }, commit }) => {
        const remove = async (): Promise<Awaited<ReturnType<typeof commit>>> => {
          const claims = (await reads.find(TemplateClaimRows, id))?.claims ?? 0;
          const use = { claims, nodes: await nodesRunning(id) };
          try {
            return await commit({
              locks: [lock(TemplateRows, id), lock(TemplateClaimRows, id)],
              decide: (draft) => ({ answer: { ok: true as const }, audit: { entityId: id, before: deleteTemplate(draft, id, use) } }),
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
