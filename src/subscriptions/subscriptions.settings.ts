// What subscriptions contain and look like: the settings of this room, as data (docs/settings.md).
import type { LinkSetting } from "../accounts/index.ts";
import { defineSettings, flag, httpUrl, json, note, number, text } from "../feature/index.ts";
import { links, nowhere, whole } from "../http/index.ts";
import { FormatRules, partsOfRules } from "./documents/formats.ts";
import { SubApps } from "./page/apps.ts";
import { partsOfApps, partsOfTheme } from "./page/points.ts";
import { SubTheme } from "./page/theme.ts";

export const subscriptionsSettings = defineSettings({
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
});

/** The settings by which subscriptions are made and found: this room's, and those that links are made of. */
export type SubscriptionSetting = keyof typeof subscriptionsSettings | LinkSetting | "timezone";

/** Settings by key, as they are now. */
export interface SubscriptionSettings {
  readonly get: (key: SubscriptionSetting) => string;
}
