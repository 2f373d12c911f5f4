// Query parameters of share links: transport and security, as XTLS/Xray-core#91 and its successors name them.
import type { TransportDialect } from "../../pool/index.ts";
import type { Entry, EntryTls } from "./model.ts";

/** Ordered `name=value` pairs; pairs with an empty value are left out when written. */
export type Parameters = readonly (readonly [string, string])[];

/** `?a=b&c=d`, or the empty text without parameters. */
export function queryOf(parameters: Parameters): string {
  const pairs = parameters
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/**
 * The path of a ws transport; early data in the WebSocket protocol header travels as `?ed=` (Xray's and v2ray's way).
 */
export function wsPath(transport: Extract<TransportDialect, { type: "ws" }>): string {
  const path = transport.path || "/";
  const inHeader = transport.earlyData > 0 && transport.earlyDataHeader === "Sec-WebSocket-Protocol";
  return inHeader ? `${path}${path.includes("?") ? "&" : "?"}ed=${transport.earlyData}` : path;
}

/** `type` and what belongs to it; undefined for a transport that links cannot name (quic). */
export function transportParameters(transport: TransportDialect | undefined): Parameters | undefined {
  if (!transport) return [["type", "tcp"]];
  if (transport.type === "quic") return undefined;
  if (transport.type === "grpc") {
    return [
      ["type", "grpc"],
      ["serviceName", transport.serviceName],
      ["mode", "gun"],
      ["authority", transport.authority],
    ];
  }
  const host = transport.type === "http" ? transport.hosts.join(",") : transport.host;
  const path = transport.type === "ws" ? wsPath(transport) : transport.path || "/";
  const common: Parameters = [
    ["type", transport.type],
    ["path", path],
    ["host", host],
  ];
  if (transport.type !== "xhttp") return common;
  return [...common, ["mode", transport.mode], ["extra", transport.extra ? JSON.stringify(transport.extra) : ""]];
}

/**
 * `security` and what belongs to it. A certificate that cannot be verified is pinned by `pcs` (current Xray);
 * `allowInsecure` serves older clients.
 */
export function securityParameters(tls: EntryTls | undefined): Parameters {
  if (!tls) return [["security", "none"]];
  const common: Parameters = [
    ["security", tls.reality ? "reality" : "tls"],
    ["sni", tls.serverName],
    ["fp", tls.fingerprint],
  ];
  if (tls.reality)
    return [...common, ["pbk", tls.reality.publicKey], ["sid", tls.reality.shortId], ["spx", tls.reality.spiderX]];
  return [...common, ["alpn", tls.alpn.join(",")], ["allowInsecure", tls.insecure ? "1" : ""], ["pcs", tls.pinSha256]];
}

/** The name behind `#`. */
export function fragmentOf(entry: Entry): string {
  return `#${encodeURIComponent(entry.name.toWellFormed())}`;
}
