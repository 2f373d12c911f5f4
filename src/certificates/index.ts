// What other rooms and the panel use of certificates.
export { CertificateRows, type CertificateRow } from "./certificate.entity.ts";
export { pairOf, panelCertificates, readCertificate, type PanelCertificates } from "./panel-certificate.ts";
export { readCertificateFile, readKeyFile, readTlsFiles, TlsFileError, type TlsPair } from "./tls-files.ts";
export { feature } from "./feature.ts";
