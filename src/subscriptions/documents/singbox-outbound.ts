// An entry as an outbound of sing-box (1.12 dialect, valid up to 1.14; older cores get what they know).
import { servedFlow } from "../../dialect/index.ts";
import type { TransportDialect } from "../../pool/index.ts";
import { type CoreVersion, olderThan } from "./cores.ts";
import { omissionOf } from "./limits.ts";
import { type Entry, type EntryTls, VMESS_SECURITY } from "./model.ts";

type Json = Readonly<Record<string, unknown>>;

/** Keys of a client template that older cores refuse, with the version that brought them. */
const TLS_SINCE: Readonly<Record<string, readonly [number, number]>> = {
  fragment: [1, 12],
  fragment_fallback_delay: [1, 12],
  record_fragment: [1, 12],
  certificate_public_key_sha256: [1, 13],
  client_certificate: [1, 13],
  client_key: [1, 13],
  curve_preferences: [1, 13],
  kernel_rx: [1, 13],
  kernel_tx: [1, 13],
};

function known(template: Json, core: CoreVersion): Json {
  if (core === undefined) return template;
  return Object.fromEntries(
    Object.entries(template).filter(([key]) => {
      const since = Object.hasOwn(TLS_SINCE, key) ? TLS_SINCE[key] : undefined;
      return since === undefined || !olderThan(core, ...since);
    }),
  );
}

/** From there on uTLS verifies a server whose name is not said. */
const QUIET_FINGERPRINT = [1, 12] as const;

/** Keys of a client template that REALITY refuses. */
const NOT_WITH_REALITY = ["disable_sni", "ech"];
/** Keys by which a template says itself how the server is known: it refuses a second way. */
const VERIFYING = ["certificate", "certificate_public_key_sha256"];

/** The part of an entry's client template that a core is told besides what every format knows. */
export function ofTemplate({ reality, singBoxOnly }: EntryTls, core: CoreVersion): Json {
  const template = known(singBoxOnly, core);
  if (!reality) return template;
  return Object.fromEntries(Object.entries(template).filter(([key]) => !NOT_WITH_REALITY.includes(key)));
}

/** Whether nothing is verified: what is known of the server is neither in the template nor in a certificate. */
function isUnverified(tls: EntryTls, template: Json): boolean {
  return tls.insecure && tls.certificatePem === "" && !VERIFYING.some((key) => Object.hasOwn(template, key));
}

/**
 * Whether a core does without the fingerprint: older ones verify no server by uTLS whose name they are not to say. The
 * operator asked for the latter, and a fingerprint is there by itself.
 */
export function withoutFingerprint(tls: EntryTls, core: CoreVersion): boolean {
  const template = ofTemplate(tls, core);
  const quiet = template["disable_sni"] === true && tls.fingerprint !== "";
  return quiet && olderThan(core, ...QUIET_FINGERPRINT) && !isUnverified(tls, template);
}

function tlsBlock(tls: EntryTls, core: CoreVersion): Json {
  const { reality } = tls;
  const template = ofTemplate(tls, core);
  const pem = tls.certificatePem === "" ? undefined : tls.certificatePem.trim().split(/\r?\n/);
  const isVerified = VERIFYING.some((key) => Object.hasOwn(template, key));
  const pinned = isVerified ? {} : pem ? { certificate: pem } : { insecure: true };
  const fingerprint = withoutFingerprint(tls, core) ? "" : tls.fingerprint;
  return {
    ...template,
    enabled: true,
    ...(tls.serverName === "" ? {} : { server_name: tls.serverName }),
    ...(tls.alpn.length === 0 ? {} : { alpn: tls.alpn }),
    ...(tls.insecure ? pinned : {}),
    ...(fingerprint === "" ? {} : { utls: { enabled: true, fingerprint } }),
    ...(reality ? { reality: { enabled: true, public_key: reality.publicKey, short_id: reality.shortId } } : {}),
  };
}

/** Undefined for xhttp, which sing-box does not have. */
function transportBlock(transport: TransportDialect): Json | undefined {
  if (transport.type === "xhttp") return undefined;
  if (transport.type === "quic") return { type: "quic" };
  if (transport.type === "grpc") return { type: "grpc", service_name: transport.serviceName };
  const path = transport.path || "/";
  if (transport.type === "http")
    return { type: "http", path, ...(transport.hosts.length === 0 ? {} : { host: transport.hosts }) };
  if (transport.type === "httpupgrade")
    return { type: "httpupgrade", path, ...(transport.host === "" ? {} : { host: transport.host }) };
  const early = transport.earlyDataHeader === "" ? {} : { early_data_header_name: transport.earlyDataHeader };
  return {
    type: "ws",
    path,
    ...(transport.host === "" ? {} : { headers: { Host: transport.host } }),
    ...(transport.earlyData === 0 ? {} : { max_early_data: transport.earlyData, ...early }),
  };
}

/** What each protocol adds to type, tag, server and port. */
function protocolFields(entry: Entry): Json {
  const { uuid, password, method } = entry;
  switch (entry.protocol) {
    case "vless":
      return { uuid, ...(entry.flow === "" ? {} : { flow: servedFlow(entry.flow) }), packet_encoding: "xudp" };
    case "vmess":
      return { uuid, security: VMESS_SECURITY, alter_id: 0, packet_encoding: "xudp" };
    case "trojan":
    case "anytls":
      return { password };
    case "shadowsocks":
      return { method, password };
    case "hysteria2":
      return {
        password,
        ...(entry.obfsPassword === "" ? {} : { obfs: { type: "salamander", password: entry.obfsPassword } }),
      };
    case "tuic":
      return {
        uuid,
        password,
        udp_relay_mode: "native",
        ...(entry.congestionControl === "" ? {} : { congestion_control: entry.congestionControl }),
      };
    case "http":
      return { username: uuid, password };
    case "socks":
      return { version: "5", username: uuid, password };
  }
}

/**
 * The entry as a sing-box outbound under its own name; undefined when sing-box cannot carry it (one bad outbound makes
 * a client refuse the whole file).
 */
export function singBoxOutbound(entry: Entry, core?: CoreVersion): Json | undefined {
  if (omissionOf("singbox", entry, core)) return undefined;
  const fields = protocolFields(entry);
  const transport = entry.transport ? transportBlock(entry.transport) : {};
  if (!transport) return undefined;
  return {
    type: entry.protocol,
    tag: entry.name,
    server: entry.server,
    server_port: entry.port,
    ...fields,
    ...(entry.tls ? { tls: tlsBlock(entry.tls, core) } : {}),
    ...(entry.transport ? { transport } : {}),
    ...(entry.multiplex ? { multiplex: { enabled: true, ...(entry.multiplex.padding ? { padding: true } : {}) } } : {}),
  };
}
