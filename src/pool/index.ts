// What other features may use of the pool.
export { type ClientConfig, type ClientTls, parseClientConfig, parseClientTls } from "./dialect/client.ts";
export { type InboundDialect, parseInboundConfig } from "./dialect/inbound.ts";
export type { Issue } from "./dialect/issue.ts";
export { shadowsocksKeyBytes } from "./dialect/shadowsocks.ts";
export type { TransportDialect } from "./dialect/transport.ts";
