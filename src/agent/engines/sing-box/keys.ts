// What sing-box 1.13 has of the shared dialect, and what became of older keys. Which keys there are at all is decided
// in `src/dialect/` alone.
import { type Reason, reason } from "../../../protocol/notices/index.ts";
import { type Replaced } from "./refusal.ts";

/** Inbounds that users of the panel can be put on. */
export const INBOUNDS: readonly string[] = [
  "vless",
  "vmess",
  "trojan",
  "shadowsocks",
  "hysteria2",
  "tuic",
  "anytls",
  "naive",
  "shadowtls",
  "socks",
  "http",
  "mixed",
];

export const TRANSPORTS: readonly string[] = ["http", "ws", "quic", "grpc", "httpupgrade"];

const use =
  (instead: string) =>
  (path: string): Reason =>
    reason("replaced", path, instead);
const byAction = (action: string) => use(`a route rule with action "${action}"`);
const removed = (path: string): Reason => reason("removed", path);
const panelsOwn = (path: string): Reason => reason("panels_own", path);

export const INBOUND_REPLACED: Replaced = {
  users: panelsOwn,
  managed: panelsOwn,
  sniff: byAction("sniff"),
  sniff_override_destination: byAction("sniff"),
  sniff_timeout: byAction("sniff"),
  domain_strategy: byAction("resolve"),
  udp_disable_domain_unmapping: byAction("route-options"),
  proxy_protocol: removed,
  proxy_protocol_accept_no_header: removed,
  "tls.acme": panelsOwn,
};

export const OUTBOUND_REPLACED: Replaced = {
  domain_strategy: use("`domain_resolver`"),
  override_address: byAction("route-options"),
  override_port: byAction("route-options"),
  proxy_protocol: removed,
};

const OPTIONS = [
  "override_address",
  "override_port",
  "fallback_delay",
  "udp_disable_domain_unmapping",
  "udp_connect",
  "udp_timeout",
  "tls_fragment",
  "tls_fragment_fallback_delay",
  "tls_record_fragment",
];
/** Fields of each action. */
export const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  route: ["outbound", ...OPTIONS],
  "route-options": OPTIONS,
  reject: ["method", "no_drop"],
  "hijack-dns": [],
  sniff: ["sniffer", "timeout"],
  resolve: ["server", "strategy", "disable_cache", "rewrite_ttl", "client_subnet"],
};
export const ACTION_FIELDS: readonly string[] = [...new Set(Object.values(ACTIONS).flat())];

const GEO = use("a rule set");
export const MATCH_REPLACED: Replaced = {
  geoip: GEO,
  geosite: GEO,
  source_geoip: GEO,
  rule_set_ipcidr_match_source: use("`rule_set_ip_cidr_match_source`"),
};
