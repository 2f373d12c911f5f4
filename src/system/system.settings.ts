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
const restart = true;
const unused = true;
const secret = true;

const forApps = (entry: Omit<SettingEntry, "group">): SettingEntry => ({ group: "client_apps", ...entry });
const appKey = <A extends ClientApp>(app: A, scheme: string) =>
  ({
    [`sub_${app}_key`]: forApps({ check: clientKey(app), default: "" }),
    [`sub_${app}_scheme`]: forApps({ check: text(32), default: scheme }),
    [`sub_${app}_key_url`]: forApps({ check: httpUrl, default: "", panelWide }),
    [`sub_${app}_key_fingerprint`]: forApps({ check: hexDigest, default: "" }),
  }) as Readonly<Record<`sub_${A}_${"key" | "scheme" | "key_url" | "key_fingerprint"}`, SettingEntry>>;

export const systemSettings = defineSettings({
  web_domain: { group: "web", check: host, default: "", panelWide },
  web_basepath: { group: "web", check: basePath, default: "", panelWide, restart },
  web_cert_file: { group: "web", check: anyPath, default: "", panelWide, restart },
  web_key_file: { group: "web", check: anyPath, default: "", panelWide, restart },
  web_listen_ip: { group: "web", check: ipLiteral, default: "", panelWide, restart },
  web_listen_port: { group: "web", check: number(1, 65_535, "empty"), default: "", panelWide, restart },
  web_tls_mode: {
    group: "web",
    check: oneOf("none", "self_signed", "files"),
    default: "self_signed",
    panelWide,
    restart,
  },
  web_tls_min: { group: "web", check: oneOf("1.2", "1.3"), default: "1.2", restart },
  web_cert_id: { group: "web", check: number(0, Number.MAX_SAFE_INTEGER, "empty"), default: "", panelWide, restart },
  web_masquerade_dir: { group: "web", check: absolutePath, default: "", panelWide, restart },
  sub_domain: { group: "subscriptions", check: domainList, default: "", panelWide },
  sub_basepath: { group: "subscriptions", check: basePath, default: "/sub", whenEmpty: "/sub", panelWide },
  timezone: { group: "general", check: timeZone, default: "", panelWide, restart },
  trusted_proxies: { group: "web", check: addressList, default: "", panelWide },
  update_url: { group: "updates", check: httpUrl, default: "", panelWide, unused },
  update_check: { group: "updates", check: flag, default: "true", unused },
  backup_enabled: { group: "backups", check: flag, default: "false", panelWide, unused },
  backup_interval_hours: {
    group: "backups",
    check: number(0, 8760, "empty"),
    default: "",
    whenEmpty: "24",
    panelWide,
    unused,
  },
  backup_dir: { group: "backups", check: absolutePath, default: "", panelWide, unused },
  backup_keep: {
    group: "backups",
    check: number(0, 1_000_000, "empty"),
    default: "0",
    whenEmpty: "0",
    panelWide,
    unused,
  },
  backup_include_history: { group: "backups", check: flag, default: "false", panelWide, unused },
  backup_include_audit: { group: "backups", check: flag, default: "false", panelWide, unused },
  backup_passphrase: { group: "backups", check: block(1024), default: "", panelWide, secret, internal: true, unused },
  ...appKey("happ", "crypt4"),
  ...appKey("incy", "crypt1"),
});
