// The TLS keys checked against each other (rules certificates.mode), and against the files that they name.
import {
  readCertificateFile,
  readKeyFile,
  readTlsFiles,
  TlsFileError,
  type PanelCertificates,
} from "../../certificates/index.ts";
import type { Draft } from "../../db/index.ts";
import { invalid, ruleSaying } from "../../http/index.ts";

export const TLS_KEYS: readonly string[] = ["web_cert_file", "web_cert_id", "web_key_file", "web_tls_mode"];

/** Values as they would be after the write. */
export type ValueAfter = (key: string) => string;

/**
 * Refuses what contradicts itself, on locked rows. A write is refused for what it would break, not for what was
 * incomplete before it.
 */
export function refuseTlsContradiction(
  draft: Draft,
  certificates: PanelCertificates | undefined,
  key: string,
  after: ValueAfter,
): void {
  if (!TLS_KEYS.includes(key)) return;
  const mode = after("web_tls_mode");
  if (mode === "files" && key !== "web_cert_id") {
    for (const file of ["web_cert_file", "web_key_file"])
      if (after(file) === "") invalid("value", ruleSaying(`web_tls_mode files needs ${file}`, "needs", file));
  }
  if (mode === "self_signed" && (key === "web_cert_id" || key === "web_tls_mode")) {
    const id = after("web_cert_id");
    if (id === "") invalid("value", ruleSaying("web_tls_mode self_signed needs web_cert_id", "needs", "web_cert_id"));
    if (certificates && !certificates.exists(draft, Number(id)))
      invalid("value", ruleSaying("web_cert_id names no panel certificate", "absent", "certificate", id));
  }
}

/**
 * Refuses files that no listener could serve. Switching to `files` looks at both and whether they belong together; a
 * path written under that mode looks at its own file, since the pair is changed one path after the other. A file that
 * is not there yet is accepted: it may be brought before the restart, which says so in a sentence where it was not.
 */
export async function refuseUnusableFiles(key: string, after: ValueAfter): Promise<void> {
  if (after("web_tls_mode") !== "files") return;
  const [certFile, keyFile] = [after("web_cert_file"), after("web_key_file")];
  try {
    if (key === "web_cert_file" && certFile !== "") await readCertificateFile(certFile);
    if (key === "web_key_file" && keyFile !== "") await readKeyFile(keyFile);
    if (key === "web_tls_mode" && certFile !== "" && keyFile !== "") await readTlsFiles(certFile, keyFile);
  } catch (error) {
    if (!(error instanceof TlsFileError)) throw error;
    if (!error.missing) invalid("value", error.rule);
  }
}
