// One inbound of the plan as v2ray runs it, without its users. Everything that v2ray has not got is refused here by
// name.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { CompiledInbound } from "../process/dialect.ts";
import { isLive } from "./accounts.ts";
import { Host, ListenAddress } from "../rays/hosts.ts";
import { listenAddress } from "../rays/inbounds.ts";
import { parsed, unserved, unservedWith } from "./words.ts";
import { compileStream } from "./stream.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const PROTOCOLS = ["vless", "vmess", "trojan", "shadowsocks", "socks", "http"] as const;
type Protocol = (typeof PROTOCOLS)[number];

const ELSEWHERE: Readonly<Record<string, "xray" | "singBox" | "both">> = {
  hysteria2: "both",
  tuic: "singBox",
  anytls: "singBox",
  naive: "singBox",
  shadowtls: "singBox",
  hysteria: "singBox",
  tun: "singBox",
  mixed: "both",
};
const CIPHERS = ["aes-128-gcm", "aes-256-gcm", "chacha20-poly1305", "chacha20-ietf-poly1305"];

const Toggle = z.looseObject({ enabled: z.boolean().optional() });
const Config = z.strictObject({
  // The plan's own columns may be repeated in the stored fragment.
  type: z.string().optional(),
  tag: z.string().optional(),
  listen: ListenAddress.default("::"),
  listen_port: z.int().min(1).max(65_535),
  tls: z.unknown().optional(),
  transport: z.unknown().optional(),
  multiplex: Toggle.optional(),
  method: z.string().optional(),
  password: z.string().optional(),
  network: z.enum(["tcp", "udp", ""]).optional(),
  tcp_fast_open: z.boolean().optional(),
  udp_timeout: z.unknown().optional(),
  fallback: z.strictObject({ server: Host.default("127.0.0.1"), server_port: z.int().min(1).max(65_535) }).optional(),
});

/** More changes of users than this at once are quicker done by a second process. */
const MOST_LIVE_OPERATIONS = 5000;

export interface V2rayInbound extends CompiledInbound {
  readonly protocol: Protocol;
}

function protocolOf(type: string): Protocol {
  const protocol = PROTOCOLS.find((known) => known === type);
  if (!protocol) throw unserved(`type ${type}`, ELSEWHERE[type]);
  return protocol;
}

function settingsOf(protocol: Protocol, config: z.infer<typeof Config>): Record<string, unknown> {
  if (protocol === "vless") return { decryption: "none" };
  if (protocol === "vmess") return {};
  if (protocol === "trojan") {
    const { fallback } = config;
    return fallback
      ? {
          fallbacks: [
            {
              dest: fallback.server.includes(":")
                ? `[${fallback.server}]:${fallback.server_port}`
                : `${fallback.server}:${fallback.server_port}`,
            },
          ],
        }
      : {};
  }
  if (protocol === "socks") return { auth: "password", udp: false };
  if (protocol === "http") return { allowTransparent: false };
  const method = config.method ?? "";
  if (method.startsWith("2022-")) throw unserved(`shadowsocks method ${method}`, "both");
  if (!CIPHERS.includes(method))
    throw unserved(`shadowsocks method ${method === "" ? "(none given)" : method}`, "singBox");
  return {
    method: method.replace("-ietf", ""),
    network: config.network === "tcp" || config.network === "udp" ? config.network : "tcp,udp",
  };
}

/**
 * Throws a Refusal when v2ray cannot serve it. `sniffing`: a route rule needs the protocol or name from the first
 * bytes.
 */
export function compileInbound(inbound: PlanInbound, sniffing: boolean): V2rayInbound {
  const protocol = protocolOf(inbound.type);
  const config = parsed(Config, inbound.config);
  if (config.fallback && protocol !== "trojan") throw unservedWith("`fallback`", protocol);
  const stream = compileStream("inbound", config.tls, config.transport);
  if (protocol === "shadowsocks" && (stream.tls || stream.network !== "tcp"))
    throw new Refusal(reason("takes_no_tls", "shadowsocks"));
  if ((protocol === "socks" || protocol === "http") && stream.network !== "tcp")
    throw unservedWith(protocol, `transport ${stream.network}`);
  const notes = [...stream.notes];
  if (config.multiplex && config.multiplex.enabled !== false) notes.push(reason("multiplex_off", "v2ray"));
  if (protocol === "socks" || protocol === "http") notes.push(reason("anonymous", "v2ray", protocol));
  if (protocol === "socks") notes.push(reason("tcp_alone", "v2ray", protocol));
  return {
    id: inbound.id,
    tag: inbound.tag,
    listen: listenAddress(config.listen),
    port: config.listen_port,
    networks:
      protocol !== "shadowsocks"
        ? ["tcp"]
        : config.network === "tcp" || config.network === "udp"
          ? [config.network]
          : ["tcp", "udp"],
    protocol,
    users: isLive(protocol) ? "live" : "fixed",
    mostLiveOperations: MOST_LIVE_OPERATIONS,
    fronted: stream.network !== "tcp",
    anonymous: protocol === "socks" || protocol === "http",
    vision: protocol === "vless" && stream.tls && stream.network === "tcp",
    body: {
      protocol,
      streamSettings: { ...stream.settings, ...(config.tcp_fast_open === true && { sockopt: { tcpFastOpen: true } }) },
      ...(sniffing && { sniffing: { enabled: true, destOverride: ["http", "tls"] } }),
    },
    settings: settingsOf(protocol, config),
    notes,
  };
}
