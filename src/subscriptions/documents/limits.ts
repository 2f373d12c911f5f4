// What each format, and the program that reads it, can carry. One table: the writers leave out what it refuses, and the
// preview says why (rule subscriptions.format.5).
import { MIHOMO_WITH_XHTTP, olderThan, type CoreVersion } from "./cores.ts";
import type { Entry, EntryProtocol } from "./model.ts";

/** The formats that are lists of servers, in the order in which they are offered. */
export const ENTRY_FORMAT_NAMES = ["links", "base64", "clash", "singbox", "xray"] as const;
export type EntryFormatName = (typeof ENTRY_FORMAT_NAMES)[number];

/**
 * Why an entry is left out. `protocol`, `transport` and `security`: the format has no such thing. `combination`: it has
 * both, but not together. `core`: this client's version does not know it. `core_unnamed`: newer ones do, and the client
 * does not say which it is.
 */
export const OMISSION_CODES = ["protocol", "transport", "security", "combination", "core", "core_unnamed"] as const;

export interface Omission {
  readonly code: (typeof OMISSION_CODES)[number];
  /** Protocol, transport or security that cannot be said. */
  readonly what: string;
}

interface Shape {
  readonly protocol: EntryProtocol;
  readonly transport: string;
  readonly security: "none" | "tls" | "reality";
}

const none = (code: Omission["code"], what: string): Omission => ({ code, what });
const together = (...parts: readonly string[]): Omission => none("combination", parts.join(" + "));

/** Links have no word for the quic transport, and `socks5://` none for TLS. */
function links({ protocol, transport, security }: Shape): Omission | undefined {
  if (transport === "quic") return none("transport", transport);
  if (protocol === "socks" && security !== "none") return together(protocol, security);
  return undefined;
}

/**
 * Xray has neither TUIC, AnyTLS nor the cipher aes-192-gcm, has dropped h2 and quic, and does REALITY over raw TCP,
 * grpc and xhttp only.
 */
function xray({ protocol, transport, security }: Shape, { method }: Entry): Omission | undefined {
  if (method === "aes-192-gcm") return together(protocol, method);
  if (protocol === "tuic" || protocol === "anytls") return none("protocol", protocol);
  if (transport === "http" || transport === "quic") return none("transport", transport);
  if (security === "reality" && ["ws", "httpupgrade"].includes(transport)) return together(transport, security);
  return undefined;
}

/** Over gRPC neither sing-box nor mihomo names another host than that of TLS, or of the server without TLS. */
function ownHost({ transport }: Entry): Omission | undefined {
  return transport?.type === "grpc" && transport.authority !== "" ? together(transport.type, "Host") : undefined;
}

/** What sing-box learnt after the oldest version that clients still run. */
function singbox({ protocol, transport, security }: Shape, entry: Entry, core: CoreVersion): Omission | undefined {
  if (transport === "xhttp") return none("transport", transport);
  if (protocol === "socks" && security !== "none") return together(protocol, security);
  if (protocol === "anytls" && olderThan(core, 1, 12)) return none("core", protocol);
  return ownHost(entry);
}

/** Transports of mihomo by protocol; xhttp is VLESS's alone there. */
const MIHOMO_TRANSPORTS: Readonly<Partial<Record<EntryProtocol, readonly string[]>>> = {
  vless: ["tcp", "ws", "httpupgrade", "grpc", "http", "xhttp"],
  vmess: ["tcp", "ws", "httpupgrade", "grpc", "http"],
  trojan: ["tcp", "ws", "httpupgrade", "grpc"],
};
/** Protocols to which mihomo gives `reality-opts`. */
const MIHOMO_REALITY: readonly EntryProtocol[] = ["vless", "vmess", "trojan"];

function clash({ protocol, transport, security }: Shape, entry: Entry, core: CoreVersion): Omission | undefined {
  const transports = MIHOMO_TRANSPORTS[protocol];
  if (transport === "quic") return none("transport", transport);
  if (transports && !transports.includes(transport)) return together(protocol, transport);
  // Its trojan is always over TLS, and its h2 too.
  if (protocol === "trojan" && security === "none") return together(protocol, security);
  if (transport === "http" && security === "none") return together(transport, security);
  if (security === "reality") {
    if (!MIHOMO_REALITY.includes(protocol)) return together(protocol, security);
    if (["ws", "httpupgrade"].includes(transport)) return together(transport, security);
  }
  // It asks for the address itself: a certificate for another name can only be pinned or not verified.
  const { tls, server } = entry;
  if (protocol === "socks" && tls && !tls.insecure && tls.serverName !== "" && tls.serverName !== server)
    return together(protocol, "SNI");
  // An older one takes it for no transport at all, and its entry reaches nothing.
  if (transport === "xhttp" && core === undefined) return none("core_unnamed", transport);
  if (transport === "xhttp" && olderThan(core, ...MIHOMO_WITH_XHTTP)) return none("core", transport);
  return ownHost(entry);
}

function shapeOf({ protocol, transport, tls }: Entry): Shape {
  return {
    protocol,
    transport: transport?.type ?? "tcp",
    security: tls ? (tls.reality ? "reality" : "tls") : "none",
  };
}

/** Why a format leaves an entry out; undefined for one that it carries. `core`: of the program that will read it. */
export function omissionOf(format: EntryFormatName, entry: Entry, core?: CoreVersion): Omission | undefined {
  const shape = shapeOf(entry);
  switch (format) {
    case "links":
    case "base64":
      return links(shape);
    case "clash":
      return clash(shape, entry, core);
    case "singbox":
      return singbox(shape, entry, core);
    case "xray":
      return xray(shape, entry);
  }
}
