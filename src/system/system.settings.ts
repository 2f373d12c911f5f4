// Listener, names, zone, updates and backups: the settings of this room, as data (docs/settings.md).
import {
  defineSettings,
  type SettingEntry,
  absolutePath,
  addressList,
  anyPath,
  basePath,
  block,
  domainList,
  flag,
  hexDigest,
  host,
  httpUrl,
  ipLiteral,
  number,
  oneOf,
  text,
  timeZone,
} from "../feature/index.ts";
import { clientKey, type ClientApp } from "./settings/client-keys.ts";

const panelWide = true;
const secret = true;

const appKey = <A extends ClientApp>(app: A, scheme: string) =>
  ({
    [`sub_${app}_key`]: { check: clientKey(app), default: "" },
    [`sub_${app}_scheme`]: { check: text(32), default: scheme },
    [`sub_${app}_key_url`]: { check: httpUrl, default: "", panelWide },
    [`sub_${app}_key_fingerprint`]: { check: hexDigest, default: "" },
  }) as Readonly<Record<`sub_${A}_${"key" | "scheme" | "key_url" | "key_fingerprint"}`, SettingEntry>>;

export const systemSettings = defineSettings({
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
  sub_domain: { check: domainList, default: "", panelWide },
  sub_basepath: { check: basePath, default: "/sub", whenEmpty: "/sub", panelWide },
  timezone: { check: timeZone, default: "", panelWide },
  trusted_proxies: { check: addressList, default: "", panelWide },
  update_url: { check: httpUrl, default: "", panelWide },
  update_check: { check: flag, default: "true" },
  backup_enabled: { check: flag, default: "false", panelWide },
  backup_interval_hours: { check: number(0, 8760, "empty"), default: "", whenEmpty: "24", panelWide },
  backup_dir: { check: absolutePath, default: "", panelWide },
  backup_keep: { check: number(0, 1_000_000, "empty"), default: "0", whenEmpty: "0", panelWide },
  backup_include_history: { check: flag, default: "false", panelWide },
  backup_include_audit: { check: flag, default: "false", panelWide },
  backup_passphrase: { check: block(1024), default: "", panelWide, secret, internal: true },
  ...appKey("happ", "crypt4"),
  ...appKey("incy", "crypt1"),
});
