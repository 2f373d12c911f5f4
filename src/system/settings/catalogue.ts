// Every setting, as data (docs/settings.md). A setting that is not here does not exist.
import type { ClientApp } from "./client-keys.ts";
import {
  absolutePath,
  addressList,
  anyPath,
  basePath,
  block,
  clientKey,
  dayList,
  domainList,
  flag,
  hexDigest,
  host,
  httpUrl,
  ipLiteral,
  note,
  number,
  oneOf,
  text,
  timeZone,
  type ValueCheck,
} from "./values.ts";

export interface SettingEntry {
  readonly check: ValueCheck;
  /** Value while it was never written. */
  readonly default: string;
  /** What an empty value means, where it means something else than empty. */
  readonly whenEmpty?: string;
  /** Written by main admins only, with a fresh second factor (rule settings.list.2). */
  readonly panelWide?: true;
  /** Sealed at rest, read as empty, never in the audit log. */
  readonly secret?: true;
  /** Neither listed nor writable by the route, for anyone. */
  readonly internal?: true;
}

const panelWide = true;
const secret = true;
const percent = number(0, 100, "empty");

const appKey = (app: ClientApp, scheme: string): Record<string, SettingEntry> => ({
  [`sub_${app}_key`]: { check: clientKey(app), default: "" },
  [`sub_${app}_scheme`]: { check: text(32), default: scheme },
  [`sub_${app}_key_url`]: { check: httpUrl, default: "", panelWide },
  [`sub_${app}_key_fingerprint`]: { check: hexDigest, default: "" },
});

export const SETTINGS: Readonly<Record<string, SettingEntry>> = {
  web_domain: { check: host, default: "", panelWide },
  web_basepath: { check: basePath, default: "", panelWide },
  web_cert_file: { check: anyPath, default: "", panelWide },
  web_key_file: { check: anyPath, default: "", panelWide },
  web_listen_ip: { check: ipLiteral, default: "", panelWide },
  web_listen_port: { check: number(1, 65_535, "empty"), default: "", panelWide },
  web_tls_mode: { check: oneOf("none", "self_signed", "files"), default: "self_signed", panelWide },
  web_tls_min: { check: oneOf("1.2", "1.3"), default: "1.2" },
  web_cert_id: { check: number(0, Number.MAX_SAFE_INTEGER, "empty"), default: "", panelWide },
  web_masquerade_dir: { check: absolutePath, default: "", panelWide },
  acme_directory: { check: httpUrl, default: "", whenEmpty: "https://acme-v02.api.letsencrypt.org/directory", panelWide },
  acme_eab_kid: { check: text(), default: "", panelWide },
  acme_eab_key: { check: text(), default: "", panelWide, secret },
  preset_dir: { check: anyPath, default: "", whenEmpty: "./presets", panelWide },
  ruleset_dir: { check: absolutePath, default: "", panelWide },
  sub_domain: { check: domainList, default: "", panelWide },
  sub_basepath: { check: basePath, default: "/sub", whenEmpty: "/sub", panelWide },
  sub_title: { check: text(256), default: "" },
  sub_update_interval: { check: number(1, 8760, "empty"), default: "12", whenEmpty: "12" },
  sub_support_url: { check: httpUrl, default: "" },
  sub_announce: { check: note(4096), default: "" },
  sub_placeholder: { check: flag, default: "true" },
  ...appKey("happ", "crypt4"),
  ...appKey("incy", "crypt1"),
  device_limit_strict: { check: flag, default: "false" },
  timezone: { check: timeZone, default: "", panelWide },
  event_retention_days: { check: number(0, 36_500, "empty"), default: "30", whenEmpty: "30", panelWide },
  node_health_retention_days: { check: number(0, 730, "empty"), default: "", whenEmpty: "90", panelWide },
  history_retention_days: { check: number(0, 36_500, "empty"), default: "400", whenEmpty: "400" },
  changes_logging: { check: flag, default: "true", panelWide },
  changes_retention_days: { check: number(0, 36_500, "empty"), default: "90", whenEmpty: "90", panelWide },
  trusted_proxies: { check: addressList, default: "", panelWide },
  login_allowlist: { check: addressList, default: "", panelWide },
  update_url: { check: httpUrl, default: "", panelWide },
  update_check: { check: flag, default: "true" },
  webhook_allow_private: { check: flag, default: "false", panelWide },
  alert_disk_percent: { check: percent, default: "", whenEmpty: "90" },
  alert_memory_percent: { check: percent, default: "", whenEmpty: "90" },
  alert_rejected_per_hour: { check: number(0, Number.MAX_SAFE_INTEGER, "empty"), default: "", whenEmpty: "100" },
  alert_user_volume_percent: { check: percent, default: "", whenEmpty: "80" },
  alert_user_expiry_days: { check: dayList, default: "", whenEmpty: "7,1" },
  backup_enabled: { check: flag, default: "false", panelWide },
  backup_interval_hours: { check: number(0, 8760, "empty"), default: "", whenEmpty: "24", panelWide },
  backup_dir: { check: absolutePath, default: "", panelWide },
  backup_keep: { check: number(0, 1_000_000, "empty"), default: "0", whenEmpty: "0", panelWide },
  backup_include_history: { check: flag, default: "false", panelWide },
  backup_include_audit: { check: flag, default: "false", panelWide },
  backup_passphrase: { check: block(1024), default: "", panelWide, secret, internal: true },
  setup_token: { check: text(), default: "", panelWide, secret, internal: true },
};

/** The entry of a key, or undefined. */
export function settingEntry(key: string): SettingEntry | undefined {
  return Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
}
