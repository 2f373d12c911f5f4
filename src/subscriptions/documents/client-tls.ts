// TLS as a client of an inbound has to do it: from the inbound, the certificate shown there, and the operator's client
// templates.
import { isIP } from "node:net";
import type { ClientTls, InboundDialect } from "../../pool/index.ts";
import { comparableHost, plainHost } from "./hosts.ts";
import type { EntryTls, ServedCertificate } from "./model.ts";

const OVER_QUIC = ["hysteria2", "tuic"];
const HTTP1_ONLY = ["ws", "httpupgrade"];
const HTTP2_ONLY = ["grpc", "http"];
/** Protocols that are as well without TLS: a proxy in front of the node may end it, or add it. */
const TLS_BY_CHOICE = ["vless", "vmess", "trojan", "http"];
const COMMON_KEYS = new Set(["enabled", "server_name", "insecure", "alpn", "utls", "reality"]);

/** Whether a certificate for `names` is valid for `host`; `*.a.test` covers one label. */
export function coversHost(names: readonly string[], host: string): boolean {
  const wanted = comparableHost(host);
  return names.some((name) => {
    const own = comparableHost(name);
    if (!own.startsWith("*.")) return own === wanted;
    return isIP(wanted) === 0 && wanted.slice(wanted.indexOf(".")) === own.slice(1);
  });
}

/**
 * The name to ask for: the inbound's, REALITY's target, the address when the certificate covers it, the certificate's
 * own, the address. Never an IP address.
 */
function serverNameOf(dialect: InboundDialect, server: string, certificate: ServedCertificate | undefined): string {
  const own = plainHost(dialect.tls?.serverName ?? "");
  if (own !== "") return own;
  if (dialect.tls?.reality) return plainHost(dialect.tls.reality.handshakeServer);
  const address = isIP(server) === 0 ? server : "";
  if (!certificate || certificate.names.length === 0 || (address !== "" && coversHost(certificate.names, address)))
    return address;
  const named = certificate.names.find((name) => isIP(name) === 0 && !name.startsWith("*."));
  return named ?? address;
}

/**
 * ALPN that works for the transport: ws and httpupgrade speak HTTP/1.1 only, and offering h2 would break them; grpc and
 * http speak h2 only; QUIC protocols speak h3.
 */
function alpnFor(offered: readonly string[], protocol: string, transport: string): readonly string[] {
  if (OVER_QUIC.includes(protocol)) return offered.length > 0 ? offered : ["h3"];
  if (protocol === "http" || HTTP1_ONLY.includes(transport)) return offered.length > 0 ? ["http/1.1"] : [];
  if (HTTP2_ONLY.includes(transport)) return offered.length > 0 ? ["h2"] : [];
  return offered;
}

/** Fingerprint by template; by default Chrome's if TLS runs over TCP, since Go's own is easy to single out. */
function fingerprintOf(protocol: string, reality: boolean, template: ClientTls): string {
  if (OVER_QUIC.includes(protocol)) return "";
  // REALITY is uTLS.
  if (reality) return template.utls?.fingerprint || "chrome";
  return template.utls?.enabled === false ? "" : (template.utls?.fingerprint ?? "chrome");
}

/** ALPN towards a proxy in front of the node, which speaks both versions of HTTP. */
function alpnInFront(protocol: string, transport: string): readonly string[] {
  if (HTTP2_ONLY.includes(transport)) return ["h2"];
  return transport === "xhttp" ? ["h2", "http/1.1"] : alpnFor(["http/1.1"], protocol, transport);
}

/** TLS that ends before the node, at a CDN or web server: its certificate is verified like a website's. */
export function tlsInFront({ type, transport }: InboundDialect, serverName: string): EntryTls {
  return {
    serverName: plainHost(serverName),
    alpn: transport ? alpnInFront(type, transport.type) : [],
    fingerprint: "chrome",
    insecure: false,
    pinSha256: "",
    certificatePem: "",
    reality: undefined,
    singBoxOnly: {},
  };
}

/** The same as the inbound's client template has it. */
function templateInFront(dialect: InboundDialect, server: string, template: ClientTls): EntryTls {
  const tls = tlsInFront(dialect, template.server_name ?? (isIP(server) === 0 ? server : ""));
  return {
    ...tls,
    alpn: template.alpn ?? tls.alpn,
    fingerprint: fingerprintOf(dialect.type, false, template),
    insecure: template.insecure ?? false,
    singBoxOnly: ofSingBox(template),
  };
}

function ofSingBox(template: ClientTls): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(template).filter(([key]) => !COMMON_KEYS.has(key)));
}

/**
 * Client TLS of an inbound reached at `server`; undefined where clients use none. The inbound's client template wins
 * over the certificate's, and both over what follows from the inbound. Its `enabled` says whether there is TLS where
 * the protocol leaves the choice; nothing but the node itself can do REALITY (rule subscriptions.entry.11).
 */
export function clientTls(
  dialect: InboundDialect,
  server: string,
  certificate: ServedCertificate | undefined,
  override: ClientTls | undefined,
): EntryTls | undefined {
  const enabled =
    TLS_BY_CHOICE.includes(dialect.type) && dialect.transport?.type !== "quic" ? override?.enabled : undefined;
  if (!dialect.tls) return enabled === true ? templateInFront(dialect, server, override ?? {}) : undefined;
  if (enabled === false && !dialect.tls.reality) return undefined;
  const template: ClientTls = { ...certificate?.client, ...override };
  const serverName =
    template.server_name === undefined ? serverNameOf(dialect, server, certificate) : plainHost(template.server_name);
  const { reality } = dialect.tls;
  const fingerprint = fingerprintOf(dialect.type, reality !== undefined, template);
  const common = { serverName, fingerprint, singBoxOnly: ofSingBox(template) };
  if (reality) {
    const {
      public_key: publicKey = reality.publicKey,
      short_id: chosen,
      spider_x: spiderX = "",
    } = template.reality ?? {};
    // Nodes take an empty one where it is among them; some clients do not.
    const shortId = chosen || (reality.shortIds.find((id) => id !== "") ?? "");
    return {
      ...common,
      alpn: [],
      insecure: false,
      pinSha256: "",
      certificatePem: "",
      reality: { publicKey, shortId, spiderX },
    };
  }
  const insecure = template.insecure ?? certificate?.selfSigned ?? false;
  const verifiable =
    insecure && certificate?.selfSigned === true && coversHost(certificate.names, serverName || server);
  return {
    ...common,
    alpn: template.alpn ?? alpnFor(dialect.tls.alpn, dialect.type, dialect.transport?.type ?? ""),
    insecure,
    pinSha256: insecure ? (certificate?.sha256 ?? "") : "",
    certificatePem: verifiable ? certificate.pem : "",
    reality: undefined,
  };
}
