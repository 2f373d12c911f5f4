// The plan's outbounds as the engine serves them. What it cannot serve stays known under its tag and refuses, so that
// traffic never leaves another way than meant.
import { z } from "zod";
import type { PlanOutbound } from "../../../protocol/plan.ts";
import { type AgentNotice, noticeOf, itemPlace } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly password: string;
}

export type Outbound =
  | { readonly kind: "direct"; readonly tag: string }
  | { readonly kind: "block"; readonly tag: string }
  | { readonly kind: "socks" | "http"; readonly tag: string; readonly proxy: UpstreamProxy }
  | { readonly kind: "unserved"; readonly tag: string };

/** The default outbound when a plan names none. */
export const DIRECT_TAG = "direct";
/** The tag under which refused private targets are counted. */
export const BLOCK_TAG = "block";

const OUTBOUND_ENGINES: Record<string, string> = {
  vless: "xray,sing-box,v2ray",
  vmess: "xray,sing-box,v2ray",
  trojan: "xray,sing-box,v2ray",
  shadowsocks: "xray,sing-box,v2ray",
  wireguard: "xray,sing-box",
  hysteria2: "xray,sing-box",
  selector: "sing-box,xray,v2ray",
  urltest: "sing-box,xray,v2ray",
  dns: "sing-box,xray,v2ray",
};

/** SOCKS5 counts the bytes of each in one byte. */
const Credential = z.string().refine((text) => Buffer.byteLength(text) <= 255, "is longer than 255 bytes");
const Proxy = z.object({
  server: z.string().min(1),
  server_port: z.int().min(1).max(65_535),
  username: Credential.default(""),
  password: Credential.default(""),
});
const NAMING = new Set(["type", "tag", "remark"]);
const PROXY_KEYS = new Set(["server", "server_port", "username", "password", "version", "network"]);

/** Reads one outbound; `warnings` say what of it is not served. */
export function readOutbound({ tag, type, config }: PlanOutbound): { outbound: Outbound; warnings: AgentNotice[] } {
  const place = itemPlace("outbound", tag);
  const unserved = (why: Reason) => ({
    outbound: { kind: "unserved", tag } as const,
    warnings: [noticeOf(place, why)],
  });
  const passedOver = (keys: readonly string[]): AgentNotice[] =>
    keys.length > 0 ? [noticeOf(place, reason("ignored", "embedded", keys.join(", "), "sing-box"))] : [];
  if (type === "direct" || type === "block") {
    const ignored = Object.keys(config).filter((key) => !NAMING.has(key));
    return { outbound: { kind: type, tag }, warnings: type === "direct" ? passedOver(ignored) : [] };
  }
  if (type !== "socks" && type !== "http") {
    return unserved(reason("unserved_outbound_type", type, OUTBOUND_ENGINES[type] ?? "sing-box"));
  }
  const tls = z.object({ enabled: z.boolean() }).safeParse(config["tls"]);
  if (tls.data?.enabled) return unserved(reason("upstream_tls"));
  if (type === "socks" && config["version"] !== undefined && config["version"] !== "5")
    return unserved(reason("socks_version"));
  const proxy = Proxy.safeParse(config);
  if (!proxy.success) {
    const [issue] = proxy.error.issues;
    return unserved(reason("invalid", issue?.path.join(".") ?? "", issue?.message ?? "malformed"));
  }
  const ignored = Object.keys(config).filter((key) => !NAMING.has(key) && !PROXY_KEYS.has(key) && key !== "tls");
  const { server, server_port, username, password } = proxy.data;
  return {
    outbound: { kind: type, tag, proxy: { host: server, port: server_port, name: username, password } },
    warnings: passedOver(ignored),
  };
}
