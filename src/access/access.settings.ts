// The settings of this room, as data (docs/settings.md): who gets in, and what the audit log keeps.
import { nowhere } from "../http/index.ts";
import { defineSettings, addressList, flag, number, text } from "../feature/index.ts";

const panelWide = true;
const secret = true;

export const accessSettings = defineSettings({
  changes_logging: { group: "records", points: nowhere, check: flag, default: "true", panelWide },
  changes_retention_days: {
    points: nowhere,
    group: "records",
    check: number(0, 36_500, "empty"),
    default: "90",
    whenEmpty: "90",
    panelWide,
  },
  login_allowlist: { group: "access", points: nowhere, check: addressList, default: "", panelWide },
  setup_token: { group: "access", points: nowhere, check: text(), default: "", panelWide, secret, internal: true },
});
