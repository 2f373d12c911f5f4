// TLS and transport of an inbound or outbound: the stored (sing-box) dialect to v2ray's `streamSettings`.
// v2ray takes an unknown `security` for none at all, so everything that it has not got is refused here and never left
// to its own check.
import { z } from "zod";
import { Lines, Names, serverCertificate } from "../rays/certificates.ts";
import { parsed, unserved } from "./words.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

const Feature = z.looseObject({ enabled: z.boolean().optional() });

export const Tls = z.strictObject({
  enabled: z.boolean().default(false),
  server_name: z.string().optional(),
  alpn: Names.optional(),
  certificate: Lines.optional(),
  key: Lines.optional(),
  min_version: z.string().optional(),
  insecure: z.boolean().optional(),
  reality: Feature.optional(),
  ech: Feature.optional(),
  utls: Feature.optional(),
});
export type Tls = z.infer<typeof Tls>;

const Transport = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("ws"),
    path: z.string().optional(),
    headers: z.record(z.string(), Names).optional(),
    max_early_data: z.int().optional(),
    early_data_header_name: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("http"),
    path: z.string().optional(),
    host: Names.optional(),
    idle_timeout: z.unknown().optional(),
    ping_timeout: z.unknown().optional(),
  }),
]);

const SERVED_ELSEWHERE: Readonly<Record<string, "xray" | "singBox" | "both">> = {
  grpc: "both",
  httpupgrade: "both",
  xhttp: "xray",
  splithttp: "xray",
  quic: "singBox",
};

export interface Stream {
  readonly settings: Record<string, unknown>;
  readonly network: "tcp" | "ws" | "http";
  readonly tls: boolean;
  readonly notes: readonly Reason[];
}

const TransportType = z.looseObject({ type: z.string().optional() });

/** `streamSettings` of a fragment's `tls` and `transport`. Throws a Refusal naming what v2ray has not got. */
export function compileStream(side: "inbound" | "outbound", tlsValue: unknown, transportValue: unknown): Stream {
  const notes: Reason[] = [];
  const type = parsed(TransportType, transportValue ?? {}).type ?? "";
  const elsewhere = SERVED_ELSEWHERE[type];
  if (elsewhere) throw unserved(`transport ${type}`, elsewhere);
  if (!["", "tcp", "ws", "http"].includes(type)) throw unserved(`transport ${type}`);
  const settings: Record<string, unknown> = { network: type === "" ? "tcp" : type };
  const tls = parsed(Tls, tlsValue ?? {});
  refuseTlsFeatures(tls);
  if (type === "ws" || type === "http") {
    const transport = parsed(Transport, transportValue);
    if (transport.type === "ws") {
      const headers = Object.fromEntries(
        Object.entries(transport.headers ?? {}).map(([name, values]) => [name, values[0] ?? ""]),
      );
      settings["wsSettings"] = { path: transport.path ?? "/", headers };
      if (transport.max_early_data) notes.push(reason("ignored", "v2ray", "transport.max_early_data", ""));
    } else {
      if (!tls.enabled) throw unserved("transport http without TLS", "singBox");
      settings["httpSettings"] = { path: transport.path ?? "/", host: transport.host ?? [] };
    }
  }
  if (tls.enabled) {
    settings["security"] = "tls";
    settings["tlsSettings"] = side === "inbound" ? serverTls(tls, type) : clientTls(tls);
    if (side === "inbound" && tls.min_version !== undefined && tls.min_version !== "1.0") {
      if (tls.min_version === "1.3") throw unserved("`tls.min_version` 1.3", "both");
      notes.push(reason("ignored", "v2ray", "tls.min_version", ""));
    }
  }
  return { settings, network: type === "ws" || type === "http" ? type : "tcp", tls: tls.enabled, notes };
}

function refuseTlsFeatures(tls: Tls): void {
  for (const feature of ["reality", "ech"] as const) {
    const value = tls[feature];
    if (value && value.enabled !== false) throw unserved(feature === "reality" ? "REALITY" : "ECH", "both");
  }
  if (tls.utls && tls.utls.enabled !== false) throw unserved("uTLS", "both");
}

function serverTls(tls: Tls, transport: string): Record<string, unknown> {
  const alpn = tls.alpn ?? (transport === "http" ? ["h2"] : ["http/1.1"]);
  const base = { alpn, ...(tls.server_name !== undefined && { serverName: tls.server_name }) };
  return { ...base, certificates: [serverCertificate(tls)] };
}

function clientTls(tls: Tls): Record<string, unknown> {
  return {
    ...(tls.server_name !== undefined && { serverName: tls.server_name }),
    ...(tls.alpn && { alpn: tls.alpn }),
    ...(tls.insecure && { allowInsecure: true }),
    ...(tls.certificate !== undefined && {
      certificates: [{ usage: "verify", certificate: tls.certificate.split(/\r?\n/) }],
    }),
  };
}
