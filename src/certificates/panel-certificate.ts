// The panel's own certificate: issued at setup with the change that finishes it, issued again when the panel's names
// change, read for the listener.
import { sealPlace, type Draft, type Reader } from "../db/index.ts";
import { openSecret, sealSecret } from "../lib/seal.ts";
import { CertificateRows, type CertificateRow } from "./certificate.entity.ts";
import { issueSelfSigned } from "./self-signed.ts";
import type { TlsPair } from "./tls-files.ts";

const sealedAt = (id: number) => sealPlace(CertificateRows, "privateKey", id);

/** The fields of a row that a new certificate replaces. */
type Issue = (id: number) => Pick<CertificateRow, "sans" | "notBefore" | "notAfter" | "certificate" | "privateKey">;

/** Makes a key and a certificate now: the part that no transaction may wait for. */
async function makeCertificate(names: readonly string[], key: Uint8Array, now: number): Promise<Issue> {
  const { notBefore, notAfter, certificate, privateKey } = await issueSelfSigned(names, now);
  return (id) => ({
    sans: [...names],
    notBefore,
    notAfter,
    certificate,
    privateKey: sealSecret(key, privateKey, sealedAt(id)),
  });
}

/**
 * Makes the certificate for at least one name; what it resolves to writes it with a change and returns its id. `now`:
 * Unix milliseconds.
 */
export async function issuePanelCertificate(
  names: readonly string[],
  key: Uint8Array,
  now: number,
): Promise<(draft: Draft) => number> {
  const issue = await makeCertificate(names, key, now);
  return (draft) => {
    const id = draft.nextId("certificates");
    const times = { createdAt: draft.time, updatedAt: draft.time };
    draft.insert(CertificateRows, { id, name: "panel", type: "self_signed", ...issue(id), ...times });
    return id;
  };
}

/** What the settings need of certificates (rules certificates.own, certificates.mode). */
export interface PanelCertificates {
  /** Whether there is a certificate of this id; decides on the locked row. */
  exists(draft: Draft, id: number): boolean;
  /**
   * Names that a certificate of the panel's own making covers, on the locked row; undefined for any other, and for
   * none.
   */
  namesOf(draft: Draft, id: number): readonly string[] | undefined;
  /**
   * Makes a certificate for these names; what it resolves to puts it, with a change, in the place of the one with this
   * id.
   */
  reissue(names: readonly string[]): Promise<(draft: Draft, id: number) => void>;
}

/** `now`: Unix milliseconds. */
export function panelCertificates(key: Uint8Array, now: () => number): PanelCertificates {
  return {
    exists: (draft, id) => draft.find(CertificateRows, id, "read") !== undefined,
    namesOf: (draft, id) => {
      const row = draft.find(CertificateRows, id);
      return row?.type === "self_signed" ? row.sans : undefined;
    },
    reissue: async (names) => {
      const issue = await makeCertificate(names, key, now());
      return (draft, id) => {
        draft.touch(CertificateRows, id, issue(id));
      };
    },
  };
}

/** Certificate and key of a row, for a listener. */
export function pairOf(row: Readonly<CertificateRow>, key: Uint8Array): TlsPair {
  return { cert: row.certificate, key: openSecret(key, row.privateKey, sealedAt(row.id)) };
}

/** Certificate and key of a stored certificate; undefined when there is none of that id. */
export async function readCertificate(reads: Reader, id: number, key: Uint8Array): Promise<TlsPair | undefined> {
  const row = await reads.find(CertificateRows, id);
  return row && pairOf(row, key);
}
