// TLS and REALITY: the `tls` block of the stored dialect as `security`, `tlsSettings` and `realitySettings`.
// Xray takes an unknown key for none at all, so everything that it has not got is refused here and never left to its
// own check.
import { z } from "zod";
import { Lines, Names, serverCertificate } from "../rays/certificates.ts";
import { Host } from "../rays/hosts.ts";
import { hostPort, milliseconds, xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

const Feature = z.looseObject({ enabled: z.boolean().optional() });
const Version = z.enum(["1.0", "1.1", "1.2", "1.3"]);
const X25519 = z.string().regex(/^[A-Za-z0-9_-]{43}=?$/, "must be an X25519 key: base64url of 32 bytes");

/** What a connection is wrapped in, and what others must know of it. */
export interface Security {
  readonly kind: "none" | "tls" | "reality";
  readonly settings: Record<string, unknown>;
  readonly notes: readonly Reason[];
}

const ServerTls = z.strictObject({
  enabled: z.boolean().default(false),
  server_name: z.string().default(""),
  alpn: Names.optional(),
  min_version: Version.optional(),
  max_version: Version.optional(),
  cipher_suites: Names.optional(),
  certificate: Lines.optional(),
  key: Lines.optional(),
  handshake_timeout: z.unknown().optional(),
  kernel_tx: z.unknown().optional(),
  kernel_rx: z.unknown().optional(),
  ech: Feature.optional(),
  reality: Feature.optional(),
});

const Reality = z.strictObject({
  enabled: z.boolean().optional(),
  handshake: z.strictObject({ server: Host, server_port: z.int().min(1).max(65_535).default(443) }),
  private_key: X25519,
  short_id: z
    .union([z.string(), z.array(z.string())])
    .transform((ids) => (Array.isArray(ids) ? ids : [ids]))
    .default([""]),
  max_time_difference: z.string().optional(),
});

/**
 * `alpn`: what the protocol or transport must speak; undefined leaves it to the operator. Throws a Refusal naming what
 * Xray has not got.
 */
export function serverSecurity(value: unknown, alpn: readonly string[] | undefined): Security {
  const enabled = xray.parsed(Feature, value ?? {}).enabled === true;
  if (!enabled) return { kind: "none", settings: {}, notes: [] };
  const tls = xray.parsed(ServerTls, value);
  if (tls.ech && tls.ech.enabled !== false) throw xray.unserved("ECH", "singBox");
  if (tls.reality?.enabled === true) return serverReality(tls.reality, tls.server_name);
  const notes = (["handshake_timeout", "kernel_tx", "kernel_rx"] as const)
    .filter((key) => tls[key] !== undefined && tls[key] !== false)
    .map((key): Reason => reason("ignored", "xray", `tls.${key}`, ""));
  const protocols = alpn ?? tls.alpn;
  if (alpn && tls.alpn && tls.alpn.join() !== alpn.join()) notes.push(reason("alpn_made", "xray", alpn.join(", ")));
  const tlsSettings = {
    ...(protocols && { alpn: protocols }),
    ...(tls.server_name !== "" && { serverName: tls.server_name }),
    ...(tls.min_version !== undefined && { minVersion: tls.min_version }),
    ...(tls.max_version !== undefined && { maxVersion: tls.max_version }),
    ...(tls.cipher_suites && { cipherSuites: tls.cipher_suites.join(":") }),
    certificates: [serverCertificate(tls)],
  };
  return { kind: "tls", settings: { security: "tls", tlsSettings }, notes };
}

function serverReality(value: unknown, serverName: string): Security {
  const reality = xray.parsed(Reality, value);
  const bad = reality.short_id.find((id) => !/^([0-9a-f]{2}){0,8}$/i.test(id));
  if (bad !== undefined) throw new Refusal(reason("malformed", "tls.reality.short_id", bad, "0123456789abcdef"));
  const realitySettings = {
    target: hostPort(reality.handshake.server, reality.handshake.server_port),
    serverNames: [serverName === "" ? reality.handshake.server : serverName],
    privateKey: reality.private_key.replace("=", ""),
    shortIds: reality.short_id.length === 0 ? [""] : reality.short_id,
    ...(reality.max_time_difference !== undefined && {
      maxTimeDiff: milliseconds(reality.max_time_difference, "tls.reality.max_time_difference"),
    }),
    // Unset it means Xray's own clients of this year: sing-box's, which name an old version, would be turned away.
    minClientVer: "1.8.0",
  };
  return { kind: "reality", settings: { security: "reality", realitySettings }, notes: [] };
}

const ClientTls = z.strictObject({
  enabled: z.boolean().default(false),
  server_name: z.string().default(""),
  alpn: Names.optional(),
  min_version: Version.optional(),
  max_version: Version.optional(),
  cipher_suites: Names.optional(),
  insecure: z.boolean().optional(),
  certificate: Lines.optional(),
  ech: Feature.optional(),
  utls: z.looseObject({ enabled: z.boolean().optional(), fingerprint: z.string().optional() }).optional(),
  reality: z.looseObject({ enabled: z.boolean().optional() }).optional(),
});
const ClientReality = z.strictObject({
  enabled: z.boolean().optional(),
  public_key: X25519,
  short_id: z.string().default(""),
});

/** The same for an outbound. `server`: its address, which is the name to expect where none is given. */
export function clientSecurity(value: unknown, server: string): Security {
  const enabled = xray.parsed(Feature, value ?? {}).enabled === true;
  if (!enabled) return { kind: "none", settings: {}, notes: [] };
  const tls = xray.parsed(ClientTls, value);
  if (tls.ech && tls.ech.enabled !== false) throw xray.unserved("ECH", "singBox");
  const fingerprint = tls.utls && tls.utls.enabled !== false ? (tls.utls.fingerprint ?? "chrome") : undefined;
  const serverName = tls.server_name === "" ? server : tls.server_name;
  if (tls.reality?.enabled === true) {
    const reality = xray.parsed(ClientReality, tls.reality);
    const realitySettings = {
      serverName,
      publicKey: reality.public_key.replace("=", ""),
      shortId: reality.short_id,
      fingerprint: fingerprint ?? "chrome",
    };
    return { kind: "reality", settings: { security: "reality", realitySettings }, notes: [] };
  }
  if (tls.insecure) throw new Refusal(reason("unchecked_certificate"));
  const trusted = tls.certificate === undefined ? undefined : { certificate: tls.certificate.split(/\r?\n/) };
  const tlsSettings = {
    serverName,
    ...(tls.alpn && { alpn: tls.alpn }),
    ...(tls.min_version !== undefined && { minVersion: tls.min_version }),
    ...(tls.max_version !== undefined && { maxVersion: tls.max_version }),
    ...(tls.cipher_suites && { cipherSuites: tls.cipher_suites.join(":") }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(trusted && { certificates: [{ usage: "verify", ...trusted }], disableSystemRoot: true }),
  };
  return { kind: "tls", settings: { security: "tls", tlsSettings }, notes: [] };
}
