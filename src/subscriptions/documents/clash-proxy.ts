// An entry as a proxy of mihomo (the core of the Clash family).
import { servedFlow } from "../../dialect/index.ts";
import type { TransportDialect } from "../../pool/index.ts";
import { xhttpFields } from "./clash-xhttp.ts";
import type { CoreVersion } from "./cores.ts";
import { omissionOf } from "./limits.ts";
import { type Entry, type EntryTls, VMESS_SECURITY } from "./model.ts";
import type { YamlValue } from "../../lib/yaml.ts";

type Fields = Readonly<Record<string, YamlValue>>;

/** Where the server's name is called `servername`; elsewhere it is `sni`. */
const SERVERNAME = ["vless", "vmess"];
/** Protocols that are over TLS by themselves: they have no flag for it. */
const ALWAYS_TLS = ["trojan", "hysteria2", "tuic", "anytls"];
const FINGERPRINTED = ["vless", "vmess", "trojan", "anytls"];
/** Protocols that say their ALPN. */
const WITHOUT_ALPN = ["socks", "http"];

function tlsFields({ protocol }: Entry, tls: EntryTls): Fields {
  const { reality } = tls;
  const name = SERVERNAME.includes(protocol) ? "servername" : "sni";
  // A pinned certificate is verified by the pin alone.
  const unverified: Fields = tls.pinSha256 === "" ? { "skip-cert-verify": true } : { fingerprint: tls.pinSha256 };
  return {
    ...(ALWAYS_TLS.includes(protocol) ? {} : { tls: true }),
    ...(tls.serverName === "" || protocol === "socks" ? {} : { [name]: tls.serverName }),
    ...(tls.alpn.length === 0 || WITHOUT_ALPN.includes(protocol) ? {} : { alpn: tls.alpn }),
    ...(tls.insecure ? unverified : {}),
    ...(tls.fingerprint === "" || !FINGERPRINTED.includes(protocol) ? {} : { "client-fingerprint": tls.fingerprint }),
    ...(reality ? { "reality-opts": { "public-key": reality.publicKey, "short-id": reality.shortId } } : {}),
  };
}

function ws(path: string, host: string, more: Fields = {}): Fields {
  const headers: Fields = host === "" ? {} : { headers: { Host: host } };
  return { network: "ws", "ws-opts": { path: path || "/", ...headers, ...more } };
}

/** What a transport needs to be told without TLS: of xhttp mihomo speaks HTTP/2 otherwise, which takes TLS. */
const PLAIN: Readonly<Record<string, Fields>> = { xhttp: { alpn: ["http/1.1"] } };

/** `network` and its options. The table of limits has refused what has none. */
function transportFields(transport: TransportDialect): Fields {
  switch (transport.type) {
    case "ws": {
      const name = transport.earlyDataHeader;
      const early: Fields = {
        "max-early-data": transport.earlyData,
        ...(name === "" ? {} : { "early-data-header-name": name }),
      };
      return ws(transport.path, transport.host, transport.earlyData === 0 ? {} : early);
    }
    case "httpupgrade":
      return ws(transport.path, transport.host, { "v2ray-http-upgrade": true });
    case "grpc":
      return { network: "grpc", "grpc-opts": { "grpc-service-name": transport.serviceName } };
    case "http": {
      const host: Fields = transport.hosts.length === 0 ? {} : { host: transport.hosts };
      return { network: "h2", "h2-opts": { ...host, path: transport.path || "/" } };
    }
    case "xhttp":
      return xhttpFields(transport);
    case "quic":
      return {};
  }
}

function protocolFields({ protocol, uuid, password, ...entry }: Entry): Fields {
  switch (protocol) {
    case "vless": {
      const flow: Fields = entry.flow === "" ? {} : { flow: servedFlow(entry.flow) };
      return { type: protocol, uuid, ...flow, "packet-encoding": "xudp" };
    }
    case "vmess":
      return { type: protocol, uuid, alterId: 0, cipher: VMESS_SECURITY, "packet-encoding": "xudp" };
    case "trojan":
    case "anytls":
      return { type: protocol, password };
    case "shadowsocks":
      return { type: "ss", cipher: entry.method, password };
    case "hysteria2": {
      const obfs: Fields = entry.obfsPassword === "" ? {} : { obfs: "salamander", "obfs-password": entry.obfsPassword };
      return { type: protocol, password, ...obfs };
    }
    case "tuic": {
      const control: Fields =
        entry.congestionControl === "" ? {} : { "congestion-controller": entry.congestionControl };
      return { type: protocol, uuid, password, "udp-relay-mode": "native", ...control };
    }
    case "socks":
      return { type: "socks5", username: uuid, password };
    case "http":
      return { type: protocol, username: uuid, password };
  }
}

/** The entry as a proxy; undefined when mihomo cannot carry it (one bad proxy makes it refuse the whole file). */
export function clashProxy(entry: Entry, core?: CoreVersion): Fields | undefined {
  if (omissionOf("clash", entry, core)) return undefined;
  return {
    name: entry.name,
    server: entry.server,
    port: entry.port,
    ...protocolFields(entry),
    ...(entry.protocol === "http" ? {} : { udp: true }),
    ...(entry.tls ? tlsFields(entry, entry.tls) : PLAIN[entry.transport?.type ?? ""]),
    ...(entry.transport ? transportFields(entry.transport) : {}),
    ...(entry.multiplex ? { smux: { enabled: true, ...(entry.multiplex.padding ? { padding: true } : {}) } } : {}),
  };
}
