// Self-signed server certificates: P-256, the given names and addresses, 825 days.
import "reflect-metadata";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";

const LIFETIME_DAYS = 825;
const DAY_MS = 86_400_000;

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS#8. */
  readonly privateKey: string;
  /** Unix seconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * A certificate for these names (DNS names, wildcards, IP addresses); the first is its common name. `now`: Unix
 * milliseconds.
 */
export async function issueSelfSigned(names: readonly string[], now: number): Promise<IssuedCertificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const notBefore = new Date(now - 300_000);
  const notAfter = new Date(now + LIFETIME_DAYS * DAY_MS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [names[0] ?? "signalbox"] }],
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((name): x509.JsonGeneralName =>
          isIP(name) === 0 ? { type: "dns", value: name } : { type: "ip", value: name },
        ),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const privateKey = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return {
    certificate: certificate.toString("pem"),
    privateKey,
    notBefore: seconds(notBefore),
    notAfter: seconds(notAfter),
  };
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
