// Certificates as the panel takes them: the panel's own.
import type { Draft } from "../db/index.ts";
import type { AnyFeature, Ground, Opened } from "../feature/index.ts";
import { CertificateRows } from "./certificate.entity.ts";
import { certificatesSettings } from "./certificates.settings.ts";
import { issuePanelCertificate } from "./panel-certificate.ts";

/** What certificates answer others. */
interface CertificatesProvide {
  readonly issuePanelCertificate: (names: readonly string[]) => Promise<(draft: Draft) => number>;
}

function provide({ clock, secretKey }: Ground): CertificatesProvide {
  return { issuePanelCertificate: (names) => issuePanelCertificate(names, secretKey, clock.now()) };
}

export const feature = {
  name: "certificates",
  entities: [CertificateRows],
  echo: { tables: [CertificateRows] },
  settings: certificatesSettings,
  provide,
  open: (): Opened => ({}),
} as const satisfies AnyFeature;
