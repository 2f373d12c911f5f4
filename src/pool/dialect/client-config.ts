// `clientConfig` of an inbound (rule pool.inbound.5): what clients are told instead of what the node is told. Never
// sent to nodes.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import { matching, rule, ruleSaying } from "../../http/index.ts";
import { Duration, Line, Lines, Port, Texts } from "./fields.ts";
import { type Fragment, isFragment, type Issue, issuesOf, notAnObject, withForbidden } from "./issue.ts";
import { ShortId, TlsVersion } from "./tls.ts";

/** Fingerprints that every program with uTLS knows; empty: the program's own TLS. */
const FINGERPRINTS = ["", "chrome", "firefox", "edge", "safari", "360", "qq", "ios", "android", "random", "randomized"];
const PublicKey = z
  .string()
  .check(
    matching(/^[A-Za-z0-9_-]{43}$/, ruleSaying("must be an X25519 public key: base64url of 32 bytes", "base64", 32)),
  );

const Pem = Texts.refine((lines) => parses(() => new X509Certificate(lines.join("\n"))), rule("certificate_chain"));
const PrivatePem = Texts.refine((lines) => parses(() => createPrivateKey(lines.join("\n"))), rule("private_key"));
/** SHA-256 in base64. */
const Pin = z.string().check(matching(/^[A-Za-z0-9+/]{43}=$/, rule("base64", 32)));
const EchConfig = Texts.refine(
  (lines) => /^\s*-----BEGIN ECH CONFIGS-----\s[A-Za-z0-9+/=\s]+-----END ECH CONFIGS-----\s*$/.test(lines.join("\n")),
  rule("unfit"),
);

function parses(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Names that Go's TLS has for suites it holds for safe, and sing-box for curves. */
const SUITES = [
  ...["AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256"].map((name) => `TLS_${name}`),
  ...["ECDSA", "RSA"].flatMap((key) =>
    ["AES_128_CBC_SHA", "AES_256_CBC_SHA", "AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256"].map(
      (name) => `TLS_ECDHE_${key}_WITH_${name}`,
    ),
  ),
];
const CURVES = ["P256", "P384", "P521", "X25519", "X25519MLKEM768"];
const among = (known: readonly string[]) =>
  Texts.refine((names) => names.every((name) => known.includes(name)), rule("choice", ...known));

/**
 * A sing-box client `tls` block. Keys that only sing-box knows are kept and reach only that format; which there are is
 * the list of `clientTls`. Their values are checked: an app refuses a whole subscription over one that its core does
 * not take.
 */
const ClientTls = z
  .looseObject({
    enabled: z.boolean().optional(),
    server_name: Line.optional(),
    disable_sni: z.boolean().optional(),
    insecure: z.boolean().optional(),
    alpn: Lines.optional(),
    min_version: TlsVersion.optional(),
    max_version: TlsVersion.optional(),
    cipher_suites: among(SUITES).optional(),
    curve_preferences: among(CURVES).optional(),
    certificate: Pem.optional(),
    certificate_public_key_sha256: z.union([Pin.transform((pin) => [pin]), z.array(Pin)]).optional(),
    client_certificate: Pem.optional(),
    client_key: PrivatePem.optional(),
    fragment: z.boolean().optional(),
    fragment_fallback_delay: Duration.optional(),
    record_fragment: z.boolean().optional(),
    kernel_tx: z.boolean().optional(),
    kernel_rx: z.boolean().optional(),
    ech: z.looseObject({ enabled: z.boolean().optional(), config: EchConfig.optional() }).optional(),
    utls: z
      .looseObject({ enabled: z.boolean().default(true), fingerprint: z.enum(FINGERPRINTS).default("chrome") })
      .optional(),
    reality: z
      .looseObject({
        public_key: PublicKey.optional(),
        short_id: ShortId.optional(),
        spider_x: Line.check(matching(/^(\/|$)/, rule("unfit"))).optional(),
      })
      .optional(),
  })
  .refine((tls) => (tls.client_certificate === undefined) === (tls.client_key === undefined), {
    ...rule("needed_with", "client_certificate"),
    path: ["client_key"],
  })
  .refine((tls) => tls.certificate === undefined || tls.certificate_public_key_sha256 === undefined, {
    ...rule("not_with", "certificate"),
    path: ["certificate_public_key_sha256"],
  });
export type ClientTls = z.infer<typeof ClientTls>;

export const ClientConfig = z.strictObject({
  server: z.string().optional(),
  server_port: Port.optional(),
  tls: ClientTls.optional(),
});
export type ClientConfig = z.infer<typeof ClientConfig>;

export type ClientResult =
  | { readonly ok: true; readonly client: ClientConfig }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks a `clientConfig`; null and absent are the empty one. Paths in `issues` are relative to it. */
export function parseClientConfig(config: unknown): ClientResult {
  const parsed = ClientConfig.safeParse(config ?? {});
  const issues = withForbidden("clientConfig", "", config, parsed.success ? [] : issuesOf(parsed.error, config));
  return parsed.success && issues.length === 0 ? { ok: true, client: parsed.data } : { ok: false, issues };
}

/** A stored `clientConfig` as clients are told it. */
export interface StoredClient {
  readonly client: ClientConfig;
  /** Paths of the members that are left out; the empty path is all of it. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a stored `clientConfig`. An older version may have stored values that are refused today: the parts with these
 * are left out, so that the inbound stays in subscriptions.
 */
export function storedClientConfig(config: unknown): StoredClient {
  const parts = new Set<string>();
  for (let rest = config; ;) {
    const parsed = parseClientConfig(rest);
    if (parsed.ok) return { client: parsed.client, leftOut: [...parts] };
    const known = parts.size;
    // A member of the `tls` block, or else one of the whole.
    for (const { path } of parsed.issues) parts.add(path.split(".").slice(0, 2).join("."));
    // A part that is gone may be missed by another one, which goes too.
    if (!isFragment(config) || parts.size === known) return { client: {}, leftOut: [""] };
    rest = withoutParts(config, parts);
  }
}

function withoutParts(config: Fragment, named: ReadonlySet<string>): Fragment {
  const { tls, ...others } = config;
  const kept = (members: Fragment, prefix: string) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !named.has(`${prefix}${name}`)));
  return { ...kept(others, ""), ...(isFragment(tls) && { tls: kept(tls, "tls.") }) };
}

/** Checks the `client` template of a certificate: a client `tls` block alone. */
export function parseClientTls(
  template: unknown,
): { readonly ok: true; readonly tls: ClientTls } | { readonly ok: false; readonly issues: readonly Issue[] } {
  if (template !== undefined && template !== null && !isFragment(template))
    return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const parsed = ClientTls.safeParse(template ?? {});
  const issues = withForbidden("clientTls", "", template, parsed.success ? [] : issuesOf(parsed.error, template));
  return parsed.success && issues.length === 0 ? { ok: true, tls: parsed.data } : { ok: false, issues };
}
