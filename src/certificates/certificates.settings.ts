// Certificate authorities: the settings of this room, as data (docs/settings.md).
import { defineSettings, httpUrl, text } from "../feature/index.ts";

const panelWide = true;
const unused = true;
const secret = true;

export const certificatesSettings = defineSettings({
  acme_directory: {
    group: "certificates",
    check: httpUrl,
    default: "",
    whenEmpty: "https://acme-v02.api.letsencrypt.org/directory",
    panelWide,
    unused,
  },
  acme_eab_kid: { group: "certificates", check: text(), default: "", panelWide, unused },
  acme_eab_key: { group: "certificates", check: text(), default: "", panelWide, secret, unused },
});
