// Certificate authorities: the settings of this room, as data (docs/settings.md).
import { defineSettings, httpUrl, text } from "../feature/index.ts";

const panelWide = true;
const secret = true;

export const certificatesSettings = defineSettings({
  acme_directory: {
    check: httpUrl,
    default: "",
    whenEmpty: "https://acme-v02.api.letsencrypt.org/directory",
    panelWide,
  },
  acme_eab_kid: { check: text(), default: "", panelWide },
  acme_eab_key: { check: text(), default: "", panelWide, secret },
});
