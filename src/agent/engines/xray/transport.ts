// The `transport` block of the stored dialect as `network` and its settings.
import { z } from "zod";
import { Names } from "../rays/certificates.ts";
import { xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

/** The header in which Xray looks for a ws client's first bytes. */
const EARLY_DATA_HEADER = "sec-websocket-protocol";

const keepAlive = { idle_timeout: z.unknown().optional(), ping_timeout: z.unknown().optional() };
const Headers = z.record(z.string(), Names);
const Transport = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("ws"),
    path: z.string().default(""),
    headers: Headers.optional(),
    max_early_data: z.int().nonnegative().default(0),
    early_data_header_name: z.string().default(""),
  }),
  z.strictObject({
    type: z.literal("grpc"),
    service_name: z.string().default(""),
    permit_without_stream: z.unknown().optional(),
    ...keepAlive,
  }),
  z.strictObject({
    type: z.literal("httpupgrade"),
    host: z.string().default(""),
    path: z.string().default(""),
    headers: Headers.optional(),
  }),
  z.strictObject({
    type: z.literal("xhttp"),
    host: z.string().default(""),
    path: z.string().default(""),
    mode: z.enum(["auto", "packet-up", "stream-up", "stream-one"]).default("auto"),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
]);
type Transport = z.infer<typeof Transport>;

export interface TransportSettings {
  readonly network: "raw" | "ws" | "grpc" | "httpupgrade" | "xhttp";
  readonly settings: Record<string, unknown>;
  /** What TLS must agree on with clients; undefined: whatever the operator says. */
  readonly alpn: readonly string[] | undefined;
  readonly notes: readonly Reason[];
}

const Kind = z.looseObject({ type: z.string().default("") });

/** Throws a Refusal naming what Xray has not got. */
export function transportSettings(side: "inbound" | "outbound", value: unknown): TransportSettings {
  const { type } = xray.parsed(Kind, value ?? {});
  if (type === "" || type === "tcp" || type === "raw")
    return { network: "raw", settings: { network: "raw" }, alpn: undefined, notes: [] };
  if (type === "http" || type === "quic") throw xray.unserved(`transport ${type}`, "singBox");
  if (!["ws", "grpc", "httpupgrade", "xhttp"].includes(type)) throw xray.unserved(`transport ${type}`);
  const transport = xray.parsed(Transport, value);
  if (transport.type === "ws") return webSocket(side, transport);
  if (transport.type === "grpc") {
    if (transport.service_name.startsWith("/")) throw new Refusal(reason("slash_in_service"));
    const grpcSettings = { serviceName: transport.service_name };
    return { network: "grpc", settings: { network: "grpc", grpcSettings }, alpn: ["h2"], notes: [] };
  }
  if (transport.type === "httpupgrade") {
    const host = transport.host === "" ? hostOf(transport.headers) : transport.host;
    const httpupgradeSettings = {
      path: pathOf(transport.path),
      ...(host !== "" && { host }),
      ...headersFor(side, transport.headers),
    };
    return {
      network: "httpupgrade",
      settings: { network: "httpupgrade", httpupgradeSettings },
      alpn: ["http/1.1"],
      notes: [],
    };
  }
  const xhttpSettings = {
    path: pathOf(transport.path),
    ...(transport.host !== "" && { host: transport.host }),
    mode: transport.mode,
    ...(transport.extra && { extra: transport.extra }),
  };
  return { network: "xhttp", settings: { network: "xhttp", xhttpSettings }, alpn: undefined, notes: [] };
}

function webSocket(side: "inbound" | "outbound", transport: Extract<Transport, { type: "ws" }>): TransportSettings {
  const { max_early_data: earlyData, early_data_header_name: header } = transport;
  const early = earlyData > 0 && header.toLowerCase() === EARLY_DATA_HEADER;
  const notes = earlyData > 0 && !early ? [reason("early_data")] : [];
  const host = hostOf(transport.headers);
  const path = pathOf(transport.path);
  const wsSettings = {
    path: early ? `${path}${path.includes("?") ? "&" : "?"}ed=${earlyData}` : path,
    // A server that insists on one name would turn away who comes through a front with another.
    ...(side === "outbound" && host !== "" && { host }),
    ...headersFor(side, transport.headers),
  };
  return { network: "ws", settings: { network: "ws", wsSettings }, alpn: ["http/1.1"], notes };
}

function pathOf(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

function hostOf(headers: z.infer<typeof Headers> | undefined): string {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "host")?.[1][0] ?? "";
}

/** Only clients send them. */
function headersFor(
  side: "inbound" | "outbound",
  headers: z.infer<typeof Headers> | undefined,
): { headers?: Record<string, string> } {
  if (side === "inbound") return {};
  const others = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== "host");
  return others.length === 0
    ? {}
    : { headers: Object.fromEntries(others.map(([name, values]) => [name, values[0] ?? ""])) };
}
