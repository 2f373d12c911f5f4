// Inbounds (rules pool.inbound).
import { pointsAnew, type Route } from "../http/index.ts";
import { fragmentRoutes, type FragmentRoutesDeps } from "./fragments/fragments.routes.ts";
import type { InboundRow } from "./inbound.entity.ts";
import { InboundCreate, InboundRecord, InboundUpdate, InboundView, PoolFilters } from "./inbound.schema.ts";
import {
  checkCertificate,
  INBOUND,
  leaveAll,
  type CertificateExists,
  type InboundLeaves,
} from "./inbounds.commands.ts";
import { partsOfInbound } from "./points.ts";
import { ofTypeAndTemplate } from "./pool.queries.ts";
import { inboundView } from "./pool.views.ts";
import { usedByOfInbound, type UseDeps } from "./used-by.queries.ts";

export interface InboundRoutesDeps extends FragmentRoutesDeps, UseDeps {
  readonly certificateExists: CertificateExists;
  readonly inboundLeaves: InboundLeaves;
}

export function inboundRoutes(deps: InboundRoutesDeps): Route[] {
  const leads = (before: Readonly<InboundRow> | undefined, after: Readonly<InboundRow>): boolean =>
    pointsAnew(before ? partsOfInbound(before) : [], partsOfInbound(after));
  const check = checkCertificate(deps.certificateExists);
  return fragmentRoutes(deps, {
    shape: INBOUND,
    collection: "inbounds",
    scopes: { read: "pool:read", write: "pool:write" },
    list: {
      summary: "Inbounds",
      item: InboundView,
      columns: { q: ["tag", "type", "remark"], sorts: { id: "id", tag: "tag", type: "type" } },
      filters: PoolFilters,
      where: (filters) => ofTypeAndTemplate(deps.reads, filters),
    },
    one: { summary: "One inbound", answer: InboundRecord },
    create: { summary: "Add an inbound", body: InboundCreate, statuses: [400], codes: ["forbidden_key"], leads },
    update: {
      summary: "Change an inbound",
      description: "Absent fields keep their value, and so do private keys and passwords that come empty.",
      body: InboundUpdate,
      statuses: [400, 404],
      codes: ["forbidden_key"],
      leads,
    },
    remove: {
      summary: "Delete an inbound; it leaves its templates, and the users and plans that name it",
      statuses: [404],
    },
    wholes: (rows) => rows,
    whole: (_, row) => row,
    view: inboundView,
    usedBy: (caller, row) => usedByOfInbound(deps, caller, row),
    follow: () => check,
    leave: () => ({ leave: (draft, row) => leaveAll(draft, row, deps.inboundLeaves) }),
  });
}
