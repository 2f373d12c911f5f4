// How long deleted accounts are kept, and which warnings are sent: the settings of this room, as data
// (docs/settings.md).
import { defineSettings, dayList, number, text } from "../feature/index.ts";
import { nowhere } from "../http/index.ts";

const percent = number(0, 100, "empty");

export const accountsSettings = defineSettings({
  deleted_retention_days: {
    group: "records",
    points: nowhere,
    check: number(0, 3650, "empty"),
    default: "7",
    whenEmpty: "7",
  },
  cycles_zone: { group: "records", points: nowhere, check: text(64), default: "", internal: true },
  alert_user_volume_percent: { group: "alerts", points: nowhere, check: percent, default: "", whenEmpty: "80" },
  alert_user_expiry_days: { group: "alerts", points: nowhere, check: dayList, default: "", whenEmpty: "7,1" },
});
