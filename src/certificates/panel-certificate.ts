// The panel's own certificate: issued at setup with the change that finishes it, read at start for the listener.
import type { Draft, Reader } from "../db/index.ts";
import { openSecret, sealSecret } from "../lib/seal.ts";
import { CertificateRows } from "./certificate.entity.ts";
import { issueSelfSigned } from "./self-signed.ts";

const sealedAt = (id: number) => ({ table: "certificates", column: "private_key", id });

/** Makes the certificate now; what it resolves to writes it with a change and returns its id. `names` empty: the loopback names. */
export async function issuePanelCertificate(names: readonly string[], key: Uint8Array, now: number): Promise<(draft: Draft) => number> {
  const sans = names.length === 0 ? ["localhost", "127.0.0.1"] : [...names];
  const issued = await issueSelfSigned(sans, now);
  return (draft) => {
    const id = draft.nextId("certificates");
    draft.insert(CertificateRows, {
      id,
      name: "panel",
      type: "self_signed",
      sans,
      notBefore: issued.notBefore,
      notAfter: issued.notAfter,
      certificate: issued.certificate,
      privateKey: sealSecret(key, issued.privateKey, sealedAt(id)),
      createdAt: draft.time,
      updatedAt: draft.time,
    });
    return id;
  };
}

/** Certificate and key of a stored certificate, for a listener; undefined when there is none of that id. */
export async function readCertificate(reads: Reader, id: number, key: Uint8Array): Promise<{ cert: string; key: string } | undefined> {
  const row = await reads.find(CertificateRows, id);
  return row && { cert: row.certificate, key: openSecret(key, row.privateKey, sealedAt(row.id)) };
}
