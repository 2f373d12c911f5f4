// One outbound of the plan as Xray runs it.
import { z } from "zod";
import type { PlanOutbound } from "../../../protocol/plan.ts";
import type { CompileOptions } from "../process/dialect.ts";
import { SHADOWSOCKS_CIPHERS } from "../process/api/grpc-messages.ts";
import type { CompiledOutbound } from "../rays/outbounds.ts";
import { Address, Host, Range } from "../rays/hosts.ts";
import { LOOPBACK_RANGES, PRIVATE_RANGES } from "../../private-ranges.ts";
import { hysteriaStream, Obfs } from "./hysteria.ts";
import { clientSecurity } from "./security.ts";
import { keyBytesOf } from "./shadowsocks.ts";
import { socketOptions, socketShape } from "./socket-options.ts";
import { transportSettings } from "./transport.ts";
import { hostPort, xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

const Port = z.int().min(1).max(65_535);
const Strategy = z.enum(["", "prefer_ipv4", "prefer_ipv6", "ipv4_only", "ipv6_only"]);
const Toggle = z.looseObject({ enabled: z.boolean().optional() });

const dial = {
  type: z.string().optional(),
  tag: z.string().optional(),
  ...socketShape,
  detour: z.string().optional(),
  inet4_bind_address: Address.optional(),
  inet6_bind_address: Address.optional(),
  connect_timeout: z.unknown().optional(),
  domain_strategy: Strategy.optional(),
  domain_resolver: z.union([z.string(), z.looseObject({ strategy: Strategy.optional() })]).optional(),
  fallback_delay: z.unknown().optional(),
};
const server = { ...dial, server: Host, server_port: Port };
const proxied = {
  ...server,
  tls: z.unknown().optional(),
  transport: z.unknown().optional(),
  multiplex: Toggle.optional(),
};
const Dial = z.looseObject(dial);
const Proxied = z.looseObject(proxied);
const Configs = {
  direct: z.strictObject(dial),
  socks: z.strictObject({
    ...server,
    version: z.enum(["5", ""]).optional(),
    username: z.string().default(""),
    password: z.string().default(""),
  }),
  http: z.strictObject({
    ...server,
    tls: z.unknown().optional(),
    username: z.string().default(""),
    password: z.string().default(""),
  }),
  vless: z.strictObject({
    ...proxied,
    uuid: z.string().min(1),
    flow: z.enum(["", "xtls-rprx-vision"]).default(""),
    packet_encoding: z.string().optional(),
  }),
  vmess: z.strictObject({
    ...proxied,
    uuid: z.string().min(1),
    security: z.enum(["auto", "aes-128-gcm", "chacha20-poly1305"]).default("auto"),
    alter_id: z.literal(0).optional(),
    packet_encoding: z.string().optional(),
  }),
  trojan: z.strictObject({ ...proxied, password: z.string().min(1) }),
  shadowsocks: z.strictObject({
    ...server,
    method: z.string(),
    password: z.string().min(1),
    multiplex: Toggle.optional(),
  }),
  hysteria2: z.strictObject({
    ...server,
    password: z.string().default(""),
    tls: z.unknown().optional(),
    obfs: Obfs.optional(),
    up_mbps: z.int().nonnegative().optional(),
    down_mbps: z.int().nonnegative().optional(),
  }),
  wireguard: z.strictObject({
    ...dial,
    private_key: z.string(),
    address: z.array(Range).min(1),
    peers: z
      .array(
        z.strictObject({
          address: Host,
          port: Port,
          public_key: z.string(),
          pre_shared_key: z.string().optional(),
          allowed_ips: z.array(Range),
          persistent_keepalive_interval: z.int().optional(),
          reserved: z.array(z.int().min(0).max(255)).length(3).optional(),
        }),
      )
      .min(1),
    mtu: z.int().optional(),
    workers: z.int().optional(),
  }),
};
const Group = z.looseObject({ outbounds: z.array(z.string()).min(1), default: z.string().optional() });

const STRATEGIES: Readonly<Record<string, string>> = {
  prefer_ipv4: "UseIPv4v6",
  prefer_ipv6: "UseIPv6v4",
  ipv4_only: "ForceIPv4",
  ipv6_only: "ForceIPv6",
};

/**
 * Throws a Refusal when Xray cannot run it. A `detour` stands as `dialerProxy`, not yet looked up. A urltest group
 * comes as an alias of its first member. `resolving`: how names are resolved where the outbound does not say.
 */
export function compileOutbound(outbound: PlanOutbound, options: CompileOptions, resolving?: string): CompiledOutbound {
  const { tag, type, config } = outbound;
  if (type === "selector" || type === "urltest") {
    const group = xray.parsed(Group, config);
    const target = group.default ?? group.outbounds[0] ?? "";
    if (type === "urltest") return { kind: "alias", tag, target };
    return {
      kind: "alias",
      tag,
      target,
      note: reason("group_fixed", "xray", "selector", tag, target),
    };
  }
  if (type === "block") return { kind: "outbound", tag, config: { tag, protocol: "blackhole", settings: {} } };
  if (!Object.hasOwn(Configs, type)) throw xray.unserved(`outbound type ${type}`, "singBox");
  const common = xray.parsed(Dial, config);
  const strategy = strategyOf(common) ?? (type === "direct" ? resolving : undefined);
  const through = common.inet4_bind_address ?? common.inet6_bind_address;
  const parts = partsOf(type as keyof typeof Configs, config, strategy, options);
  const more = {
    ...(common.detour !== undefined && common.detour !== "" && { dialerProxy: common.detour }),
    ...(strategy !== undefined && type !== "direct" && type !== "wireguard" && { domainStrategy: strategy }),
  };
  const stream = { ...parts.stream, ...socketOptions(common, more) };
  return {
    kind: "outbound",
    tag,
    config: {
      tag,
      protocol: parts.protocol,
      settings: parts.settings,
      ...(Object.keys(stream).length > 0 && { streamSettings: stream }),
      ...(through !== undefined && { sendThrough: through }),
    },
    notes: parts.notes ?? [],
  };
}

/**
 * The way out. Its own rules look at every address that is really dialled, of each datagram too: no name that resolves
 * to something else a moment later gets by.
 */
export function directOutbound(tag: string, options: CompileOptions, strategy?: string): Record<string, unknown> {
  const closed =
    options.privateTargets === "block"
      ? [{ action: "block", ip: PRIVATE_RANGES, blockDelay: 0 }]
      : options.apiPorts.length > 0
        ? [
            {
              action: "block",
              ip: LOOPBACK_RANGES,
              port: options.apiPorts.toSorted((a, b) => a - b).join(","),
              blockDelay: 0,
            },
          ]
        : [];
  const settings = {
    ...(strategy !== undefined && { domainStrategy: strategy }),
    finalRules: [...closed, { action: "allow" }],
  };
  return { tag, protocol: "freedom", settings };
}

function strategyOf({ domain_resolver: resolver, domain_strategy: own }: z.infer<typeof Dial>): string | undefined {
  const wanted = (typeof resolver === "object" ? resolver.strategy : undefined) ?? own ?? "";
  return Object.hasOwn(STRATEGIES, wanted) ? STRATEGIES[wanted] : undefined;
}

interface Parts {
  readonly protocol: string;
  readonly settings: unknown;
  readonly stream?: Record<string, unknown>;
  readonly notes?: readonly Reason[];
}

function partsOf(
  type: keyof typeof Configs,
  config: unknown,
  strategy: string | undefined,
  options: CompileOptions,
): Parts {
  switch (type) {
    case "direct":
      xray.parsed(Configs.direct, config);
      return { protocol: "freedom", settings: directOutbound("", options, strategy)["settings"] };
    case "socks":
      return { protocol: "socks", settings: loginSettings(xray.parsed(Configs.socks, config)) };
    case "http": {
      const own = xray.parsed(Configs.http, config);
      return {
        protocol: "http",
        settings: loginSettings(own),
        stream: { network: "raw", ...clientSecurity(own.tls, own.server).settings },
      };
    }
    case "shadowsocks":
      return { protocol: "shadowsocks", settings: shadowsocksSettings(xray.parsed(Configs.shadowsocks, config)) };
    case "hysteria2": {
      const own = xray.parsed(Configs.hysteria2, config);
      const stream = hysteriaStream(own, clientSecurity(withHttp3(own.tls), own.server), { auth: own.password });
      return { protocol: "hysteria", settings: { version: 2, address: own.server, port: own.server_port }, stream };
    }
    case "wireguard":
      return { protocol: "wireguard", settings: wireguardSettings(xray.parsed(Configs.wireguard, config), strategy) };
    case "vless":
    case "vmess":
    case "trojan":
      return proxyParts(type, config);
  }
}

function withHttp3(tls: unknown): unknown {
  return typeof tls === "object" && tls !== null ? { ...tls, alpn: ["h3"] } : tls;
}

function loginSettings(own: {
  server: string;
  server_port: number;
  username: string;
  password: string;
}): Record<string, unknown> {
  const users = own.username === "" ? {} : { users: [{ user: own.username, pass: own.password }] };
  return { servers: [{ address: own.server, port: own.server_port, ...users }] };
}

function shadowsocksSettings(own: z.infer<typeof Configs.shadowsocks>): Record<string, unknown> {
  const method = own.method.replace("-ietf", "");
  if (
    !Object.hasOwn(SHADOWSOCKS_CIPHERS, method) &&
    keyBytesOf(method) === undefined &&
    method !== "2022-blake3-chacha20-poly1305"
  )
    throw xray.unserved(`shadowsocks method ${own.method}`, "singBox");
  return { servers: [{ address: own.server, port: own.server_port, method, password: own.password }] };
}

function wireguardSettings(
  own: z.infer<typeof Configs.wireguard>,
  strategy: string | undefined,
): Record<string, unknown> {
  const reserved = own.peers.find((peer) => peer.reserved)?.reserved;
  return {
    secretKey: own.private_key,
    address: own.address,
    peers: own.peers.map((peer) => ({
      publicKey: peer.public_key,
      ...(peer.pre_shared_key !== undefined && { preSharedKey: peer.pre_shared_key }),
      endpoint: hostPort(peer.address, peer.port),
      allowedIPs: peer.allowed_ips,
      ...(peer.persistent_keepalive_interval !== undefined && { keepAlive: peer.persistent_keepalive_interval }),
    })),
    ...(own.mtu !== undefined && { mtu: own.mtu }),
    ...(reserved && { reserved }),
    ...(strategy !== undefined && { domainStrategy: strategy.replace("Use", "Force") }),
    // An interface of the kernel would be the whole machine's, and two processes could not have it at once.
    noKernelTun: true,
  };
}

function proxyParts(type: "vless" | "vmess" | "trojan", config: unknown): Parts {
  const own = xray.parsed(Proxied, config);
  const transport = transportSettings("outbound", own.transport);
  const security = clientSecurity(own.tls, own.server);
  if (security.kind === "reality" && (transport.network === "ws" || transport.network === "httpupgrade"))
    throw xray.unservedWith("REALITY", `transport ${transport.network}`, "singBox");
  const notes = [
    ...transport.notes,
    ...(own.multiplex && own.multiplex.enabled !== false ? [reason("upstream_multiplex_off")] : []),
    ...(type === "vless" && xray.parsed(Configs.vless, config).flow !== "" ? [reason("counted_late")] : []),
  ];
  const vision = transport.network === "raw" && security.kind !== "none";
  return {
    protocol: type,
    settings: accountSettings(type, config, vision),
    stream: { ...transport.settings, ...security.settings },
    notes,
  };
}

function accountSettings(
  type: "vless" | "vmess" | "trojan",
  config: unknown,
  vision: boolean,
): Record<string, unknown> {
  if (type === "trojan") {
    const own = xray.parsed(Configs.trojan, config);
    return { servers: [{ address: own.server, port: own.server_port, password: own.password }] };
  }
  if (type === "vmess") {
    const own = xray.parsed(Configs.vmess, config);
    return {
      vnext: [{ address: own.server, port: own.server_port, users: [{ id: own.uuid, security: own.security }] }],
    };
  }
  const own = xray.parsed(Configs.vless, config);
  if (own.flow !== "" && !vision) throw new Refusal(reason("flow_needs_tls"));
  const user = { id: own.uuid, encryption: "none", ...(own.flow !== "" && { flow: own.flow }) };
  return { vnext: [{ address: own.server, port: own.server_port, users: [user] }] };
}
