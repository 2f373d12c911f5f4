// What other rooms and the composition root use of certificates.
import { CertificateRows } from "./certificate.entity.ts";

export { CertificateRows } from "./certificate.entity.ts";
export { issuePanelCertificate, readCertificate } from "./panel-certificate.ts";
export { issueSelfSigned } from "./self-signed.ts";

/** Tables of this room. */
export const certificateEntities = [CertificateRows] as const;
