// The plan's inbounds as the engine serves them: what can be served, and one sentence for each thing that cannot.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { Protocol } from "./handshake.ts";
import { TlsFragment } from "./tls-context.ts";
import type { WsOptions } from "./transports/ws-handshake.ts";

export interface InboundSpec {
  readonly id: number;
  readonly tag: string;
  readonly protocol: Protocol;
  /** Address to listen on, "::" = every address of both families. */
  readonly listen: string;
  readonly port: number;
  readonly ws: WsOptions | undefined;
  readonly tls: TlsFragment | undefined;
}

/** Who serves what this engine does not. */
const TYPE_ENGINES: Record<string, string> = {
  vmess: "xray, sing-box or v2ray",
  shadowsocks: "xray, sing-box or v2ray",
  hysteria2: "xray or sing-box",
  direct: "xray, sing-box or v2ray",
  wireguard: "xray or sing-box",
};
const TRANSPORT_ENGINES: Record<string, string> = {
  grpc: "xray or sing-box",
  httpupgrade: "xray or sing-box",
  http: "sing-box or v2ray",
  quic: "sing-box or v2ray",
  xhttp: "xray",
};

const KNOWN_KEYS = new Set([
  "type",
  "tag",
  "remark",
  "users",
  "listen",
  "listen_port",
  "tls",
  "transport",
  "multiplex",
]);
const KNOWN_TLS_KEYS = new Set(Object.keys(TlsFragment.shape));
const KNOWN_WS_KEYS = new Set(["type", "path", "headers", "max_early_data", "early_data_header_name"]);

const Head = z.object({ listen: z.string().default("::"), listen_port: z.int().min(1).max(65_535) });
const Transport = z.looseObject({ type: z.string() });
const Ws = z.looseObject({
  path: z.string().default("/"),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  max_early_data: z.int().nonnegative().default(0),
  early_data_header_name: z.string().default(""),
});
const Protocol = z.enum(["vless", "trojan", "socks", "http", "mixed"]);

/**
 * Reads one inbound. Without `spec` it is not served and the warnings say why; with one they say what of it is passed
 * over.
 */
export function readInbound(inbound: PlanInbound): { spec?: InboundSpec; warnings: string[] } {
  const { id, tag, type, config } = inbound;
  const refuse = (why: string) => ({ warnings: [`inbound ${tag}: ${why}`] });
  const protocol = Protocol.safeParse(type);
  if (!protocol.success)
    return refuse(`type ${type} is not served by the embedded engine; ${TYPE_ENGINES[type] ?? "sing-box"} serves it`);
  const head = Head.safeParse(config);
  if (!head.success) return refuse(issueText(head.error));
  const warnings = passedOver(config, KNOWN_KEYS, `inbound ${tag}: `);

  const multiplex = z.looseObject({ enabled: z.boolean() }).safeParse(config["multiplex"]);
  if (multiplex.data?.enabled)
    warnings.push(
      `inbound ${tag}: multiplex is not served by the embedded engine, clients must connect without it; sing-box serves it`,
    );

  let ws: WsOptions | undefined;
  if (config["transport"] !== undefined) {
    const transport = Transport.safeParse(config["transport"]);
    if (!transport.success) return refuse(`transport.${issueText(transport.error)}`);
    const kind = transport.data.type;
    if (kind !== "ws")
      return refuse(
        `transport ${kind} is not served by the embedded engine; ${TRANSPORT_ENGINES[kind] ?? "sing-box or xray"} serves it`,
      );
    const parsed = Ws.safeParse(config["transport"]);
    if (!parsed.success) return refuse(`transport.${issueText(parsed.error)}`);
    warnings.push(...passedOver(parsed.data, KNOWN_WS_KEYS, `inbound ${tag}: transport.`));
    ws = wsOptions(parsed.data);
  }

  let tls: TlsFragment | undefined;
  if (config["tls"] !== undefined) {
    const parsed = TlsFragment.safeParse(config["tls"]);
    if (!parsed.success) return refuse(`tls.${issueText(parsed.error)}`);
    if (parsed.data.enabled) {
      tls =
        ws && parsed.data.alpn.length > 0
          ? { ...parsed.data, alpn: [...new Set(["http/1.1", ...parsed.data.alpn.filter((name) => name !== "h2")])] }
          : parsed.data;
      const unserved = unservedTls(tls);
      if (unserved) return refuse(`${unserved[0]} is not served by the embedded engine; ${unserved[1]} serves it`);
      warnings.push(...passedOver(tls, KNOWN_TLS_KEYS, `inbound ${tag}: tls.`));
    }
  }
  return {
    spec: { id, tag, protocol: protocol.data, listen: head.data.listen, port: head.data.listen_port, ws, tls },
    warnings,
  };
}

/** A setting whose absence would make the inbound another one than the operator meant: [its name, who serves it]. */
function unservedTls(tls: TlsFragment): [string, string] | undefined {
  if (tls.reality?.enabled) return ["REALITY", "xray or sing-box"];
  if (tls.ech?.enabled) return ["tls.ech", "sing-box or xray"];
  if (tls.client_authentication !== undefined && tls.client_authentication !== "no")
    return ["tls.client_authentication", "sing-box"];
  if (tls.acme !== undefined && tls.certificate === undefined) return ["tls.acme", "sing-box"];
  return undefined;
}

function wsOptions(ws: z.infer<typeof Ws>): WsOptions {
  const path = ws.path.split("?", 1)[0] ?? "";
  const hosts = Object.entries(ws.headers).filter(([name]) => name.toLowerCase() === "host");
  return {
    path: path.startsWith("/") ? path : `/${path}`,
    hosts: hosts.flatMap(([, value]) => value).map((host) => host.toLowerCase()),
    maxEarlyData: ws.max_early_data,
    earlyDataField: ws.early_data_header_name.toLowerCase(),
  };
}

/** Warnings for settings without effect here. Empty ones mean nothing and are not worth a word. */
function passedOver(settings: object, known: ReadonlySet<string>, prefix: string): string[] {
  return Object.entries(settings)
    .filter(
      ([key, value]) => !known.has(key) && value !== undefined && value !== null && value !== false && value !== "",
    )
    .map(([key]) => `${prefix}${key} is passed over by the embedded engine; sing-box serves it`);
}

function issueText(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "malformed"}`;
}
