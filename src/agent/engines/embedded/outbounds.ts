// The plan's outbounds as the engine serves them. What it cannot serve stays known under its tag and refuses, so that
// traffic never leaves another way than meant.
import { z } from "zod";
import type { PlanOutbound } from "../../../protocol/plan.ts";

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
  vless: "xray, sing-box or v2ray",
  vmess: "xray, sing-box or v2ray",
  trojan: "xray, sing-box or v2ray",
  shadowsocks: "xray, sing-box or v2ray",
  wireguard: "xray or sing-box",
  hysteria2: "xray or sing-box",
  selector: "sing-box, xray or v2ray",
  urltest: "sing-box, xray or v2ray",
  dns: "sing-box, xray or v2ray",
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
export function readOutbound({ tag, type, config }: PlanOutbound): { outbound: Outbound; warnings: string[] } {
  const unserved = (why: string) => ({
    outbound: { kind: "unserved", tag } as const,
    warnings: [`outbound ${tag}: ${why}`],
  });
  if (type === "direct" || type === "block") {
    const ignored = Object.keys(config).filter((key) => !NAMING.has(key));
    const warnings =
      type === "direct" && ignored.length > 0
        ? [`outbound ${tag}: ${ignored.join(", ")} is not honoured by the embedded engine; sing-box serves it`]
        : [];
    return { outbound: { kind: type, tag }, warnings };
  }
  if (type !== "socks" && type !== "http") {
    return unserved(
      `type ${type} is not served by the embedded engine, what is routed there is refused; ${OUTBOUND_ENGINES[type] ?? "sing-box"} serves it`,
    );
  }
  const tls = z.object({ enabled: z.boolean() }).safeParse(config["tls"]);
  if (tls.data?.enabled)
    return unserved(
      "an upstream proxy over TLS is not served by the embedded engine, what is routed there is refused; sing-box or xray serves it",
    );
  if (type === "socks" && config["version"] !== undefined && config["version"] !== "5")
    return unserved("only SOCKS version 5 is served; sing-box serves 4 and 4a");
  const proxy = Proxy.safeParse(config);
  if (!proxy.success) return unserved(`${proxy.error.issues[0]?.path.join(".")}: ${proxy.error.issues[0]?.message}`);
  const ignored = Object.keys(config).filter((key) => !NAMING.has(key) && !PROXY_KEYS.has(key) && key !== "tls");
  const warnings =
    ignored.length > 0
      ? [`outbound ${tag}: ${ignored.join(", ")} is not honoured by the embedded engine; sing-box serves it`]
      : [];
  const { server, server_port, username, password } = proxy.data;
  return {
    outbound: { kind: type, tag, proxy: { host: server, port: server_port, name: username, password } },
    warnings,
  };
}
