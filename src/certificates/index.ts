// What other rooms and the composition root use of certificates.
import { CertificateRows } from "./certificate.entity.ts";

export { CertificateRows, type CertificateRow } from "./certificate.entity.ts";
export { issuePanelCertificate, pairOf, panelCertificates, readCertificate, type PanelCertificates } from "./panel-certificate.ts";
export { issueSelfSigned } from "./self-signed.ts";
export { readCertificateFile, readKeyFile, readTlsFiles, TlsFileError, type TlsPair } from "./tls-files.ts";

/** Tables of this room. */
export const certificateEntities = [CertificateRows] as const;
