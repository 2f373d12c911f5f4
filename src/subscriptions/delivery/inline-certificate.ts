// The certificate that an inbound carries in its own fragment, as clients need to know it.
import type { InboundRow } from "../../pool/index.ts";
import { servedCertificate } from "../documents/certificate.ts";
import type { ServedCertificate } from "../documents/model.ts";

/** Undefined where the fragment carries none, or none that can be read: clients then verify as usual. */
export function inlineCertificate(inbound: Readonly<InboundRow>): ServedCertificate | undefined {
  const { tls } = inbound.config as { tls?: { enabled?: unknown; certificate?: unknown } };
  const pem = Array.isArray(tls?.certificate) ? tls.certificate.join("\n") : tls?.certificate;
  if (tls?.enabled !== true || typeof pem !== "string") return undefined;
  try {
    return servedCertificate(pem, {});
  } catch {
    // The dialect's checks refuse such a PEM at write; one that got in otherwise is the node's warning, not the
    // subscriber's.
    return undefined;
  }
}
