// The panel's identity towards agents: one key and self-signed certificate, which every agent is told to trust (rule
// nodes.trust.1). Shared by all panels on one database.
import "reflect-metadata";
import { createHash, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { lock, sealPlace, type Committer, type Reader } from "../../db/index.ts";
import { openSecret, sealSecret } from "../../lib/seal.ts";
import { LinkIdentityRows } from "../records/node.entity.ts";

export interface LinkIdentity {
  readonly certificate: string;
  readonly privateKey: string;
  /** Base64 SHA-256 of the SPKI. */
  readonly fingerprint: string;
}

const SEAL = sealPlace(LinkIdentityRows, "privateKey", 1);
const LIFETIME_YEARS = 30;

/** The identity on the database, made on first use. `key`: the panel's sealing key. */
export async function loadLinkIdentity(
  reads: Reader,
  commits: Committer,
  key: Uint8Array,
  now: number,
): Promise<LinkIdentity> {
  const stored = (await reads.find(LinkIdentityRows, 1)) ?? (await store(commits, key, await makeIdentity(now), now));
  return {
    certificate: stored.certificate,
    privateKey: openSecret(key, stored.privateKey, SEAL),
    fingerprint: fingerprintOfPem(stored.certificate),
  };
}

/** Keeps the identity that another process stored meanwhile. */
function store(commits: Committer, key: Uint8Array, made: { certificate: string; privateKey: string }, now: number) {
  const row = {
    id: 1,
    certificate: made.certificate,
    privateKey: sealSecret(key, made.privateKey, SEAL),
    createdAt: Math.floor(now / 1000),
  };
  return commits.submit({
    name: "link.identity",
    locks: [lock(LinkIdentityRows, 1)],
    decide(draft) {
      const present = draft.find(LinkIdentityRows, 1);
      if (present) return present;
      draft.insert(LinkIdentityRows, row);
      return row;
    },
  });
}

async function makeIdentity(now: number): Promise<{ certificate: string; privateKey: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + LIFETIME_YEARS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Signalbox panel",
    notBefore: new Date(now - 300_000),
    notAfter: until,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth], true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const privateKey = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { certificate: certificate.toString("pem"), privateKey };
}

/** Base64 SHA-256 of a certificate's SPKI: how panel and agents pin each other. */
export function fingerprintOf(certificate: X509Certificate): string {
  return createHash("sha256")
    .update(certificate.publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

export function fingerprintOfPem(pem: string): string {
  return fingerprintOf(new X509Certificate(pem));
}
