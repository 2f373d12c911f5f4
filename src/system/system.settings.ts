// Listener, names, zone, updates and backups: the settings of this room, as data (docs/settings.md).
import { nowhere, whole } from "../http/index.ts";
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
  publicUrl,
  text,
  placeList,
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
    [`sub_${app}_key`]: forApps({ points: whole, check: clientKey(app), default: "" }),
    [`sub_${app}_scheme`]: forApps({ points: whole, check: text(32), default: scheme }),
    [`sub_${app}_key_url`]: forApps({ points: whole, check: httpUrl, default: "", panelWide }),
    [`sub_${app}_key_fingerprint`]: forApps({ points: whole, check: hexDigest, default: "" }),
  }) as Readonly<Record<`sub_${A}_${"key" | "scheme" | "key_url" | "key_fingerprint"}`, SettingEntry>>;

export const systemSettings = defineSettings({
  web_domain: { group: "web", points: whole, check: host, default: "", panelWide },
  web_url: { group: "web", points: whole, check: publicUrl, default: "", panelWide },
  web_basepath: { group: "web", points: nowhere, check: basePath, default: "", panelWide, restart },
  web_cert_file: { group: "web", points: nowhere, check: anyPath, default: "", panelWide, restart },
  web_key_file: { group: "web", points: nowhere, check: anyPath, default: "", panelWide, restart },
  web_listen_ip: { group: "web", points: nowhere, check: ipLiteral, default: "", panelWide, restart },
  web_listen_port: { group: "web", points: whole, check: number(1, 65_535, "empty"), default: "", panelWide, restart },
  web_tls_mode: {
    points: nowhere,
    group: "web",
    check: oneOf("none", "self_signed", "files"),
    default: "self_signed",
    panelWide,
    restart,
  },
  web_tls_min: { group: "web", points: nowhere, check: oneOf("1.2", "1.3"), default: "1.2", restart },
  web_cert_id: {
    group: "web",
    points: nowhere,
    check: number(0, Number.MAX_SAFE_INTEGER, "empty"),
    default: "",
    panelWide,
    restart,
  },
  web_masquerade_dir: { group: "web", points: nowhere, check: absolutePath, default: "", panelWide, restart },
  sub_url: { group: "subscriptions", points: whole, check: publicUrl, default: "", panelWide },
  sub_domain: { group: "subscriptions", points: whole, check: domainList, default: "", panelWide },
  sub_basepath: {
    group: "subscriptions",
    points: whole,
    check: basePath,
    default: "/sub",
    whenEmpty: "/sub",
    panelWide,
  },
  sub_listen: { group: "subscriptions", points: nowhere, check: placeList, default: "", panelWide },
  timezone: { group: "general", points: nowhere, check: timeZone, default: "", panelWide, restart },
  trusted_proxies: { group: "web", points: nowhere, check: addressList, default: "", panelWide },
  update_url: { group: "updates", points: nowhere, check: httpUrl, default: "", panelWide, unused },
  update_check: { group: "updates", points: nowhere, check: flag, default: "true", unused },
  backup_enabled: { group: "backups", points: nowhere, check: flag, default: "false", panelWide },
  backup_interval_hours: {
    points: nowhere,
    group: "backups",
    check: number(0, 8760, "empty"),
    default: "",
    whenEmpty: "24",
    panelWide,
  },
  backup_dir: { group: "backups", points: nowhere, check: absolutePath, default: "", panelWide },
  backup_keep: {
    points: nowhere,
    group: "backups",
    check: number(0, 1_000_000, "empty"),
    default: "0",
    whenEmpty: "0",
    panelWide,
  },
  backup_include_history: { group: "backups", points: nowhere, check: flag, default: "false", panelWide },
  backup_include_audit: { group: "backups", points: nowhere, check: flag, default: "false", panelWide },
  backup_rehearse: { group: "backups", points: nowhere, check: flag, default: "false", panelWide },
  backup_passphrase: {
    group: "backups",
    points: nowhere,
    check: block(1024),
    default: "",
    panelWide,
    secret,
    internal: true,
  },
  ...appKey("happ", "crypt4"),
  ...appKey("incy", "crypt1"),
});
