// Why a key that an engine reads is not allowed in fragments. A key of a new version stands in no list here until
// somebody has decided.

/** `Block.key`, and `Block[value]` for what a value such as a type chooses, by reason. */
const SING_BOX: Readonly<Record<string, string>> = {
  "runs a program": "Outbound[tor]",
  "reads or writes a file":
    "InboundTLSOptions.certificate_path InboundTLSOptions.key_path InboundTLSOptions.client_certificate_path InboundECHOptions.key_path " +
    "OutboundTLSOptions.certificate_path OutboundTLSOptions.client_certificate_path OutboundTLSOptions.client_key_path " +
    "OutboundECHOptions.config_path HostsDNSServerOptions.path SSHOutboundOptions.private_key_path RuleSet[local] LogOptions.output " +
    "Hysteria2Masquerade[file]",
  "keeps a directory": "InboundTLSOptions.acme TailscaleEndpointOptions.state_directory",
  "is a socket or service of the host": "DialerOptions.protect_path DNSServerOptions[resolved] DNSServerOptions[dhcp]",
  "is an interface or network of the host":
    "ListenOptions.bind_interface ListenOptions.netns DialerOptions.bind_interface DialerOptions.netns DialerOptions.network_strategy " +
    "DialerOptions.network_type DialerOptions.fallback_network_type RouteOptions.auto_detect_interface RouteOptions.default_interface " +
    "RouteOptions.default_network_strategy RouteOptions.default_network_type RouteOptions.default_fallback_network_type " +
    "RawRouteOptionsActionOptions.network_strategy WireGuardEndpointOptions.name WireGuardEndpointOptions.system " +
    "TailscaleEndpointOptions.system_interface TailscaleEndpointOptions.system_interface_mtu TailscaleEndpointOptions.system_interface_name " +
    "TailscaleEndpointOptions.advertise_exit_node TailscaleEndpointOptions.advertise_routes TailscaleEndpointOptions.exit_node_allow_lan_access " +
    "Inbound[tun] Inbound[tproxy] Inbound[redirect]",
  "is a setting of the host":
    "ListenOptions.routing_mark DialerOptions.routing_mark RouteOptions.default_mark HTTPMixedInboundOptions.set_system_proxy " +
    "NTPOptions.write_to_system",
  "asks for processes, users or networks of the host":
    rules(
      "process_name process_path process_path_regex package_name network_is_constrained network_is_expensive wifi_bssid wifi_ssid",
    ) +
    rules("default_interface_address network_interface_address") +
    "RawDefaultRule.user RawDefaultRule.user_id RawDefaultRule.interface_address RouteOptions.find_process RouteOptions.override_android_vpn " +
    "RawDefaultDNSRule.user RawDefaultDNSRule.user_id RawDefaultDNSRule.interface_address RawDefaultDNSRule.network_type " +
    "DefaultHeadlessRule.network_type",
  "lets strangers choose what the node connects to": "ShadowTLSInboundOptions.wildcard_sni",
  "opens a port of its own":
    "TailscaleEndpointOptions.relay_server_port TailscaleEndpointOptions.relay_server_static_endpoints",
  "is filled in by the panel":
    "AnyTLSInboundOptions.users HTTPMixedInboundOptions.users HysteriaInboundOptions.users Hysteria2InboundOptions.users " +
    "NaiveInboundOptions.users ShadowsocksInboundOptions.users ShadowTLSInboundOptions.users SocksInboundOptions.users " +
    "TrojanInboundOptions.users TUICInboundOptions.users VLESSInboundOptions.users VMessInboundOptions.users",
  "is the agent's, or for no node": "Options.$schema Options.certificate Options.experimental Options.services",
  "is of an older dialect, or removed":
    "DialerOptions.domain_strategy InboundOptions.domain_strategy InboundOptions.sniff InboundOptions.sniff_override_destination " +
    "InboundOptions.sniff_timeout InboundOptions.udp_disable_domain_unmapping ListenOptions.proxy_protocol " +
    "ListenOptions.proxy_protocol_accept_no_header DirectOutboundOptions.override_address DirectOutboundOptions.override_port " +
    "DirectOutboundOptions.proxy_protocol Outbound[dns] Outbound[wireguard] Outbound[shadowsocksr] Inbound[shadowsocksr] DNSServerOptions[legacy] " +
    "LegacyDNSOptions.fakeip RouteOptions.geoip RouteOptions.geosite RawDefaultDNSRule.outbound " +
    "RawDefaultRule.geoip RawDefaultRule.geosite RawDefaultRule.source_geoip RawDefaultRule.rule_set_ipcidr_match_source " +
    "RawDefaultDNSRule.geoip RawDefaultDNSRule.geosite RawDefaultDNSRule.source_geoip RawDefaultDNSRule.rule_set_ipcidr_match_source",
  "is not supported":
    "ShadowsocksInboundOptions.destinations ShadowsocksInboundOptions.managed Outbound[naive] DNSServerOptions[tailscale] " +
    // An outbound by another name, with all that an outbound may not have either.
    direct(
      "bind_address_no_port bind_interface connect_timeout detour disable_tcp_keep_alive domain_resolver domain_strategy fallback_network_type",
    ) +
    direct(
      "inet4_bind_address inet6_bind_address netns network_type protect_path reuse_addr routing_mark tcp_fast_open tcp_keep_alive",
    ) +
    direct("tcp_keep_alive_interval tcp_multi_path udp_fragment"),
};

function rules(keys: string): string {
  const blocks = ["RawDefaultRule", "RawDefaultDNSRule", "DefaultHeadlessRule"];
  return blocks.flatMap((block) => keys.split(" ").map((key) => `${block}.${key} `)).join("");
}

function direct(keys: string): string {
  return keys
    .split(" ")
    .map((key) => `DirectActionOptions.${key} `)
    .join("");
}

/**
 * Allowed, and unknown to sing-box: Xray's, or known only to clients or newer versions. sing-box itself refuses the
 * item that has one.
 */
const NOT_SING_BOX =
  "OutboundRealityOptions.spider_x InboundTLSOptions.handshake_timeout SocksInboundOptions.tls PlainRuleSet.version " +
  "V2RayTransportOptions[] V2RayTransportOptions[tcp] V2RayTransportOptions[raw] V2RayTransportOptions[xhttp] " +
  // Fallbacks may be written like handshakes.
  "ServerOptions.reuse_addr ServerOptions.tcp_fast_open ServerOptions.tcp_multi_path ServerOptions.disable_tcp_keep_alive " +
  "ServerOptions.tcp_keep_alive ServerOptions.tcp_keep_alive_interval ServerOptions.udp_fragment ServerOptions.detour " +
  "ServerOptions.bind_address_no_port ServerOptions.connect_timeout ServerOptions.fallback_delay ServerOptions.inet4_bind_address " +
  "ServerOptions.inet6_bind_address ServerOptions.domain_resolver";

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

export const refusedBySingBox: ReadonlyMap<string, string> = byKey(SING_BOX);
export const notSingBox: ReadonlySet<string> = new Set(words(NOT_SING_BOX));

/** Keys by their reason. Throws for one that has two. */
export function byKey(reasons: Readonly<Record<string, string>>): Map<string, string> {
  const all = new Map<string, string>();
  for (const [reason, keys] of Object.entries(reasons))
    for (const key of words(keys)) {
      if (all.has(key)) throw new Error(`${key} is refused for two reasons`);
      all.set(key, reason);
    }
  return all;
}
