// An entry as an outbound of sing-box (1.12 dialect, valid up to 1.14).
import { servedFlow } from "../../dialect/index.ts";
import type { TransportDialect } from "../../pool/index.ts";
import { type Entry, type EntryTls, VMESS_SECURITY } from "./model.ts";

type Json = Readonly<Record<string, unknown>>;

function tlsBlock(tls: EntryTls): Json {
  const { reality } = tls;
  const pinned =
    tls.certificatePem === "" ? { insecure: true } : { certificate: tls.certificatePem.trim().split(/\r?\n/) };
  return {
    ...tls.singBoxOnly,
    enabled: true,
    ...(tls.serverName === "" ? {} : { server_name: tls.serverName }),
    ...(tls.alpn.length === 0 ? {} : { alpn: tls.alpn }),
    ...(tls.insecure ? pinned : {}),
    ...(tls.fingerprint === "" ? {} : { utls: { enabled: true, fingerprint: tls.fingerprint } }),
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

/** What each protocol adds to type, tag, server and port. Undefined when sing-box cannot do it. */
function protocolFields(entry: Entry): Json | undefined {
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
      return entry.tls ? undefined : { version: "5", username: uuid, password };
  }
}

/**
 * The entry as a sing-box outbound under its own name; undefined when sing-box cannot carry it (one bad outbound makes
 * a client refuse the whole file).
 */
export function singBoxOutbound(entry: Entry): Json | undefined {
  const fields = protocolFields(entry);
  const transport = entry.transport ? transportBlock(entry.transport) : {};
  if (!fields || !transport) return undefined;
  return {
    type: entry.protocol,
    tag: entry.name,
    server: entry.server,
    server_port: entry.port,
    ...fields,
    ...(entry.tls ? { tls: tlsBlock(entry.tls) } : {}),
    ...(entry.transport ? { transport } : {}),
  };
}
