// Templates (rules pool.template).
import { z } from "zod";
import { pathId, type Route } from "../http/index.ts";
import { fragmentRoutes, type FragmentRoutesDeps } from "./fragments/fragments.routes.ts";
import { leadsByJoining } from "./points.ts";
import { contentsOf, holding } from "./pool.queries.ts";
import { templateView } from "./pool.views.ts";
import { TemplateClaimRows, TemplateRows } from "./template.entity.ts";
import { TemplateCreate, TemplateRecord, TemplateUpdate, TemplateView } from "./template.schema.ts";
import { contentIn, departTemplate, keepContent, locksOfDeparture, TEMPLATE } from "./templates.commands.ts";
import { usedByOfTemplate, type UseDeps } from "./used-by.queries.ts";

export interface TemplateRoutesDeps extends FragmentRoutesDeps, UseDeps {
  /** Takes the ids of deleted templates out of accounts and plans, and with them their departures. */
  readonly carryOutDepartures: () => Promise<void>;
}

export function templateRoutes({ carryOutDepartures, ...deps }: TemplateRoutesDeps): Route[] {
  const { reads, nodesOn } = deps;
  return fragmentRoutes(deps, {
    shape: TEMPLATE,
    collection: "templates",
    scopes: { read: "templates:read", write: "templates:write" },
    list: {
      summary: "Templates with what they carry",
      item: TemplateView,
      columns: { q: ["name", "remark"], sorts: { id: "id", name: "name" } },
      filters: z.object({ inbound_id: pathId.optional(), outbound_id: pathId.optional() }),
      where: (filters) => [
        ...holding(reads, "inbound_ids", filters.inbound_id),
        ...holding(reads, "outbound_ids", filters.outbound_id),
      ],
    },
    one: { summary: "One template with what it carries", answer: TemplateRecord },
    create: { summary: "Add a template", body: TemplateCreate, statuses: [400], codes: ["forbidden_key"] },
    update: {
      summary: "Change a template",
      description: "Absent fields keep their value.",
      body: TemplateUpdate,
      statuses: [400, 404],
      codes: ["forbidden_key"],
      leads: (before, after) => leadsByJoining(before?.inboundIds ?? [], after.inbounds),
    },
    remove: {
      summary: "Delete a template; it leaves users and plans",
      description: "409 with `names` while a node runs it.",
      statuses: [404, 409],
      codes: ["in_use"],
    },
    wholes: (rows) => contentsOf(reads, rows),
    whole: contentIn,
    view: templateView,
    usedBy: (caller, row) => usedByOfTemplate(deps, caller, row),
    follow: () => keepContent,
    async leave(id) {
      // The claims come first: a template that is given to a node after them is noticed.
      const claims = (await reads.find(TemplateClaimRows, id))?.claims ?? 0;
      const [nodes, row] = await Promise.all([nodesOn([id]), reads.find(TemplateRows, id)]);
      const use = { claims, nodes: nodes.map(({ name }) => name) };
      return { locks: locksOfDeparture(id, row), leave: (draft, found) => departTemplate(draft, found, use) };
    },
    left: carryOutDepartures,
  });
}
