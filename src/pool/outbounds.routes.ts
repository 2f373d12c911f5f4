// Outbounds (rules pool.outbound).
import { notFound, type Route } from "../http/index.ts";
import { fragmentRoutes, type FragmentRoutesDeps } from "./fragments/fragments.routes.ts";
import { viewOf } from "./fragments/views.ts";
import { PoolFilters } from "./inbound.schema.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { OutboundCreate, OutboundRecord, OutboundUpdate, OutboundView } from "./outbound.schema.ts";
import { keepExitTag, leaveExits, OUTBOUND } from "./outbounds.commands.ts";
import { namersOfTag, ofTypeAndTemplate } from "./pool.queries.ts";
import { usedByOfOutbound, type UseDeps } from "./used-by.queries.ts";
import type { Named } from "./used-by.schema.ts";

export type OutboundRoutesDeps = FragmentRoutesDeps & UseDeps;

export function outboundRoutes(deps: OutboundRoutesDeps): Route[] {
  const { reads, nodesRouting } = deps;
  /** What names its tag, in words for the refusal. */
  const namers = async (id: number): Promise<string[]> => {
    const { tag } = (await reads.find(OutboundRows, id)) ?? notFound("outbound", id);
    const [{ templates, outbounds }, nodes] = await Promise.all([namersOfTag(reads, tag), nodesRouting(tag)]);
    const told = (what: string, all: readonly Named[]) => all.map(({ name }) => `${what} ${name}`);
    return [...told("template", templates), ...told("outbound", outbounds), ...told("node", nodes)];
  };
  return fragmentRoutes(deps, {
    shape: OUTBOUND,
    collection: "outbounds",
    scopes: { read: "pool:read", write: "pool:write" },
    list: {
      summary: "Outbounds",
      item: OutboundView,
      columns: { q: ["tag", "type", "remark"], sorts: { id: "id", tag: "tag", type: "type" } },
      filters: PoolFilters,
      where: (filters) => ofTypeAndTemplate(reads, filters),
    },
    one: { summary: "One outbound", answer: OutboundRecord },
    create: { summary: "Add an outbound", body: OutboundCreate, statuses: [400], codes: ["forbidden_key"] },
    update: {
      summary: "Change an outbound",
      description:
        "Absent fields keep their value, and so do private keys and passwords that come empty. A tag that a route names cannot change.",
      body: OutboundUpdate,
      statuses: [400, 404, 409],
      codes: ["forbidden_key", "in_use"],
    },
    remove: {
      summary: "Delete an outbound",
      description: "409 with `names` while a template carries it or a route names it.",
      statuses: [404, 409],
      codes: ["in_use"],
    },
    wholes: (rows) => rows,
    whole: (_, row) => row,
    view: (row, reader) => viewOf(OUTBOUND, row, reader),
    usedBy: (caller, row) => usedByOfOutbound(deps, caller, row),
    async follow({ tag }, id) {
      const routesNaming = tag === undefined || id === undefined ? [] : await namers(id);
      return (draft, change) => keepExitTag(draft, change, routesNaming);
    },
    async leave(id) {
      const routesNaming = await namers(id);
      return { leave: (draft, row) => leaveExits(draft, row, routesNaming) };
    },
  });
}
