// What other features and the composition root use of the pool.
import type { Route } from "../http/index.ts";
import { DepartureRows } from "./departure.entity.ts";
import { ExitTagRows } from "./exit-tag.entity.ts";
import { InboundRows } from "./inbound.entity.ts";
import { inboundRoutes, type InboundRoutesDeps } from "./inbounds.routes.ts";
import { OutboundRows } from "./outbound.entity.ts";
import { outboundRoutes, type OutboundRoutesDeps } from "./outbounds.routes.ts";
import { TemplateClaimRows, TemplateDepartureRows, TemplateRows } from "./template.entity.ts";
import { templateRoutes, type TemplateRoutesDeps } from "./templates.routes.ts";
import { toolRoutes } from "./tools.routes.ts";

export { type ClientConfig, type ClientTls, parseClientConfig, parseClientTls } from "./dialect/client.ts";
export { type InboundDialect, parseInboundConfig } from "./dialect/inbound.ts";
export { type Issue, withForbidden } from "./dialect/issue.ts";
export { parseRoute, type RouteReferences } from "./dialect/route.ts";
export { shadowsocksKeyBytes } from "./dialect/shadowsocks.ts";
export type { TransportDialect } from "./dialect/transport.ts";
export { DepartureRows, type DepartureKind, type DepartureRow } from "./departure.entity.ts";
export { endTemplateDeparture, type Place, recordDeparture, recordDepartures } from "./departures.ts";
export { ownerOfExitTag, releaseExitTag, takeExitTag } from "./exit-tags.commands.ts";
export { InboundRows, type InboundRow } from "./inbound.entity.ts";
export type { CertificateExists } from "./inbounds.commands.ts";
export { realityKeyPair, wireguardKeyPair } from "./key-pairs.ts";
export { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
export { allTemplateContents, storedForbidden, templateContent, templatesCarrying } from "./pool.queries.ts";
export { forbiddenFieldsOf } from "./pool.views.ts";
export { type PrivateTargets, refuseFragment } from "./refused-fragment.ts";
export { TemplateDepartureRows, TemplateRows, type TemplateRow } from "./template.entity.ts";
export { claimTemplate, requireTemplates, type TemplateContent } from "./templates.commands.ts";

/** Tables of the pool. */
export const poolEntities = [
  InboundRows,
  OutboundRows,
  TemplateRows,
  TemplateClaimRows,
  TemplateDepartureRows,
  DepartureRows,
  ExitTagRows,
] as const;

export type PoolDeps = InboundRoutesDeps & OutboundRoutesDeps & TemplateRoutesDeps;

/** Every route of the pool. */
export function poolRoutes(deps: PoolDeps): Route[] {
  return [...inboundRoutes(deps), ...outboundRoutes(deps), ...templateRoutes(deps), ...toolRoutes()];
}
