// A certificate and key written into a fragment: engines refuse the whole inbound over a text that is no PEM or a key
// of another certificate.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { rule, ruleSaying } from "../../http/index.ts";
import type { Issue } from "./issue.ts";

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** Engines go by what is inside, not by the label: some tools write `RSA PRIVATE KEY` around PKCS #8. */
function privateKeyOf(text: string): KeyObject | undefined {
  for (const pem of [text, text.replaceAll(/(BEGIN|END) (RSA|EC) PRIVATE KEY/g, "$1 PRIVATE KEY")]) {
    try {
      return createPrivateKey(pem);
    } catch {
      // The next spelling may be it; when none is, the issue says so.
    }
  }
  return undefined;
}

/**
 * What is wrong with the inline PEM lines of a `tls` block; each may be absent, since the panel fills in certificates
 * of its own.
 */
export function keyPairIssues(certificate: readonly string[] | undefined, key: readonly string[] | undefined): Issue[] {
  const issues: Issue[] = [];
  const shown = certificate && certificateOf(certificate.join("\n"));
  const secret = key && privateKeyOf(key.join("\n"));
  if (certificate && !shown) issues.push({ path: "tls.certificate", ...rule("certificate_chain") });
  if (key && !secret) issues.push({ path: "tls.key", ...rule("private_key") });
  if (shown && secret && !shown.checkPrivateKey(secret))
    issues.push({ path: "tls.key", ...ruleSaying("does not belong to tls.certificate", "other_key") });
  return issues;
}
