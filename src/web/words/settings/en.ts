// Words of the settings, in English.
import { plural } from "../../format/plural.ts";

export const settings = {
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
