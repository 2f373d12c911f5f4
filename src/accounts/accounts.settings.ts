// Subscriptions, and what is said of accounts: the settings of this room, as data (docs/settings.md).
import { defineSettings, dayList, flag, httpUrl, note, number, text } from "../feature/index.ts";

const percent = number(0, 100, "empty");

export const accountsSettings = defineSettings({
  sub_title: { check: text(256), default: "" },
  sub_update_interval: { check: number(1, 8760, "empty"), default: "12", whenEmpty: "12" },
  sub_support_url: { check: httpUrl, default: "" },
  sub_announce: { check: note(4096), default: "" },
  sub_placeholder: { check: flag, default: "true" },
  device_limit_strict: { check: flag, default: "false" },
  history_retention_days: { check: number(0, 36_500, "empty"), default: "400", whenEmpty: "400" },
  alert_user_volume_percent: { check: percent, default: "", whenEmpty: "80" },
  alert_user_expiry_days: { check: dayList, default: "", whenEmpty: "7,1" },
});
