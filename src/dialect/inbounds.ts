// What an inbound of each type may hold. Types that are the host's business alone (tun, tproxy, redirect) are not
// there.
import { HANDSHAKE, HANDSHAKES, INBOUND_MULTIPLEX, INBOUND_TLS, LISTEN, RESOLVER, TRANSPORT } from "./layers.ts";
import { block, choice, either, secret, type Shape, values } from "./shape.ts";
import { headers, override, shown } from "./values.ts";

const PROXY = { ...LISTEN, tls: INBOUND_TLS, transport: TRANSPORT, multiplex: INBOUND_MULTIPLEX };
const LOGINS = { ...LISTEN, domain_resolver: RESOLVER };

/** A public site, or fixed text. */
const MASQUERADE = either(
  shown,
  choice("type", "", {
    proxy: block({ ...values("type rewrite_host"), url: shown }),
    string: block({ ...values("type status_code content"), headers }),
  }),
);

export const INBOUNDS: Readonly<Record<string, Shape>> = {
  vless: block(PROXY),
  vmess: block(PROXY),
  trojan: block({ ...PROXY, fallback: HANDSHAKE, fallback_for_alpn: HANDSHAKES }),
  shadowsocks: block({ ...LISTEN, ...values("method network"), password: secret, multiplex: INBOUND_MULTIPLEX }),
  hysteria2: block({
    ...LISTEN,
    ...values("up_mbps down_mbps ignore_client_bandwidth brutal_debug"),
    tls: INBOUND_TLS,
    obfs: block({ ...values("type"), password: secret }),
    masquerade: MASQUERADE,
  }),
  hysteria: block({
    ...LISTEN,
    ...values("up up_mbps down down_mbps recv_window_conn recv_window_client max_conn_client disable_mtu_discovery"),
    tls: INBOUND_TLS,
    obfs: secret,
  }),
  tuic: block({
    ...LISTEN,
    ...values("congestion_control auth_timeout zero_rtt_handshake heartbeat"),
    tls: INBOUND_TLS,
  }),
  anytls: block({ ...LISTEN, ...values("padding_scheme"), tls: INBOUND_TLS }),
  naive: block({ ...LISTEN, ...values("network quic_congestion_control"), tls: INBOUND_TLS }),
  // Without `wildcard_sni`: strangers would choose what the node connects to.
  shadowtls: block({
    ...LISTEN,
    ...values("version strict_mode"),
    password: secret,
    handshake: HANDSHAKE,
    handshake_for_server_name: HANDSHAKES,
  }),
  socks: block({ ...LOGINS, tls: INBOUND_TLS }),
  http: block({ ...LOGINS, tls: INBOUND_TLS }),
  mixed: block({ ...LOGINS, tls: INBOUND_TLS }),
  direct: block({ ...LISTEN, ...values("network override_port"), override_address: override }),
};
