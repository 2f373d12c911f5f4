// What many items share: how they listen and dial, TLS, transports, multiplexing.
import { block, choice, either, named, secret, type Shape, value, values } from "./shape.ts";
import { address, headers, host, target } from "./values.ts";

/** What the record repeats. */
export const RECORD = values("type tag");

/** Without interfaces, marks and namespaces of the host (`bind_interface`, `routing_mark`, `netns`). */
const SOCKET = values(
  "reuse_addr tcp_fast_open tcp_multi_path disable_tcp_keep_alive tcp_keep_alive tcp_keep_alive_interval udp_fragment",
);

export const LISTEN: Readonly<Record<string, Shape>> = {
  ...RECORD,
  ...SOCKET,
  ...values("listen_port udp_timeout detour"),
  listen: address,
};

/** The tag of a DNS server, or that with options. */
export const RESOLVER = either(value, block(values("server strategy disable_cache rewrite_ttl client_subnet")));

export const DIAL: Readonly<Record<string, Shape>> = {
  ...SOCKET,
  ...values("detour bind_address_no_port connect_timeout fallback_delay"),
  inet4_bind_address: address,
  inet6_bind_address: address,
  domain_resolver: RESOLVER,
};

/** A server that the operator sends traffic through. It may be in the node's own network. */
export const REMOTE: Readonly<Record<string, Shape>> = { ...DIAL, ...values("server_port"), server: host };

/** A server that the engine itself turns to for strangers' sake. */
export const HANDSHAKE = block({ ...DIAL, ...values("server_port"), server: target });
export const HANDSHAKES = named(HANDSHAKE);

const TLS = values(
  "enabled server_name insecure alpn min_version max_version cipher_suites curve_preferences certificate kernel_tx kernel_rx",
);
const ECH = values("enabled pq_signature_schemes_enabled dynamic_record_sizing_disabled");

export const INBOUND_TLS = block({
  ...TLS,
  ...values("client_authentication client_certificate client_certificate_public_key_sha256 handshake_timeout"),
  key: secret,
  ech: block({ ...ECH, key: secret }),
  reality: block({ ...values("enabled short_id max_time_difference"), handshake: HANDSHAKE, private_key: secret }),
});

export const OUTBOUND_TLS = block({
  ...TLS,
  ...values(
    "disable_sni certificate_public_key_sha256 client_certificate fragment fragment_fallback_delay record_fragment",
  ),
  client_key: secret,
  ech: block({ ...ECH, ...values("config query_server_name") }),
  utls: block(values("enabled fingerprint")),
  // `spider_x` is told to clients alone.
  reality: block(values("enabled public_key short_id spider_x")),
});

const BRUTAL = block(values("enabled up_mbps down_mbps"));
export const INBOUND_MULTIPLEX = block({ ...values("enabled padding"), brutal: BRUTAL });
export const OUTBOUND_MULTIPLEX = block({
  ...values("enabled protocol max_connections min_streams max_streams padding"),
  brutal: BRUTAL,
});

const XMUX = block(
  values("maxConcurrency maxConnections cMaxReuseTimes hMaxRequestTimes hMaxReusableSecs hKeepAlivePeriod"),
);
const XHTTP_OPTIONS = {
  ...values(
    "xPaddingBytes xPaddingObfsMode xPaddingKey xPaddingHeader xPaddingPlacement xPaddingMethod uplinkHTTPMethod",
  ),
  ...values(
    "sessionIDPlacement sessionIDKey sessionIDTable sessionIDLength sessionPlacement sessionKey seqPlacement seqKey",
  ),
  ...values("uplinkDataPlacement uplinkDataKey uplinkChunkSize noGRPCHeader noSSEHeader"),
  ...values(
    "scMaxEachPostBytes scMinPostsIntervalMs scMaxBufferedPosts scMaxConcurrentPosts scStreamUpServerSecs serverMaxHeaderBytes",
  ),
  headers,
  xmux: XMUX,
};
/**
 * Xray's own words: where a client fetches from, when that is another server. Neither certificates by file nor socket
 * options.
 */
const DOWNLOAD = block({
  ...values("port network security"),
  address: host,
  tlsSettings: block(values("serverName alpn fingerprint minVersion maxVersion cipherSuites pinnedPeerCertSha256")),
  realitySettings: block(values("serverName publicKey password shortId fingerprint spiderX mldsa65Verify")),
  xhttpSettings: block({ ...values("host path mode"), ...XHTTP_OPTIONS, extra: block(XHTTP_OPTIONS) }),
});

const KEEP_ALIVE = values("idle_timeout ping_timeout");
const PLAIN = block(values("type"));
export const TRANSPORT = choice("type", "", {
  "": PLAIN,
  tcp: PLAIN,
  raw: PLAIN,
  quic: PLAIN,
  ws: block({ ...values("type path max_early_data early_data_header_name"), headers }),
  httpupgrade: block({ ...values("type host path"), headers }),
  grpc: block({ ...values("type service_name permit_without_stream"), ...KEEP_ALIVE }),
  http: block({ ...values("type host path method"), ...KEEP_ALIVE, headers }),
  xhttp: block({ ...values("type host path mode"), extra: block({ ...XHTTP_OPTIONS, downloadSettings: DOWNLOAD }) }),
});
