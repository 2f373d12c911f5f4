// What other features and the panel use of the pool.
export { type ClientConfig, type ClientTls, parseClientTls } from "./dialect/client.ts";
export { takesFronts } from "./dialect/fronted.ts";
export { type HandedOn, handedOn, isApart, isLoopback } from "./loopback.ts";
export { type InboundDialect, parseInboundConfig } from "./dialect/inbound.ts";
export { type Issue, withForbidden } from "./dialect/issue.ts";
export { parseRoute, type RouteReferences } from "./dialect/route.ts";
export { SHADOWSOCKS_METHODS, shadowsocksKeyBytes } from "./dialect/shadowsocks.ts";
export type { TransportDialect } from "./dialect/transport.ts";
export { DepartureRows, type DepartureKind, type DepartureRow } from "./departure.entity.ts";
export { departureOf, endTemplateDeparture, recordDepartures } from "./departures.ts";
export { ownerOfExitTag, releaseExitTag, takeExitTag } from "./exit-tags.commands.ts";
export { FrontRows, type FrontRow } from "./front.entity.ts";
export { frontsOf, trustedHeaders } from "./fronts.queries.ts";
export { InboundRows, type InboundRow } from "./inbound.entity.ts";
export { requireInbounds, type CertificateExists, type InboundLeaves } from "./inbounds.commands.ts";
export { realityKeyPair, wireguardKeyPair } from "./key-pairs.ts";
export { OutboundRows, type OutboundRow } from "./outbound.entity.ts";
export {
  allTemplateContents,
  carriedInbounds,
  storedForbidden,
  templateContent,
  type CarriedInbound,
} from "./pool.queries.ts";
export { forbiddenFieldsOf } from "./pool.views.ts";
export { type PrivateTargets, refuseFragment } from "./refused-fragment.ts";
export { readStoredInbound } from "./stored-inbound.ts";
export { NAMED_AT_MOST } from "./used-by.queries.ts";
export { TemplateDepartureRows, TemplateRows, type TemplateRow } from "./template.entity.ts";
export { claimTemplate, requireTemplates, type TemplateContent } from "./templates.commands.ts";
export { feature } from "./feature.ts";
export { poolEntities } from "./routes.ts";
