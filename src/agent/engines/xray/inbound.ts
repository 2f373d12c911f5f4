// One inbound of the plan as Xray runs it, without its users. Everything that Xray has not got is refused here by name.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { CompiledInbound, EngineAccount } from "../process/dialect.ts";
import { Host, ListenAddress } from "../rays/hosts.ts";
import { listenAddress } from "../rays/inbounds.ts";
import { hysteriaStream, masqueradeSettings, Obfs } from "./hysteria.ts";
import { serverSecurity } from "./security.ts";
import { keyBytesOf, shadowsocksMethod } from "./shadowsocks.ts";
import { socketOptions, socketShape } from "./socket-options.ts";
import { transportSettings } from "./transport.ts";
import { hostPort, xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

const PROTOCOLS = {
  vless: "vless",
  vmess: "vmess",
  trojan: "trojan",
  shadowsocks: "shadowsocks",
  hysteria2: "hysteria",
  socks: "socks",
  http: "http",
  mixed: "mixed",
  direct: "dokodemo-door",
} as const;
type Protocol = keyof typeof PROTOCOLS;
/** The kernel ends a connection whose client has acknowledged nothing of what was sent to it for so long. */
const USER_TIMEOUT_MS = 60_000;
const WITH_TRANSPORT: readonly Protocol[] = ["vless", "vmess", "trojan"];
const WITH_LOGINS: readonly Protocol[] = ["socks", "http", "mixed"];
/** A change of one user costs a 2022 inbound time in proportion to all of them. */
const MOST_OPERATIONS = { ss2022: 200, others: 5000 };

const Port = z.int().min(1).max(65_535);
const Toggle = z.looseObject({ enabled: z.boolean().optional() });
const Fallback = z.strictObject({ server: Host.default("127.0.0.1"), server_port: Port });
const shape = {
  // The plan's own columns may be repeated in the stored fragment.
  type: z.string().optional(),
  tag: z.string().optional(),
  listen: ListenAddress.default("::"),
  listen_port: Port,
  tls: z.unknown().optional(),
  ...socketShape,
};
const Configs = {
  vless: z.strictObject({ ...shape, transport: z.unknown().optional(), multiplex: Toggle.optional() }),
  vmess: z.strictObject({ ...shape, transport: z.unknown().optional(), multiplex: Toggle.optional() }),
  trojan: z.strictObject({
    ...shape,
    transport: z.unknown().optional(),
    multiplex: Toggle.optional(),
    fallback: Fallback.optional(),
    fallback_for_alpn: z.record(z.string(), Fallback).optional(),
  }),
  shadowsocks: z.strictObject({
    ...shape,
    multiplex: Toggle.optional(),
    method: z.string().default(""),
    password: z.string().default(""),
    network: z.enum(["tcp", "udp", ""]).optional(),
  }),
  hysteria2: z.strictObject({
    ...shape,
    up_mbps: z.int().nonnegative().optional(),
    down_mbps: z.int().nonnegative().optional(),
    obfs: Obfs.optional(),
    ignore_client_bandwidth: z.boolean().optional(),
    masquerade: z.unknown().optional(),
    brutal_debug: z.boolean().optional(),
  }),
  logins: z.strictObject(shape),
  direct: z.strictObject({
    ...shape,
    network: z.enum(["tcp", "udp", ""]).optional(),
    override_address: Host.optional(),
    override_port: Port.optional(),
  }),
};

/** How an inbound's users are served: undefined where they are part of it, or there are none. */
export type AccountKind =
  | Exclude<EngineAccount["protocol"], "tuic" | "anytls" | "naive" | "shadowtls" | "socks" | "http" | "mixed">
  | undefined;

export interface XrayInbound extends CompiledInbound {
  readonly accounts: AccountKind;
  /** Shadowsocks: the cipher as Xray writes it. */
  readonly method: string;
  /** Shadowsocks 2022: bytes of a user's key. */
  readonly keyBytes: 16 | 32 | undefined;
}

export interface InboundOptions {
  /** A route rule needs the protocol or name from the first bytes. */
  readonly sniffing: boolean;
  /** Xray believes forwarding headers only where it is told to (26.7 and later). */
  readonly honest: boolean;
}

/** Throws a Refusal when Xray cannot serve it. */
export function compileInbound(inbound: PlanInbound, options: InboundOptions): XrayInbound {
  const protocol = protocolOf(inbound.type);
  const parts = partsOf(protocol, inbound.config);
  const { common } = parts;
  const trusted = options.honest && parts.forwards ? (inbound.trustedHeaders ?? []) : [];
  const streamSettings = {
    ...parts.stream,
    ...socketOptions(common, {
      tcpUserTimeout: USER_TIMEOUT_MS,
      ...(trusted.length > 0 && { trustedXForwardedFor: trusted }),
    }),
  };
  return {
    id: inbound.id,
    tag: inbound.tag,
    listen: listenAddress(common.listen),
    port: common.listen_port,
    networks: parts.networks,
    cutByClosing: parts.cutByClosing,
    protocol,
    users: parts.accounts === undefined ? "fixed" : "live",
    mostLiveOperations: parts.accounts === "shadowsocks-2022" ? MOST_OPERATIONS.ss2022 : MOST_OPERATIONS.others,
    ...(trusted.length > 0 && { trusting: true }),
    fronted: parts.forwards && (!options.honest || trusted.length > 0),
    anonymous: parts.accounts === undefined,
    vision: parts.vision,
    accounts: parts.accounts,
    method: parts.method,
    keyBytes: parts.keyBytes,
    body: {
      protocol: PROTOCOLS[protocol],
      streamSettings,
      // Names that clients send inside decide routes, never the way a connection takes: the address that was checked is
      // the one that is dialled.
      ...(options.sniffing && {
        sniffing: { enabled: true, destOverride: ["http", "tls", "quic"], routeOnly: options.honest },
      }),
    },
    settings: parts.settings,
    notes: parts.notes,
  };
}

function protocolOf(type: string): Protocol {
  if (Object.hasOwn(PROTOCOLS, type)) return type as Protocol;
  throw xray.unserved(`type ${type}`, "singBox");
}

interface Parts {
  readonly common: z.infer<typeof Configs.logins>;
  readonly networks: readonly ("tcp" | "udp")[];
  readonly accounts: AccountKind;
  readonly settings: Record<string, unknown>;
  readonly stream: Record<string, unknown>;
  readonly forwards: boolean;
  readonly cutByClosing: boolean;
  readonly vision: boolean;
  readonly method: string;
  readonly keyBytes: 16 | 32 | undefined;
  readonly notes: readonly Reason[];
}

const PLAIN = {
  stream: { network: "raw" },
  forwards: false,
  cutByClosing: false,
  vision: false,
  method: "",
  keyBytes: undefined,
} as const;

function partsOf(protocol: Protocol, config: unknown): Parts {
  if (protocol === "vless" || protocol === "vmess" || protocol === "trojan") return proxyParts(protocol, config);
  if (protocol === "shadowsocks") return shadowsocksParts(config);
  if (protocol === "hysteria2") return hysteriaParts(config);
  if (protocol === "direct") return directParts(config);
  return loginParts(protocol, config);
}

function proxyParts(protocol: "vless" | "vmess" | "trojan", value: unknown): Parts {
  const common = xray.parsed(Configs[protocol], value);
  const transport = transportSettings("inbound", common.transport);
  const security = serverSecurity(common.tls, transport.alpn);
  if (security.kind === "reality" && (transport.network === "ws" || transport.network === "httpupgrade"))
    throw xray.unservedWith("REALITY", `transport ${transport.network}`, "singBox");
  const overQuic = transport.network === "xhttp" && security.kind === "tls" && isHttp3(common.tls);
  const settings =
    protocol === "vless"
      ? { decryption: "none" }
      : protocol === "trojan"
        ? fallbacksOf(xray.parsed(Configs.trojan, value))
        : {};
  return {
    ...PLAIN,
    common,
    networks: overQuic ? ["udp"] : ["tcp"],
    accounts: protocol,
    settings,
    stream: { ...transport.settings, ...security.settings },
    forwards: transport.network !== "raw",
    cutByClosing: transport.network === "grpc",
    vision: protocol === "vless" && transport.network === "raw" && security.kind !== "none",
    notes: [...transport.notes, ...security.notes, ...multiplexNote(common.multiplex)],
  };
}

/** With this alone as ALPN an xhttp server listens on QUIC instead of TCP. */
function isHttp3(tls: unknown): boolean {
  const { alpn } = xray.parsed(
    z.looseObject({ alpn: z.union([z.string(), z.array(z.string())]).optional() }),
    tls ?? {},
  );
  return [alpn ?? []].flat().join() === "h3";
}

function fallbacksOf({ fallback, fallback_for_alpn: byAlpn }: z.infer<typeof Configs.trojan>): Record<string, unknown> {
  const fallbacks = [
    ...Object.entries(byAlpn ?? {}).map(([alpn, { server, server_port: port }]) => ({
      alpn,
      dest: hostPort(server, port),
    })),
    ...(fallback ? [{ dest: hostPort(fallback.server, fallback.server_port) }] : []),
  ];
  return fallbacks.length === 0 ? {} : { fallbacks };
}

function multiplexNote(multiplex: z.infer<typeof Toggle> | undefined): Reason[] {
  return multiplex && multiplex.enabled !== false ? [reason("multiplex_off", "xray")] : [];
}

function shadowsocksParts(value: unknown): Parts {
  const common = xray.parsed(Configs.shadowsocks, value);
  const method = shadowsocksMethod(common.method, common.password);
  const keyBytes = keyBytesOf(method);
  const networks = common.network === "tcp" || common.network === "udp" ? [common.network] : (["tcp", "udp"] as const);
  if (serverSecurity(common.tls, undefined).kind !== "none") throw new Refusal(reason("takes_no_tls", "shadowsocks"));
  return {
    ...PLAIN,
    common,
    networks,
    accounts: keyBytes === undefined ? "shadowsocks" : "shadowsocks-2022",
    settings: { ...(keyBytes !== undefined && { method, password: common.password }), network: networks.join(",") },
    method,
    keyBytes,
    notes: multiplexNote(common.multiplex),
  };
}

function hysteriaParts(value: unknown): Parts {
  const common = xray.parsed(Configs.hysteria2, value);
  const security = serverSecurity(common.tls, ["h3"]);
  const own =
    common.masquerade === undefined || common.masquerade === ""
      ? {}
      : { masquerade: masqueradeSettings(common.masquerade) };
  const stream = hysteriaStream(common, security, own);
  return {
    ...PLAIN,
    common,
    networks: ["udp"],
    accounts: "hysteria2",
    settings: { version: 2 },
    stream,
    notes: security.notes,
  };
}

function loginParts(protocol: Protocol, value: unknown): Parts {
  const common = xray.parsed(Configs.logins, value);
  if (!WITH_LOGINS.includes(protocol) || WITH_TRANSPORT.includes(protocol)) throw xray.unserved(`type ${protocol}`);
  // Xray's own clients negotiate HTTP/2 if a server offers it, but then do not use it with a proxy.
  const security = serverSecurity(common.tls, protocol === "socks" ? undefined : ["http/1.1"]);
  if (security.kind === "reality") throw xray.unservedWith("REALITY", protocol, "singBox");
  const notes = [
    ...security.notes,
    reason("anonymous", "xray", protocol),
    ...(protocol === "http" ? [] : [reason("tcp_alone", "xray", protocol)]),
  ];
  const settings = protocol === "http" ? { allowTransparent: false } : { auth: "password", udp: false };
  return {
    ...PLAIN,
    common,
    networks: ["tcp"],
    accounts: undefined,
    settings,
    stream: { network: "raw", ...security.settings },
    notes,
  };
}

function directParts(value: unknown): Parts {
  const common = xray.parsed(Configs.direct, value);
  const { override_address: address, override_port: port } = common;
  if (address === undefined) throw new Refusal(reason("direct_target"));
  if (serverSecurity(common.tls, undefined).kind !== "none") throw xray.unservedWith("TLS", "direct");
  const networks = common.network === "tcp" || common.network === "udp" ? [common.network] : (["tcp", "udp"] as const);
  const settings = { address, port: port ?? common.listen_port, network: networks.join(",") };
  return {
    ...PLAIN,
    common,
    networks,
    accounts: undefined,
    settings,
    notes: [reason("uncounted")],
  };
}
