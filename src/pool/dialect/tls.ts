// The `tls` block of an inbound, REALITY included, and the public half of a REALITY key.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { z } from "zod";
import { rule, ruleSaying, matching } from "../../http/index.ts";
import { Anything, Duration, Port, Texts } from "./fields.ts";
import { type Fragment, isFragment, type Issue, issuesOf, notAnObject, withoutRefused } from "./issue.ts";
import { keyPairIssues } from "./key-pair.ts";

/** DER in front of a raw X25519 private key (PKCS #8). */
const X25519_PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");

/**
 * The base64url public key that clients of a REALITY inbound need. Undefined when `privateKey` is not base64url of 32
 * bytes.
 */
export function realityPublicKey(privateKey: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{43}=?$/.test(privateKey)) return undefined;
  const raw = Buffer.from(privateKey, "base64url");
  if (raw.length !== 32) return undefined;
  const key = createPrivateKey({ key: Buffer.concat([X25519_PKCS8, raw]), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "jwk" }).x;
}

export const TlsVersion = z.enum(["1.0", "1.1", "1.2", "1.3"], "must be 1.0, 1.1, 1.2 or 1.3");

export const ShortId = z.string().check(matching(/^([0-9a-fA-F]{2}){0,8}$/, rule("hex", 16)));

const Reality = z.strictObject({
  enabled: z.boolean().default(false),
  handshake: z.looseObject({
    server: z.string().min(1, "must name the site whose handshake is borrowed"),
    server_port: Port.default(443),
  }),
  private_key: z.string().refine((key) => realityPublicKey(key) !== undefined, rule("x25519_key")),
  short_id: z
    .union([ShortId, z.array(ShortId)], { error: "must be up to 16 hex digits, or a list of such" })
    .transform((value) => (typeof value === "string" ? [value] : value))
    .default([""]),
  max_time_difference: Duration.optional(),
});

export const InboundTlsBlock = z.strictObject({
  enabled: z.boolean().default(false),
  server_name: z.string().default(""),
  alpn: Texts.default([]),
  min_version: TlsVersion.optional(),
  max_version: TlsVersion.optional(),
  cipher_suites: Texts.optional(),
  curve_preferences: Texts.optional(),
  certificate: Texts.optional(),
  key: Texts.optional(),
  client_authentication: z.string().optional(),
  client_certificate: Texts.optional(),
  client_certificate_public_key_sha256: Texts.optional(),
  handshake_timeout: Duration.optional(),
  kernel_tx: z.boolean().optional(),
  kernel_rx: z.boolean().optional(),
  ech: Anything.optional(),
  reality: Reality.optional(),
});

/** REALITY as a client sees it. */
export interface RealityDialect {
  readonly handshakeServer: string;
  readonly publicKey: string;
  /** At least one; may be the empty id. */
  readonly shortIds: readonly string[];
}

/** TLS of an inbound that has it switched on. */
export interface TlsDialect {
  /** Empty when the fragment names none. */
  readonly serverName: string;
  readonly alpn: readonly string[];
  readonly reality?: RealityDialect;
}

const REFUSED = {
  acme: ruleSaying(
    "inline ACME is deprecated: order the certificate in the panel and set certificateId or useNodeCert",
    "deprecated",
    "certificateId",
  ),
};

/** Versions that no handshake could have. `alwaysNew`: REALITY and QUIC are TLS 1.3. */
function versionIssues(least: string, most: string, alwaysNew: string): Issue[] {
  if (least > most) return [{ path: "tls.max_version", ...rule("version_order", least) }];
  return alwaysNew !== "" && most < "1.3" ? [{ path: "tls.max_version", ...rule("needs_tls13", alwaysNew) }] : [];
}

/**
 * Reads a `tls` block; undefined in `tls` when it is absent or not enabled. Certificates are not required: the panel
 * fills them in for each node. `overQuic`: what of the inbound runs over QUIC; empty when nothing does.
 */
export function parseInboundTls(value: unknown, overQuic = ""): { issues: Issue[]; tls: TlsDialect | undefined } {
  if (value === undefined) return { issues: [], tls: undefined };
  if (!isFragment(value)) return { issues: [{ path: "tls", ...notAnObject }], tls: undefined };
  const { issues, rest } = withoutRefused(value, REFUSED, "tls");
  // A REALITY block that is switched off may be incomplete.
  const checked = isOffReality(rest) ? { ...rest, reality: undefined } : rest;
  const parsed = InboundTlsBlock.safeParse(checked);
  if (!parsed.success) return { issues: [...issues, ...issuesOf(parsed.error, checked, "tls")], tls: undefined };
  const {
    enabled,
    server_name,
    alpn,
    reality,
    min_version = "1.0",
    max_version = "1.3",
    certificate,
    key,
  } = parsed.data;
  if (!enabled) return { issues, tls: undefined };
  issues.push(...versionIssues(min_version, max_version, reality?.enabled ? "REALITY" : overQuic));
  issues.push(...keyPairIssues(certificate, key));
  const publicKey = reality?.enabled ? realityPublicKey(reality.private_key) : undefined;
  if (!reality || publicKey === undefined) return { issues, tls: { serverName: server_name, alpn } };
  const shortIds = reality.short_id.length === 0 ? [""] : reality.short_id;
  return {
    issues,
    tls: { serverName: server_name, alpn, reality: { handshakeServer: reality.handshake.server, publicKey, shortIds } },
  };
}

function isOffReality(tls: Fragment): boolean {
  return isFragment(tls["reality"]) && tls["reality"]["enabled"] !== true;
}
