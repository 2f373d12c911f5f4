// The `transport` block of vless, vmess and trojan inbounds: sing-box's own kinds and Xray's xhttp.
import { z } from "zod";
import { ruleSaying } from "../../http/index.ts";
import { Duration, Headers, Line, Lines, UrlPath } from "./fields.ts";
import { isFragment, type Issue, issuesOf, notAnObject } from "./issue.ts";
import { checkExtra, XHTTP_MODES, XhttpExtra } from "./xhttp.ts";

const path = UrlPath.default("");
const keepAlive = { idle_timeout: Duration.optional(), ping_timeout: Duration.optional() };

const Transports = {
  ws: z.strictObject({
    type: z.literal("ws"),
    path,
    headers: Headers.optional(),
    max_early_data: z
      .int()
      .nonnegative()
      .max(2 ** 32 - 1)
      .default(0),
    early_data_header_name: Line.default(""),
  }),
  httpupgrade: z.strictObject({
    type: z.literal("httpupgrade"),
    host: Line.default(""),
    path,
    headers: Headers.optional(),
  }),
  grpc: z.strictObject({
    type: z.literal("grpc"),
    service_name: Line.default(""),
    permit_without_stream: z.boolean().optional(),
    ...keepAlive,
  }),
  http: z.strictObject({
    type: z.literal("http"),
    host: Lines.default([]),
    path,
    method: z.string().optional(),
    headers: Headers.optional(),
    ...keepAlive,
  }),
  quic: z.strictObject({ type: z.literal("quic") }),
  xhttp: z
    .strictObject({
      type: z.literal("xhttp"),
      host: Line.default(""),
      path,
      mode: z.enum(XHTTP_MODES, "must be auto, packet-up, stream-up or stream-one").default("auto"),
      extra: XhttpExtra.optional(),
    })
    .superRefine(checkExtra),
} as const;

/** A transport as clients need to know it; hosts and paths are empty where the fragment sets none. */
export type TransportDialect =
  | {
      readonly type: "ws";
      readonly path: string;
      readonly host: string;
      readonly earlyData: number;
      readonly earlyDataHeader: string;
    }
  | { readonly type: "httpupgrade"; readonly path: string; readonly host: string }
  | {
      readonly type: "grpc";
      readonly serviceName: string;
      /** The host that requests name; empty: the one that clients name by themselves, which is that of TLS. */
      readonly authority: string;
    }
  | { readonly type: "http"; readonly path: string; readonly hosts: readonly string[] }
  | { readonly type: "quic" }
  | {
      readonly type: "xhttp";
      readonly path: string;
      readonly host: string;
      readonly mode: string;
      readonly extra: Readonly<Record<string, unknown>> | undefined;
    };

const KINDS = Object.keys(Transports);
export const AnyTransport = z.discriminatedUnion("type", [
  Transports.ws,
  Transports.httpupgrade,
  Transports.grpc,
  Transports.http,
  Transports.quic,
  Transports.xhttp,
]);

function hostHeader(headers: Readonly<Record<string, readonly string[]>> | undefined): string {
  const host = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "host");
  return host?.[1][0] ?? "";
}

function reduced(block: z.infer<typeof AnyTransport>): TransportDialect {
  if (block.type === "ws") {
    const { path: at, headers, max_early_data: earlyData, early_data_header_name: earlyDataHeader } = block;
    return { type: "ws", path: at, host: hostHeader(headers), earlyData, earlyDataHeader };
  }
  if (block.type === "httpupgrade")
    return { type: "httpupgrade", path: block.path, host: block.host || hostHeader(block.headers) };
  if (block.type === "grpc") return { type: "grpc", serviceName: block.service_name, authority: "" };
  if (block.type === "http") return { type: "http", path: block.path, hosts: block.host };
  if (block.type === "quic") return { type: "quic" };
  return { type: "xhttp", path: block.path, host: block.host, mode: block.mode, extra: block.extra };
}

/** Reads a `transport` block; undefined in `transport` means plain TCP. */
export function parseTransport(value: unknown): { issues: Issue[]; transport: TransportDialect | undefined } {
  const none = { issues: [], transport: undefined };
  if (value === undefined) return none;
  if (!isFragment(value)) return { ...none, issues: [{ path: "transport", ...notAnObject }] };
  if (Object.keys(value).length === 0 || value["type"] === "") return none;
  const type = value["type"];
  if (typeof type !== "string" || !KINDS.includes(type)) {
    const hint = type === "tcp" || type === "raw" ? "; plain TCP is an inbound without a transport" : "";
    return {
      ...none,
      issues: [
        { path: "transport.type", ...ruleSaying(`must be one of ${KINDS.join(", ")}${hint}`, "choice", ...KINDS) },
      ],
    };
  }
  const parsed = AnyTransport.safeParse(value);
  if (!parsed.success) return { ...none, issues: issuesOf(parsed.error, value, "transport") };
  return { issues: [], transport: reduced(parsed.data) };
}
