// What a subscription is made from (rows, reduced to what matters) and what it is made into: entries that every format
// renders.
import type { OwnCredentials } from "../../lib/own-credentials.ts";
import type { ClientConfig, ClientTls, InboundDialect, TransportDialect } from "../../pool/index.ts";
import type { Naming } from "./names.ts";

/** The credentials and labels of a user. */
export interface SubscriptionUser {
  readonly name: string;
  /** Prepended to every entry's name. */
  readonly remark: string;
  readonly uuid: string;
  readonly password: string;
  readonly ss16: string;
  readonly ss32: string;
  readonly flow: string;
  /** Credentials for one protocol alone. */
  readonly by?: OwnCredentials | undefined;
  /** How its entries are named; absent: as usual. */
  readonly naming?: Naming;
}

/** The certificate that an inbound shows on a node, as far as the panel knows it. */
export interface ServedCertificate {
  /** Self-signed: clients must pin it or not verify at all. */
  readonly selfSigned: boolean;
  /** SHA-256 of the leaf's DER, 64 hex digits in lower case. */
  readonly sha256: string;
  readonly pem: string;
  /** DNS names and IP addresses that it is for. */
  readonly names: readonly string[];
  /** The client-side template stored with it. */
  readonly client: ClientTls;
}

/** A node that serves an inbound. */
export interface ServingNode {
  readonly id: number;
  readonly name: string;
  readonly remark: string;
  readonly address: string;
  /** Comma list of `address` or `label|address`; empty falls back to `address` (rule nodes.record.5). */
  readonly linkAddress: string;
  /** Undefined when the panel does not know it; clients then verify as usual. */
  readonly certificate: ServedCertificate | undefined;
  /** False where the node's engine cannot do xtls-rprx-vision: entries then carry no flow. */
  readonly vision: boolean;
  /** False where the node's engine does not take many connections in one: entries then do not say so. */
  readonly multiplex: boolean;
}

/** A domain front in use by an inbound (rule subscriptions.entry.5). */
export interface ServedFront {
  readonly id: number;
  readonly name: string;
  readonly remark: string;
  readonly domain: string;
  /** Where clients connect; empty = the domain. */
  readonly address: string;
  /** 0 = 443. */
  readonly port: number;
  /** Empty = the domain. */
  readonly sni: string;
  /** Empty = the inbound's path. */
  readonly path: string;
  readonly enabled: boolean;
}

export interface ServedInbound {
  readonly id: number;
  readonly tag: string;
  readonly remark: string;
  readonly dialect: InboundDialect;
  readonly client: ClientConfig;
  /** Fields of `clientConfig` that an older version stored and this one refuses: `client` is without them. */
  readonly untold: readonly string[];
  readonly frontedOnly: boolean;
  /** It listens on loopback, and nothing leads to it straight: clients elsewhere reach it by its fronts alone. */
  readonly apart: boolean;
  readonly fronts: readonly ServedFront[];
  readonly nodes: readonly ServingNode[];
}

/** An inbound that an older version stored and this one refuses: no subscription lists it. */
export interface RefusedInbound {
  readonly id: number;
  readonly tag: string;
  /** What is refused, as the API names fields; at least one. */
  readonly fields: readonly string[];
}

export type EntryProtocol =
  | "vless"
  | "vmess"
  | "trojan"
  | "shadowsocks"
  | "hysteria2"
  | "tuic"
  | "anytls"
  | "socks"
  | "http";

/**
 * The cipher of every vmess entry. Never `auto`: over TLS sing-box then picks a mode that current Xray servers refuse.
 */
export const VMESS_SECURITY = "aes-128-gcm";

/** TLS as a client has to do it. */
export interface EntryTls {
  /** Empty: the client uses the server's address. */
  readonly serverName: string;
  readonly alpn: readonly string[];
  /** uTLS fingerprint; empty = the client's own TLS. */
  readonly fingerprint: string;
  /** The certificate cannot be verified: pin it where the format can, else do not verify. */
  readonly insecure: boolean;
  /** SHA-256 of the certificate in hex; empty when not known. */
  readonly pinSha256: string;
  /** PEM of a self-signed certificate that is valid for the name the client asks for; empty otherwise. */
  readonly certificatePem: string;
  readonly reality: { readonly publicKey: string; readonly shortId: string; readonly spiderX: string } | undefined;
  /** Keys of the client template that only sing-box knows. */
  readonly singBoxOnly: Readonly<Record<string, unknown>>;
}

/** Where an entry comes from. */
export interface Origin {
  readonly nodeId: number;
  readonly inboundId: number;
  /** The inbound's tag. */
  readonly inbound: string;
  /** 0: straight to the node. */
  readonly frontId: number;
  /** Name of the front; empty for a way straight to the node. */
  readonly front: string;
}

/** One way for a client to connect. */
export interface Entry {
  /** Unique in a subscription. */
  readonly name: string;
  readonly protocol: EntryProtocol;
  /** An IP address (IPv6 without brackets) or a host name in ASCII. */
  readonly server: string;
  readonly port: number;
  /** vless, vmess, tuic: the id; socks, http: the user name. Empty elsewhere. */
  readonly uuid: string;
  /** The password as the client sends it; for Shadowsocks 2022 `serverKey:userKey`. Empty for vless and vmess. */
  readonly password: string;
  /** `xtls-rprx-vision` or empty. */
  readonly flow: string;
  /** Shadowsocks method; empty elsewhere. */
  readonly method: string;
  /** Undefined: the protocol's own plain transport. */
  readonly transport: TransportDialect | undefined;
  readonly tls: EntryTls | undefined;
  /** Hysteria 2 salamander password; empty without. */
  readonly obfsPassword: string;
  /** TUIC; empty = the client's default. */
  readonly congestionControl: string;
  /** The server takes many connections in one. What has no word for it connects without: that is served too. */
  readonly multiplex: { readonly padding: boolean } | undefined;
}
