// Subscriptions, and what is said of accounts: the settings of this room, as data (docs/settings.md).
import { defineSettings, dayList, flag, httpUrl, json, note, number, text } from "../feature/index.ts";
import { links, nowhere, whole } from "../http/index.ts";
import { SubApps } from "./subscription/page/apps.ts";
import { partsOfApps, partsOfTheme } from "./subscription/page/points.ts";
import { SubTheme } from "./subscription/page/theme.ts";
import { FormatRules, partsOfRules } from "./subscription/formats.ts";

const percent = number(0, 100, "empty");

export const accountsSettings = defineSettings({
  sub_title: { group: "subscriptions", points: links, check: text(256), default: "" },
  sub_update_interval: {
    group: "subscriptions",
    points: nowhere,
    check: number(1, 8760, "empty"),
    default: "12",
    whenEmpty: "12",
  },
  sub_support_url: { group: "subscriptions", points: whole, check: httpUrl, default: "" },
  sub_announce: { group: "subscriptions", points: links, check: note(4096), default: "" },
  sub_theme: { group: "subscriptions", points: partsOfTheme, check: json(SubTheme, 32_768), default: "" },
  sub_apps: { group: "subscriptions", points: partsOfApps, check: json(SubApps, 32_768), default: "" },
  sub_rules: { group: "subscriptions", points: partsOfRules, check: json(FormatRules, 65_536), default: "" },
  sub_entry_name: { group: "subscriptions", points: links, check: text(256), default: "" },
  sub_placeholder: { group: "subscriptions", points: nowhere, check: flag, default: "true" },
  device_limit_strict: { group: "subscriptions", points: nowhere, check: flag, default: "false" },
  sub_device_self_service: { group: "subscriptions", points: nowhere, check: flag, default: "false" },
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
