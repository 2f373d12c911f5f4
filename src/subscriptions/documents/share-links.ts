// Share links, one for each entry that a link can carry, and the base64 list that most clients poll.
import { hostInUrl } from "./hosts.ts";
import { fragmentOf, queryOf, securityParameters, transportParameters, wsPath } from "./link-parameters.ts";
import { omissionOf } from "./limits.ts";
import { inBase64 } from "./text-marks.ts";
import { type Entry, VMESS_SECURITY } from "./model.ts";

function authority(entry: Entry): string {
  return `${hostInUrl(entry.server)}:${entry.port}`;
}

function vless(entry: Entry): string | undefined {
  const transport = transportParameters(entry.transport);
  if (!transport) return undefined;
  const query = queryOf([["encryption", "none"], ["flow", entry.flow], ...securityParameters(entry.tls), ...transport]);
  return `vless://${encodeURIComponent(entry.uuid)}@${authority(entry)}${query}${fragmentOf(entry)}`;
}

function trojan(entry: Entry): string | undefined {
  const transport = transportParameters(entry.transport);
  if (!transport) return undefined;
  const query = queryOf([...securityParameters(entry.tls), ...transport]);
  return `trojan://${encodeURIComponent(entry.password)}@${authority(entry)}${query}${fragmentOf(entry)}`;
}

/** `host`, `path` and `type` of the v2rayN form, whose meaning depends on the transport. */
function vmessTransport(entry: Entry): Readonly<Record<string, string>> | undefined {
  const { transport } = entry;
  if (!transport) return { net: "tcp", type: "none", host: "", path: "" };
  if (transport.type === "quic") return undefined;
  if (transport.type === "grpc") {
    const { serviceName: path, authority: host } = transport;
    // v2rayN reads it as the host, others under its own name.
    return { net: "grpc", type: "gun", host, path, ...(host === "" ? {} : { authority: host }) };
  }
  if (transport.type === "http")
    return { net: "h2", type: "none", host: transport.hosts.join(","), path: transport.path || "/" };
  if (transport.type === "ws") return { net: "ws", type: "none", host: transport.host, path: wsPath(transport) };
  const common = { net: transport.type, host: transport.host, path: transport.path || "/" };
  // v2rayN reads it as the type, others under its own name.
  return transport.type === "xhttp"
    ? { ...common, type: transport.mode, mode: transport.mode }
    : { ...common, type: "none" };
}

/** The v2rayN form: base64 of a JSON object whose values are texts. */
function vmess(entry: Entry): string | undefined {
  const transport = vmessTransport(entry);
  if (!transport) return undefined;
  const { tls } = entry;
  const security = {
    tls: tls ? (tls.reality ? "reality" : "tls") : "",
    sni: tls?.serverName ?? "",
    // mihomo takes an empty one for a protocol without a name, and no handshake succeeds.
    ...(tls && tls.alpn.length > 0 ? { alpn: tls.alpn.join(",") } : {}),
    fp: tls?.fingerprint ?? "",
    ...(tls?.reality ? { pbk: tls.reality.publicKey, sid: tls.reality.shortId, spx: tls.reality.spiderX } : {}),
    ...(tls?.insecure ? { allowInsecure: "1", pcs: tls.pinSha256 } : {}),
  };
  const head = {
    v: "2",
    ps: entry.name.toWellFormed(),
    add: entry.server,
    port: String(entry.port),
    id: entry.uuid,
    aid: "0",
    scy: VMESS_SECURITY,
  };
  return `vmess://${inBase64(JSON.stringify({ ...head, ...transport, ...security }), "base64", "quoted")}`;
}

/** SIP002; Shadowsocks 2022 with percent-encoded plain user info, as SIP022 demands. */
function shadowsocks(entry: Entry): string {
  const plain = `${entry.method}:${entry.password.split(":").map(encodeURIComponent).join(":")}`;
  const packed = inBase64(`${entry.method}:${entry.password}`, "base64url", "plain");
  return `ss://${entry.method.startsWith("2022-") ? plain : packed}@${authority(entry)}${fragmentOf(entry)}`;
}

function hysteria2(entry: Entry): string {
  const query = queryOf([
    ["obfs", entry.obfsPassword === "" ? "" : "salamander"],
    ["obfs-password", entry.obfsPassword],
    ["sni", entry.tls?.serverName ?? ""],
    ["insecure", entry.tls?.insecure ? "1" : ""],
    ["pinSHA256", entry.tls?.pinSha256 ?? ""],
  ]);
  return `hysteria2://${encodeURIComponent(entry.password)}@${authority(entry)}/${query}${fragmentOf(entry)}`;
}

function tuic(entry: Entry): string {
  const query = queryOf([
    ["congestion_control", entry.congestionControl],
    ["udp_relay_mode", "native"],
    ["sni", entry.tls?.serverName ?? ""],
    ["alpn", entry.tls?.alpn.join(",") ?? ""],
    ["allow_insecure", entry.tls?.insecure ? "1" : ""],
  ]);
  return `tuic://${encodeURIComponent(entry.uuid)}:${encodeURIComponent(entry.password)}@${authority(entry)}${query}${fragmentOf(entry)}`;
}

function anytls(entry: Entry): string {
  const { tls } = entry;
  const reality = tls?.reality ? securityParameters(tls) : [];
  const query = queryOf([
    ["sni", tls?.serverName ?? ""],
    ["insecure", tls?.insecure ? "1" : ""],
    ["alpn", tls?.alpn.join(",") ?? ""],
    ["fp", tls?.fingerprint ?? ""],
    ...reality.filter(([name]) => name !== "sni" && name !== "fp"),
  ]);
  return `anytls://${encodeURIComponent(entry.password)}@${authority(entry)}${query}${fragmentOf(entry)}`;
}

function userInfo(entry: Entry): string {
  return `${encodeURIComponent(entry.uuid)}:${encodeURIComponent(entry.password)}`;
}

function socks(entry: Entry): string {
  return `socks5://${userInfo(entry)}@${authority(entry)}${fragmentOf(entry)}`;
}

function http(entry: Entry): string {
  if (!entry.tls) return `http://${userInfo(entry)}@${authority(entry)}${fragmentOf(entry)}`;
  const query = queryOf([
    ["sni", entry.tls.serverName],
    ["allowInsecure", entry.tls.insecure ? "1" : ""],
  ]);
  return `https://${userInfo(entry)}@${authority(entry)}${query}${fragmentOf(entry)}`;
}

const WRITERS: Readonly<Record<Entry["protocol"], (entry: Entry) => string | undefined>> = {
  vless,
  vmess,
  trojan,
  shadowsocks,
  hysteria2,
  tuic,
  anytls,
  socks,
  http,
};

/** The share link of an entry; undefined when its protocol's link cannot carry it. */
export function linkOf(entry: Entry): string | undefined {
  return omissionOf("links", entry) ? undefined : WRITERS[entry.protocol](entry);
}

/** Share links in order, one a line, ending with a line break unless there is none. */
export function renderLinks(entries: readonly Entry[]): string {
  return entries
    .map(linkOf)
    .filter((link) => link !== undefined)
    .map((link) => `${link}\n`)
    .join("");
}

/** The links in base64 (standard alphabet, padded, one line). */
export function renderBase64(entries: readonly Entry[]): string {
  return Buffer.from(renderLinks(entries), "utf8").toString("base64");
}
