// Every route and table of the pool.
import type { Route } from "../http/index.ts";
import { DepartureRows } from "./departure.entity.ts";
import { ExitTagRows } from "./exit-tag.entity.ts";
import { FrontRows } from "./front.entity.ts";
import { frontRoutes } from "./fronts.routes.ts";
import { InboundRows } from "./inbound.entity.ts";
import { inboundRoutes, type InboundRoutesDeps } from "./inbounds.routes.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { outboundRoutes, type OutboundRoutesDeps } from "./outbounds.routes.ts";
import { TemplateClaimRows, TemplateDepartureRows, TemplateRows } from "./template.entity.ts";
import { templateRoutes, type TemplateRoutesDeps } from "./templates.routes.ts";
import { toolRoutes } from "./tools.routes.ts";

/** Tables of the pool. */
export const poolEntities = [
  InboundRows,
  OutboundRows,
  TemplateRows,
  TemplateClaimRows,
  TemplateDepartureRows,
  DepartureRows,
  ExitTagRows,
  FrontRows,
] as const;

export type PoolDeps = InboundRoutesDeps & OutboundRoutesDeps & TemplateRoutesDeps;

/** Every route of the pool. */
export function poolRoutes(deps: PoolDeps): Route[] {
  return [
    ...inboundRoutes(deps),
    ...frontRoutes(deps),
    ...outboundRoutes(deps),
    ...templateRoutes(deps),
    ...toolRoutes(),
  ];
}
