// The plan's inbounds as the engine serves them: what can be served, and one sentence for each thing that cannot.
import { z } from "zod";
import type { PlanInbound } from "../../../protocol/plan.ts";
import type { Protocol } from "./handshake.ts";
import { TlsFragment } from "./tls-context.ts";
import type { WsOptions } from "./transports/ws-handshake.ts";
import { type AgentNotice, type Place, noticeOf, itemPlace } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

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

/** Engines that serve what this engine does not: by type of inbound, then by transport. */
const TYPE_ENGINES: Record<string, string> = {
  vmess: "xray,sing-box,v2ray",
  shadowsocks: "xray,sing-box,v2ray",
  hysteria2: "xray,sing-box",
  direct: "xray,sing-box,v2ray",
  wireguard: "xray,sing-box",
};
const TRANSPORT_ENGINES: Record<string, string> = {
  grpc: "xray,sing-box",
  httpupgrade: "xray,sing-box",
  http: "sing-box,v2ray",
  quic: "sing-box,v2ray",
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
export function readInbound(inbound: PlanInbound): { spec?: InboundSpec; warnings: AgentNotice[] } {
  const { id, tag, type, config } = inbound;
  const place = itemPlace("inbound", tag);
  const refuse = (why: Reason) => ({ warnings: [noticeOf(place, why)] });
  const protocol = Protocol.safeParse(type);
  if (!protocol.success)
    return refuse(reason("unserved", "embedded", `type ${type}`, TYPE_ENGINES[type] ?? "sing-box"));
  const head = Head.safeParse(config);
  if (!head.success) return refuse(issueReason(head.error));
  const warnings = passedOver(config, KNOWN_KEYS, place, "");

  const multiplex = z.looseObject({ enabled: z.boolean() }).safeParse(config["multiplex"]);
  if (multiplex.data?.enabled) warnings.push(noticeOf(place, reason("multiplex_off", "embedded")));

  let ws: WsOptions | undefined;
  if (config["transport"] !== undefined) {
    const transport = Transport.safeParse(config["transport"]);
    if (!transport.success) return refuse(issueReason(transport.error, "transport"));
    const kind = transport.data.type;
    if (kind !== "ws")
      return refuse(reason("unserved", "embedded", `transport ${kind}`, TRANSPORT_ENGINES[kind] ?? "sing-box,xray"));
    const parsed = Ws.safeParse(config["transport"]);
    if (!parsed.success) return refuse(issueReason(parsed.error, "transport"));
    warnings.push(...passedOver(parsed.data, KNOWN_WS_KEYS, place, "transport."));
    ws = wsOptions(parsed.data);
  }

  let tls: TlsFragment | undefined;
  if (config["tls"] !== undefined) {
    const parsed = TlsFragment.safeParse(config["tls"]);
    if (!parsed.success) return refuse(issueReason(parsed.error, "tls"));
    if (parsed.data.enabled) {
      tls =
        ws && parsed.data.alpn.length > 0
          ? { ...parsed.data, alpn: [...new Set(["http/1.1", ...parsed.data.alpn.filter((name) => name !== "h2")])] }
          : parsed.data;
      const unserved = unservedTls(tls);
      if (unserved) return refuse(reason("unserved", "embedded", ...unserved));
      warnings.push(...passedOver(tls, KNOWN_TLS_KEYS, place, "tls."));
    }
  }
  return {
    spec: { id, tag, protocol: protocol.data, listen: head.data.listen, port: head.data.listen_port, ws, tls },
    warnings,
  };
}

/** A setting whose absence would make the inbound another one than the operator meant: [its name, who serves it]. */
function unservedTls(tls: TlsFragment): [string, string] | undefined {
  if (tls.reality?.enabled) return ["REALITY", "xray,sing-box"];
  if (tls.ech?.enabled) return ["tls.ech", "sing-box,xray"];
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
function passedOver(settings: object, known: ReadonlySet<string>, place: Place, under: string): AgentNotice[] {
  return Object.entries(settings)
    .filter(
      ([key, value]) => !known.has(key) && value !== undefined && value !== null && value !== false && value !== "",
    )
    .map(([key]) => noticeOf(place, reason("ignored", "embedded", `${under}${key}`, "sing-box")));
}

function issueReason(error: z.ZodError, ...under: string[]): Reason {
  const [issue] = error.issues;
  return reason("invalid", [...under, ...(issue?.path ?? [])].join("."), issue?.message ?? "malformed");
}
