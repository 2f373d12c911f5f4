// The keys that sing-box 1.13 knows in each block of its dialect, and what became of older ones.

const TLS = [
  "enabled",
  "server_name",
  "insecure",
  "alpn",
  "min_version",
  "max_version",
  "cipher_suites",
  "curve_preferences",
  "certificate",
  "certificate_path",
  "kernel_tx",
  "kernel_rx",
  "ech",
  "reality",
];

export const INBOUND_TLS: readonly string[] = [
  ...TLS,
  "client_authentication",
  "client_certificate",
  "client_certificate_path",
  "client_certificate_public_key_sha256",
  "key",
  "key_path",
];

export const OUTBOUND_TLS: readonly string[] = [
  ...TLS,
  "disable_sni",
  "certificate_public_key_sha256",
  "client_certificate",
  "client_certificate_path",
  "client_key",
  "client_key_path",
  "fragment",
  "fragment_fallback_delay",
  "record_fragment",
  "utls",
];

export const TRANSPORTS: Readonly<Record<string, readonly string[]>> = {
  http: ["type", "host", "path", "method", "headers", "idle_timeout", "ping_timeout"],
  ws: ["type", "path", "headers", "max_early_data", "early_data_header_name"],
  quic: ["type"],
  grpc: ["type", "service_name", "idle_timeout", "ping_timeout", "permit_without_stream"],
  httpupgrade: ["type", "host", "path", "headers"],
};

/** Where and how an inbound listens, and what the record repeats. */
export const LISTEN: readonly string[] = [
  "type",
  "tag",
  "listen",
  "listen_port",
  "bind_interface",
  "routing_mark",
  "reuse_addr",
  "netns",
  "tcp_fast_open",
  "tcp_multi_path",
  "disable_tcp_keep_alive",
  "tcp_keep_alive",
  "tcp_keep_alive_interval",
  "udp_fragment",
  "udp_timeout",
  "detour",
];

/** Inbounds that users of the panel can be put on. */
export const INBOUNDS: Readonly<Record<string, readonly string[]>> = {
  vless: ["tls", "multiplex", "transport"],
  vmess: ["tls", "multiplex", "transport"],
  trojan: ["tls", "multiplex", "transport", "fallback", "fallback_for_alpn"],
  shadowsocks: ["network", "method", "password", "multiplex"],
  hysteria2: ["tls", "up_mbps", "down_mbps", "obfs", "ignore_client_bandwidth", "masquerade", "brutal_debug"],
  tuic: ["tls", "congestion_control", "auth_timeout", "zero_rtt_handshake", "heartbeat"],
  anytls: ["tls", "padding_scheme"],
  naive: ["tls", "network", "quic_congestion_control"],
  shadowtls: ["version", "handshake", "handshake_for_server_name", "strict_mode", "wildcard_sni"],
  socks: ["domain_resolver"],
  http: ["tls", "domain_resolver", "set_system_proxy"],
  mixed: ["tls", "domain_resolver", "set_system_proxy"],
};

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
};

/** How an outbound dials. */
const DIAL = [
  "detour",
  "bind_interface",
  "inet4_bind_address",
  "inet6_bind_address",
  "bind_address_no_port",
  "routing_mark",
  "reuse_addr",
  "netns",
  "connect_timeout",
  "tcp_fast_open",
  "tcp_multi_path",
  "disable_tcp_keep_alive",
  "tcp_keep_alive",
  "tcp_keep_alive_interval",
  "udp_fragment",
  "domain_resolver",
  "network_strategy",
  "network_type",
  "fallback_network_type",
  "fallback_delay",
];
const REMOTE = ["server", "server_port", ...DIAL];
const WITH_TRANSPORT = [...REMOTE, "tls", "multiplex", "transport", "network"];

/** Fields of each type of outbound and endpoint besides `type` and `tag`. */
export const OUTBOUNDS: Readonly<Record<string, readonly string[]>> = {
  direct: DIAL,
  block: [],
  socks: [...REMOTE, "version", "username", "password", "network", "udp_over_tcp"],
  http: [...REMOTE, "username", "password", "tls", "path", "headers"],
  shadowsocks: [...REMOTE, "method", "password", "plugin", "plugin_opts", "network", "udp_over_tcp", "multiplex"],
  vmess: [...WITH_TRANSPORT, "uuid", "security", "alter_id", "global_padding", "authenticated_length", "packet_encoding"],
  vless: [...WITH_TRANSPORT, "uuid", "flow", "packet_encoding"],
  trojan: [...WITH_TRANSPORT, "password"],
  hysteria: [
    ...REMOTE,
    "server_ports",
    "hop_interval",
    "up",
    "up_mbps",
    "down",
    "down_mbps",
    "obfs",
    "auth",
    "auth_str",
    "recv_window_conn",
    "recv_window",
    "disable_mtu_discovery",
    "network",
    "tls",
  ],
  hysteria2: [...REMOTE, "server_ports", "hop_interval", "up_mbps", "down_mbps", "obfs", "password", "network", "tls", "brutal_debug"],
  tuic: [
    ...REMOTE,
    "uuid",
    "password",
    "congestion_control",
    "udp_relay_mode",
    "udp_over_stream",
    "zero_rtt_handshake",
    "heartbeat",
    "network",
    "tls",
  ],
  anytls: [...REMOTE, "password", "idle_session_check_interval", "idle_session_timeout", "min_idle_session", "tls"],
  shadowtls: [...REMOTE, "version", "password", "tls"],
  ssh: [
    ...REMOTE,
    "user",
    "password",
    "private_key",
    "private_key_path",
    "private_key_passphrase",
    "host_key",
    "host_key_algorithms",
    "client_version",
  ],
  tor: [...DIAL, "executable_path", "extra_args", "data_directory", "torrc"],
  selector: ["outbounds", "default", "interrupt_exist_connections"],
  urltest: ["outbounds", "url", "interval", "tolerance", "idle_timeout", "interrupt_exist_connections"],
  wireguard: [...DIAL, "system", "name", "mtu", "address", "private_key", "listen_port", "peers", "udp_timeout", "workers"],
};

export const OUTBOUND_REPLACED: Readonly<Record<string, string>> = {
  domain_strategy: "is of an older dialect: use `domain_resolver`",
  override_address: 'is of an older dialect: use a route rule with action "route-options"',
  override_port: 'is of an older dialect: use a route rule with action "route-options"',
  proxy_protocol: "was removed from sing-box",
};

/** What a route rule may ask for. */
export const MATCH: readonly string[] = [
  "type",
  "inbound",
  "ip_version",
  "network",
  "auth_user",
  "protocol",
  "client",
  "domain",
  "domain_suffix",
  "domain_keyword",
  "domain_regex",
  "source_ip_cidr",
  "source_ip_is_private",
  "ip_cidr",
  "ip_is_private",
  "source_port",
  "source_port_range",
  "port",
  "port_range",
  "process_name",
  "process_path",
  "process_path_regex",
  "user",
  "user_id",
  "clash_mode",
  "interface_address",
  "network_interface_address",
  "default_interface_address",
  "preferred_by",
  "rule_set",
  "rule_set_ip_cidr_match_source",
  "invert",
];
export const LOGICAL: readonly string[] = ["type", "mode", "rules", "invert"];

const OPTIONS = [
  "override_address",
  "override_port",
  "network_strategy",
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

const GEO = "was removed from sing-box: use a rule set";
export const MATCH_REPLACED: Readonly<Record<string, string>> = {
  geoip: GEO,
  geosite: GEO,
  source_geoip: GEO,
  rule_set_ipcidr_match_source: "was renamed: use `rule_set_ip_cidr_match_source`",
};

export const ROUTE: readonly string[] = [
  "rules",
  "rule_set",
  "final",
  "find_process",
  "auto_detect_interface",
  "default_interface",
  "default_mark",
  "default_domain_resolver",
  "default_network_strategy",
  "default_network_type",
  "default_fallback_network_type",
  "default_fallback_delay",
];
