// What clients need to know of a certificate, read from its PEM.
import { X509Certificate } from "node:crypto";
import type { ClientTls } from "../../pool/index.ts";
import type { ServedCertificate } from "./model.ts";

/** DNS names and IP addresses of `subjectAltName` as Node prints it (`DNS:a.test, IP Address:10.0.0.1`). */
function namesOf(subjectAltName: string | undefined): string[] {
  return (subjectAltName ?? "")
    .split(", ")
    .map((item) => /^(?:DNS|IP Address):(.+)$/.exec(item)?.[1] ?? "")
    .filter((name) => name !== "");
}

/**
 * Describes the first certificate of a PEM chain. `client` is the client template stored with it. Throws when the PEM
 * holds none.
 */
export function servedCertificate(pem: string, client: ClientTls): ServedCertificate {
  const leaf = new X509Certificate(pem);
  return {
    // Not `checkIssued`: by that, a certificate whose key usage has no signing of certificates did not issue itself.
    selfSigned: leaf.issuer === leaf.subject && leaf.verify(leaf.publicKey),
    sha256: leaf.fingerprint256.replaceAll(":", "").toLowerCase(),
    pem: leaf.toString(),
    names: namesOf(leaf.subjectAltName),
    client,
  };
}
