// What an outbound or endpoint of each type may hold. `tor` is not there: it is a program.
import { DIAL, OUTBOUND_MULTIPLEX, OUTBOUND_TLS, RECORD, REMOTE, TRANSPORT } from "./layers.ts";
import { block, either, list, secret, type Shape, value, values } from "./shape.ts";
import { fetched, headers, host, plugin, pluginOptions } from "./values.ts";

const SERVER = { ...RECORD, ...REMOTE };
const UDP_OVER_TCP = either(value, block(values("enabled version")));
const LOGIN = { ...values("username"), password: secret };
const PROXY = {
  ...SERVER,
  ...values("network"),
  tls: OUTBOUND_TLS,
  transport: TRANSPORT,
  multiplex: OUTBOUND_MULTIPLEX,
};
const WIREGUARD_PEER = block({
  ...values("port public_key allowed_ips persistent_keepalive_interval reserved"),
  address: host,
  pre_shared_key: secret,
});
/** Without `system` and `name`: an interface of the kernel would be the whole host's. */
const WIREGUARD = block({
  ...RECORD,
  ...DIAL,
  ...values("mtu address listen_port udp_timeout workers"),
  private_key: secret,
  peers: list(WIREGUARD_PEER),
});

export const ENDPOINTS: Readonly<Record<string, Shape>> = {
  wireguard: WIREGUARD,
  // Without its directory, its interface and its relays.
  tailscale: block({
    ...RECORD,
    ...DIAL,
    ...values("ephemeral hostname accept_routes exit_node advertise_tags udp_timeout"),
    control_url: fetched,
    auth_key: secret,
  }),
};

export const OUTBOUNDS: Readonly<Record<string, Shape>> = {
  direct: block({ ...RECORD, ...DIAL }),
  block: block(RECORD),
  socks: block({ ...SERVER, ...LOGIN, ...values("version network"), udp_over_tcp: UDP_OVER_TCP }),
  http: block({ ...SERVER, ...LOGIN, ...values("path"), headers, tls: OUTBOUND_TLS }),
  shadowsocks: block({
    ...SERVER,
    ...values("method network"),
    password: secret,
    plugin,
    plugin_opts: pluginOptions,
    udp_over_tcp: UDP_OVER_TCP,
    multiplex: OUTBOUND_MULTIPLEX,
  }),
  vmess: block({
    ...PROXY,
    ...values("security alter_id global_padding authenticated_length packet_encoding"),
    uuid: secret,
  }),
  vless: block({ ...PROXY, ...values("flow packet_encoding"), uuid: secret }),
  trojan: block({ ...PROXY, password: secret }),
  hysteria: block({
    ...SERVER,
    ...values(
      "server_ports hop_interval up up_mbps down down_mbps recv_window_conn recv_window disable_mtu_discovery network",
    ),
    obfs: secret,
    auth: secret,
    auth_str: secret,
    tls: OUTBOUND_TLS,
  }),
  hysteria2: block({
    ...SERVER,
    ...values("server_ports hop_interval up_mbps down_mbps network brutal_debug"),
    obfs: block({ ...values("type"), password: secret }),
    password: secret,
    tls: OUTBOUND_TLS,
  }),
  tuic: block({
    ...SERVER,
    ...values("congestion_control udp_relay_mode udp_over_stream zero_rtt_handshake heartbeat network"),
    uuid: secret,
    password: secret,
    tls: OUTBOUND_TLS,
  }),
  anytls: block({
    ...SERVER,
    ...values("idle_session_check_interval idle_session_timeout min_idle_session"),
    password: secret,
    tls: OUTBOUND_TLS,
  }),
  shadowtls: block({ ...SERVER, ...values("version"), password: secret, tls: OUTBOUND_TLS }),
  // `user` is who logs in at the other end.
  ssh: block({
    ...SERVER,
    ...values("user host_key host_key_algorithms client_version"),
    password: secret,
    private_key: secret,
    private_key_passphrase: secret,
  }),
  selector: block({ ...RECORD, ...values("outbounds default interrupt_exist_connections") }),
  urltest: block({
    ...RECORD,
    ...values("outbounds interval tolerance idle_timeout interrupt_exist_connections"),
    url: fetched,
  }),
  // Plans carry an endpoint as an outbound.
  wireguard: WIREGUARD,
};
