// The certificate part of a `tls` block, which is the same in v2ray and Xray.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** PEM as one text or as a list of lines. */
export const Lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (Array.isArray(text) ? text.join("\n") : text).trim());
/** One text or a list of texts. */
export const Names = z
  .union([z.string(), z.array(z.string())])
  .transform((names) => (Array.isArray(names) ? names : [names]));

export interface CertificateFields {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * The server's certificate and key from the plan. Throws a Refusal if one is missing, or if they do not match.
 */
export function serverCertificate(tls: CertificateFields): Record<string, unknown> {
  if (tls.certificate !== undefined && tls.key !== undefined) {
    checkPair(tls.certificate, tls.key);
    return { certificate: tls.certificate.split(/\r?\n/), key: tls.key.split(/\r?\n/) };
  }
  throw new Refusal(reason("no_certificate"));
}

function checkPair(certificate: string, key: string): void {
  let matches: boolean;
  try {
    matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Refusal(reason("not_pem", "`tls.certificate` and `tls.key`"), { cause: error });
  }
  if (!matches) throw new Refusal(reason("other_key"));
}
