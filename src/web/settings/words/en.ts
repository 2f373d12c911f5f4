// Words of the settings, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Settings",
  search: "Search by name or value",
  allGroups: "All",
  none: "No setting matches",
  clear: "Show all settings",
  empty: "empty",
  on: "on",
  off: "off",
  reset: "Back to the default",
  unsaved: "not saved",
  pending: "Restart needed",
  atRestart: "Takes effect after a restart",
  unused: "No effect yet",
  unusedText: "The panel keeps this value and does not use it yet.",
  mainAdmins: "Main admins only",
  readOnly: "Your role reads settings and does not change them.",
  secretKept: "A value is stored. Leave it empty to keep it.",
  secretNone: "No value is stored.",
  restart: "Restart now",
  restartTitle: "Restart the panel?",
  restartText: "It is away for a few seconds. Nodes and connections of users go on. This page comes back by itself.",
  restarting: "The panel restarts",
  restarted: "The panel has restarted",
  moves: "The panel restarts. From then on it answers at another address:",
  elsewhere: "The panel does not answer here. Its address may have changed:",
  lockTitle: "Lock yourself out?",
  lockAnyway: "Save anyway",
  changedMeanwhile: (value: string) =>
    value === ""
      ? "Somebody else changed this meanwhile. Save again to keep yours."
      : `Somebody else set this to ${value} meanwhile. Save again to keep yours.`,
  default: (value: string) => `Default: ${value}`,
  waiting: (n: number, text: string) =>
    plural("en", n, { one: "1 setting waits for a restart", other: `${text} settings wait for a restart` }),
  lockOut: (ip: string) => `Your address ${ip} is not in the list: you would be signed out and could not come back.`,
  domainOut: (host: string) =>
    `You reach the panel by ${host}. Without a base path this name would serve subscriptions only.`,
  saved: (n: number, text: string) => plural("en", n, { one: "1 setting saved", other: `${text} settings saved` }),
  groups: {
    general: "General",
    web: "Panel and its address",
    access: "Signing in",
    subscriptions: "Subscriptions",
    client_apps: "Client apps",
    certificates: "Certificates",
    events: "Events and webhooks",
    records: "What is kept",
    alerts: "Alerts",
    backups: "Backups",
    updates: "Updates",
  },
  tlsModes: {
    none: "None: a proxy does it",
    self_signed: "Own certificate",
    files: "Certificate from files",
  },
};

export const titles = {
  settings: "Settings",
};

export const settingLabels = {
  web_domain: "Domain of the panel",
  web_url: "Public address of the panel",
  web_basepath: "Base path",
  web_cert_file: "Certificate file",
  web_key_file: "Key file",
  web_listen_ip: "Address to listen on",
  web_listen_port: "Port to listen on",
  web_tls_mode: "TLS",
  web_tls_min: "Lowest TLS version",
  web_cert_id: "Certificate that is served",
  web_masquerade_dir: "Folder of a web site in front of the panel",
  acme_directory: "ACME directory",
  acme_eab_kid: "ACME account: key id",
  acme_eab_key: "ACME account: key",
  timezone: "Time zone",
  update_url: "Address of updates",
  update_check: "Look for updates",
  backup_enabled: "Back up by schedule",
  backup_interval_hours: "Hours between backups",
  backup_dir: "Folder of backups",
  backup_keep: "Backups that are kept",
  backup_include_history: "With usage history",
  backup_include_audit: "With the audit log",
};

export const families = { panel: "Panel" };

export const raised = {
  "panel.started": "the panel started",
  "panel.stopping": "the panel is stopping",
  "panel.crashed": "internal error of the panel",
  "panel.setup_completed": "the panel was set up",
  "panel.settings_changed": "a setting changed",
  "panel.restore_applied": "a backup was restored",
  "panel.backup_done": "backup written",
  "panel.backup_failed": "backup failed",
  "panel.backup_upload_failed": "backup was not uploaded",
  "panel.cert_renewed": "certificate renewed",
  "panel.cert_renew_failed": "certificate not renewed",
  "panel.cert_expiring": "certificate expires soon",
  "panel.ruleset_refresh_failed": "rule sets not refreshed",
  "panel.update_available": "a newer release is there",
  "panel.license_changed": "the licence changed",
  "panel.license_expiring": "the licence expires soon",
  "panel.license_unverified": "the licence is not confirmed",
  "panel.addon_registered": "add-on registered",
  "panel.addon_removed": "add-on removed",
  "panel.addon_unhealthy": "add-on does not answer",
  "panel.addon_recovered": "add-on answers again",
  "panel.addon_update_waiting": "an add-on's update waits for consent",
};

export const subjects = {
  panel: "Panel",
  settings: "Setting",
  setup: "Setup",
};

export const actions = {
  restart: "panel restarted",
};
