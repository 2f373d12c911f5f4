// An inbound's TLS settings, from the fragment and the PEM that it holds to a context that connections use.
import { createSecureContext } from "node:tls";
import type { SecureContext, SecureVersion } from "node:tls";
import { z } from "zod";

const Pem = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join("\n") : value));
const Version = z.enum(["1.0", "1.1", "1.2", "1.3"]);
const Switch = z.looseObject({ enabled: z.boolean().default(false) }).optional();

/** The `tls` block of an inbound, as far as the engine knows it. */
export const TlsFragment = z.looseObject({
  enabled: z.boolean().default(false),
  server_name: z.string().optional(),
  alpn: z.union([z.string().transform((name) => [name]), z.array(z.string().min(1).max(255))]).default([]),
  certificate: Pem.optional(),
  key: Pem.optional(),
  min_version: Version.optional(),
  max_version: Version.optional(),
  reality: Switch,
  ech: Switch,
  acme: z.unknown().optional(),
  client_authentication: z.string().optional(),
});
export type TlsFragment = z.infer<typeof TlsFragment>;

export interface TlsMaterial {
  readonly certificate: string;
  readonly key: string;
}

/** Reads certificate and key from the fragment. Throws an error that names the missing one. */
export function readMaterial({ certificate = "", key = "" }: TlsFragment): TlsMaterial {
  for (const [field, text] of Object.entries({ certificate, key }))
    if (text === "") throw new Error(`tls.${field} is missing`);
  return { certificate, key };
}

const VERSIONS: Record<z.infer<typeof Version>, SecureVersion> = {
  "1.0": "TLSv1",
  "1.1": "TLSv1.1",
  "1.2": "TLSv1.2",
  "1.3": "TLSv1.3",
};

/** Throws when the PEM is none, or the key is not the certificate's. */
export function secureContext(tls: TlsFragment, material: TlsMaterial): SecureContext {
  return createSecureContext({
    cert: material.certificate,
    key: material.key,
    minVersion: VERSIONS[tls.min_version ?? "1.2"],
    ...(tls.max_version ? { maxVersion: VERSIONS[tls.max_version] } : {}),
  });
}

/** Protocol names in the form of RFC 7301: each with its length before it; undefined for none. */
export function alpnBytes(names: readonly string[]): Buffer | undefined {
  if (names.length === 0) return undefined;
  return Buffer.concat(names.map((name) => Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name)])));
}
