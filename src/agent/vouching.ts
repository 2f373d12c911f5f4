// Which of the trusted certificates vouches for a caller. A pinned key needs no dates: a machine whose clock is hours
// off would refuse its own panel, and nobody could tell it the time. So of a chain in which TLS finds nothing wrong but
// dates, keys and signatures alone decide, as strictly as it does.
import { createHash, type X509Certificate } from "node:crypto";
import type { PeerCertificate, TLSSocket } from "node:tls";

const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
const BY_THE_CLOCK: readonly string[] = ["CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED"];

export type Vouched =
  | { readonly anchor: string; readonly untimely: boolean }
  | { readonly anchor: undefined; readonly problem: string };

/**
 * Fingerprint of the key at the top of a caller's chain. `untimely`: by this machine's clock its certificates are not
 * valid now.
 */
export function vouchedFor(socket: TLSSocket, trusted: readonly X509Certificate[]): Vouched {
  if (socket.authorized) {
    const anchor = topOf(socket.getPeerCertificate(true));
    return anchor === undefined ? { anchor, problem: "no client certificate" } : { anchor, untimely: false };
  }
  const problem = String(socket.authorizationError);
  const certificate = socket.getPeerX509Certificate();
  // TLS names the last thing that is wrong alone: a stranger's certificate may be out of date as well.
  const anchor = certificate && BY_THE_CLOCK.includes(problem) ? anchorOf(certificate, trusted) : undefined;
  return anchor ? { anchor: fingerprintOf(anchor), untimely: true } : { anchor: undefined, problem };
}

/** The trusted certificate that this one is, or that has issued it; no others come between. */
function anchorOf(certificate: X509Certificate, trusted: readonly X509Certificate[]): X509Certificate | undefined {
  // The extended key usage, as Node names it; none allows everything.
  const usage = certificate.keyUsage as readonly string[] | undefined;
  if (usage && !usage.includes(CLIENT_AUTH)) return undefined;
  return trusted.find(
    (anchor) =>
      anchor.subject === anchor.issuer &&
      (anchor.raw.equals(certificate.raw) ||
        (anchor.ca && certificate.checkIssued(anchor) && certificate.verify(anchor.publicKey))),
  );
}

function fingerprintOf(certificate: X509Certificate): string {
  return hash(certificate.publicKey.export({ type: "spki", format: "der" }));
}

/** Fingerprint of the key at the top of a chain that TLS has verified. */
function topOf(certificate: ReturnType<TLSSocket["getPeerCertificate"]>): string | undefined {
  let top: PeerCertificate & { issuerCertificate?: PeerCertificate } = certificate;
  // The last one of a complete chain names itself as its issuer.
  while (top.issuerCertificate !== undefined && top.issuerCertificate.fingerprint256 !== top.fingerprint256)
    top = top.issuerCertificate;
  return top.pubkey === undefined ? undefined : hash(top.pubkey);
}

function hash(key: Buffer): string {
  return createHash("sha256").update(key).digest("base64");
}
