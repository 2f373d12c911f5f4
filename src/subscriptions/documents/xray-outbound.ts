// An entry as an outbound of Xray, in the spelling that older cores of the family (v2ray 4) read too.
import { omissionOf } from "./limits.ts";
import { wsPath } from "./link-parameters.ts";
import { type Entry, type EntryTls, VMESS_SECURITY } from "./model.ts";

type Json = Readonly<Record<string, unknown>>;

function tlsSettings(tls: EntryTls): Json {
  return {
    ...(tls.serverName === "" ? {} : { serverName: tls.serverName }),
    ...(tls.alpn.length === 0 ? {} : { alpn: tls.alpn }),
    ...(tls.fingerprint === "" ? {} : { fingerprint: tls.fingerprint }),
    // `allowInsecure` would make current cores refuse the configuration: an unverifiable certificate is pinned or not
    // reachable.
    ...(tls.pinSha256 === "" ? {} : { pinnedPeerCertSha256: tls.pinSha256 }),
    // v2ray has no such pin, but accepts the certificate itself as an authority.
    ...(tls.certificatePem === ""
      ? {}
      : { certificates: [{ usage: "verify", certificate: tls.certificatePem.trim().split(/\r?\n/) }] }),
  };
}

function security(tls: EntryTls | undefined): Json {
  if (!tls) return { security: "none" };
  if (!tls.reality) return { security: "tls", tlsSettings: tlsSettings(tls) };
  const { publicKey, shortId, spiderX } = tls.reality;
  const realitySettings = {
    serverName: tls.serverName,
    fingerprint: tls.fingerprint || "chrome",
    publicKey,
    shortId,
    spiderX,
  };
  return { security: "reality", realitySettings };
}

/** `network` and its settings; undefined for http (h2) and quic, which Xray dropped. */
function network(entry: Entry): Json | undefined {
  const { transport } = entry;
  if (!transport) return { network: "tcp" };
  if (transport.type === "grpc") {
    const { serviceName, authority } = transport;
    return { network: "grpc", grpcSettings: { serviceName, ...(authority === "" ? {} : { authority }) } };
  }
  if (transport.type === "http" || transport.type === "quic") return undefined;
  const host = transport.host === "" ? {} : { host: transport.host };
  if (transport.type === "ws") return { network: "ws", wsSettings: { path: wsPath(transport), ...host } };
  const path = transport.path || "/";
  if (transport.type === "httpupgrade") return { network: "httpupgrade", httpupgradeSettings: { path, ...host } };
  const extra = transport.extra ? { extra: transport.extra } : {};
  return { network: "xhttp", xhttpSettings: { path, ...host, mode: transport.mode, ...extra } };
}

function settings(entry: Entry): Json {
  const { server: address, port, uuid: id, password } = entry;
  if (entry.protocol === "vless") {
    return {
      vnext: [
        { address, port, users: [{ id, encryption: "none", ...(entry.flow === "" ? {} : { flow: entry.flow }) }] },
      ],
    };
  }
  if (entry.protocol === "vmess")
    return { vnext: [{ address, port, users: [{ id, alterId: 0, security: VMESS_SECURITY }] }] };
  if (entry.protocol === "socks" || entry.protocol === "http")
    return { servers: [{ address, port, users: [{ user: id, pass: password }] }] };
  return { servers: [{ address, port, password, ...(entry.method === "" ? {} : { method: entry.method }) }] };
}

/** Hysteria 2 is a protocol and a transport of its own. */
function hysteria(entry: Entry, tag: string): Json {
  const mask = { finalmask: { udp: [{ type: "salamander", settings: { password: entry.obfsPassword } }] } };
  return {
    tag,
    protocol: "hysteria",
    settings: { version: 2, address: entry.server, port: entry.port },
    streamSettings: {
      network: "hysteria",
      ...security(entry.tls),
      hysteriaSettings: { version: 2, auth: entry.password },
      ...(entry.obfsPassword === "" ? {} : mask),
    },
  };
}

/** The entry as an Xray outbound; undefined when Xray cannot carry it. */
export function xrayOutbound(entry: Entry, tag: string): Json | undefined {
  if (omissionOf("xray", entry)) return undefined;
  if (entry.protocol === "hysteria2") return hysteria(entry, tag);
  const stream = network(entry);
  if (!stream) return undefined;
  return {
    tag,
    protocol: entry.protocol,
    settings: settings(entry),
    streamSettings: { ...stream, ...security(entry.tls) },
  };
}
