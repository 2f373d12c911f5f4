// What sing-box 1.13 has of the shared dialect, and what became of older keys. Which keys there are at all is decided
// in `src/dialect/` alone.

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

const byAction = (action: string): string => `is of an older dialect: use a route rule with action "${action}"`;

export const INBOUND_REPLACED: Readonly<Record<string, string>> = {
  users: "is filled in by the panel",
  managed: "is not for users of the panel",
  sniff: byAction("sniff"),
  sniff_override_destination: byAction("sniff"),
  sniff_timeout: byAction("sniff"),
  domain_strategy: byAction("resolve"),
  udp_disable_domain_unmapping: byAction("route-options"),
  proxy_protocol: "was removed from sing-box",
  proxy_protocol_accept_no_header: "was removed from sing-box",
  "tls.acme": "is not for nodes of the panel: order the certificate there",
};

export const OUTBOUND_REPLACED: Readonly<Record<string, string>> = {
  domain_strategy: "is of an older dialect: use `domain_resolver`",
  override_address: 'is of an older dialect: use a route rule with action "route-options"',
  override_port: 'is of an older dialect: use a route rule with action "route-options"',
  proxy_protocol: "was removed from sing-box",
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

const GEO = "was removed from sing-box: use a rule set";
export const MATCH_REPLACED: Readonly<Record<string, string>> = {
  geoip: GEO,
  geosite: GEO,
  source_geoip: GEO,
  rule_set_ipcidr_match_source: "was renamed: use `rule_set_ip_cidr_match_source`",
};
