// Who gets in, and what the audit log keeps: the settings of this room, as data (docs/settings.md).
import { defineSettings, addressList, flag, number, text } from "../feature/index.ts";

const panelWide = true;
const secret = true;

export const accessSettings = defineSettings({
  changes_logging: { group: "records", check: flag, default: "true", panelWide },
  changes_retention_days: {
    group: "records",
    check: number(0, 36_500, "empty"),
    default: "90",
    whenEmpty: "90",
    panelWide,
  },
  login_allowlist: { group: "access", check: addressList, default: "", panelWide },
  setup_token: { group: "access", check: text(), default: "", panelWide, secret, internal: true },
});
