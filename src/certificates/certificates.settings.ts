// Certificate authorities: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, httpUrl, text } from "../feature/index.ts";

const panelWide = true;
const unused = true;
const secret = true;

export const certificatesSettings = defineSettings({
  acme_directory: {
    points: nowhere,
    group: "certificates",
    check: httpUrl,
    default: "",
    whenEmpty: "https://acme-v02.api.letsencrypt.org/directory",
    panelWide,
    unused,
  },
  acme_eab_kid: { group: "certificates", points: nowhere, check: text(), default: "", panelWide, unused },
  acme_eab_key: { group: "certificates", points: nowhere, check: text(), default: "", panelWide, secret, unused },
});
