// Every event the panel can raise, as data (rule events.catalogue.1). What is not listed here cannot be raised.
import type { Scope } from "../http/index.ts";

export type FieldType = "integer" | "string" | "boolean" | "integer[]" | "string[]" | "object";
export type Family = "user" | "node" | "admin" | "panel";

/** One event as `GET /api/events` shows it. `scope` is what a listener needs; empty: none. */
export interface CatalogueEvent {
  readonly name: string;
  readonly family: Family;
  readonly scope: Scope | "";
  readonly description: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
}

type Fields = Readonly<Record<string, FieldType>>;

const account: Fields = { userId: "integer", name: "string", adminId: "integer" };
const node: Fields = { nodeId: "integer", name: "string" };
const host: Fields = { ...node, resource: "string", usedPercent: "integer", threshold: "integer", used: "integer", total: "integer" };
const link: Fields = { ...node, status: "string", message: "string", warnings: "string[]" };
const admin: Fields = { adminId: "integer", username: "string" };
const certificate: Fields = { kind: "string", certificateId: "integer", nodeId: "integer", name: "string", notAfter: "integer" };
const addon: Fields = { addonId: "integer", slug: "string", name: "string", signed: "boolean" };
const licence: Fields = { licenseId: "string", issuedTo: "string", expiresAt: "integer" };
const bulk: Fields = {
  matched: "integer",
  affected: "integer",
  blocked: "integer",
  failed: "integer",
  actor: "string",
  adminId: "integer",
};
const generated: Fields = {
  pattern: "string",
  count: "integer",
  skipped: "integer",
  planId: "integer",
  actor: "string",
  adminId: "integer",
};

type Line = readonly [name: string, description: string, fields: Fields];

const USER: readonly Line[] = [
  ["created", "account created", account],
  ["deleted", "account deleted", account],
  ["enabled", "the panel switched an account back on (renewal, usage reset)", account],
  ["disabled", "the panel switched an account off", { ...account, reason: "string" }],
  ["quota_reached", "an account was switched off because its traffic is used up", { ...account, reason: "string" }],
  ["expired", "an account was switched off because its date passed", { ...account, reason: "string" }],
  [
    "quota_warning",
    "usage crossed the traffic-used threshold; once per cap and threshold",
    { ...account, usedPercent: "integer", threshold: "integer", used: "integer", volume: "integer" },
  ],
  [
    "expiring",
    "an account entered a days-before-expiry window; once per window",
    { ...account, expiry: "integer", daysLeft: "integer", threshold: "integer" },
  ],
  ["renewed", "account renewed", { ...account, expiry: "integer", volume: "integer" }],
  ["activated", "a first-connection plan started", { ...account, expiry: "integer" }],
  ["first_fetch", "a client took the configurations for the first time", { ...account, client: "string" }],
  [
    "device_limit_reached",
    "a device was refused because the limit is full; at most once per device per hour",
    { ...account, hwid: "string", limit: "integer" },
  ],
  ["bulk", "one bulk operation finished", { op: "string", ...bulk, ids: "integer[]" }],
  ["generated", "a batch was generated from a pattern", generated],
];

const NODE: readonly Line[] = [
  ["connected", "a node started answering; warnings lists what it is not running", link],
  ["disconnected", "a node stopped answering; message is the error", link],
  [
    "limit_reached",
    "the periodic traffic limit was reached and the node switched off",
    { ...node, used: "integer", limit: "integer", period: "string" },
  ],
  [
    "usage_refused",
    "usage that a node told of was not counted; once an hour per node, with all since; code is the one with most bytes",
    { ...node, code: "string", users: "integer", bytes: "integer" },
  ],
  ["disk_high", "the root filesystem crossed the disk threshold; once per crossing", host],
  ["disk_recovered", "the root filesystem fell back under the threshold by at least five points", host],
  ["memory_high", "memory crossed the threshold; once per crossing", host],
  ["memory_recovered", "memory fell back under the threshold by at least five points", host],
  [
    "rejections_high",
    "a block outbound refused more connections inside an hour than the threshold; once per crossing",
    { ...node, outbound: "string", count: "integer", threshold: "integer", window: "string" },
  ],
];

const ADMIN: readonly Line[] = [
  ["login", "an operator logged in", { ...admin, ip: "string" }],
  ["login_failed", "a login was refused; stage is mfa for a wrong two-factor code", { username: "string", ip: "string", stage: "string" }],
  ["login_new_ip", "a login from an address other than the previous login's", { ...admin, ip: "string", previousIp: "string" }],
  ["2fa_changed", "two-factor turned on or off", { ...admin, enabled: "boolean" }],
  ["owner_changed", "the panel was handed to another main admin", { ...admin, previous: "string" }],
  [
    "resale_cap_reached",
    "a reseller spent its allowance or expired; reason is volume or expiry",
    { ...admin, reason: "string", used: "integer", volume: "integer" },
  ],
];

const PANEL: readonly (readonly [scope: Scope | "", ...line: Line])[] = [
  [
    "stats:read",
    "started",
    "the panel came up; restored says that a restore was applied",
    { version: "string", listen: "string", restored: "boolean" },
  ],
  ["stats:read", "stopping", "clean shutdown", { version: "string" }],
  [
    "stats:read",
    "crashed",
    "an internal error was caught while answering a request; at most once per route and message every five minutes",
    { method: "string", path: "string", error: "string", version: "string" },
  ],
  ["settings:read", "setup_completed", "the setup wizard finished", { username: "string", restart: "boolean" }],
  ["settings:read", "settings_changed", "a panel-wide setting changed; its value is never carried", { setting: "string", actor: "string" }],
  [
    "users:read",
    "restore_applied",
    "a backup was restored; event ids restart from the backup's",
    { superseded: "string", tables: "integer", rows: "integer" },
  ],
  ["backup:read", "backup_done", "the scheduled backup wrote an archive", { name: "string", size: "integer" }],
  ["backup:read", "backup_failed", "the scheduled backup failed; it is retried within the hour", { error: "string" }],
  [
    "backup:read",
    "backup_upload_failed",
    "an archive did not reach a backup destination",
    { destination: "string", name: "string", error: "string" },
  ],
  ["certificates:read", "cert_renewed", "a managed certificate was renewed", certificate],
  ["certificates:read", "cert_renew_failed", "a renewal failed; it is retried every six hours", { ...certificate, error: "string" }],
  ["certificates:read", "cert_expiring", "an uploaded certificate is close to its end; once per certificate", certificate],
  ["pool:read", "ruleset_refresh_failed", "the hourly rule-set refresh failed", { error: "string" }],
  ["stats:read", "update_available", "a newer release exists; once per release", { version: "string", current: "string", url: "string" }],
  [
    "license:write",
    "license_changed",
    "the licence state changed (licensed, expired, free, or new limits)",
    { licensed: "boolean", reason: "string", previousReason: "string", ...licence, limits: "object" },
  ],
  [
    "license:write",
    "license_expiring",
    "the licence ends in 30, 14, 7 or 1 days; once per threshold",
    { ...licence, daysLeft: "integer", threshold: "integer" },
  ],
  [
    "license:write",
    "license_unverified",
    "the licence has been unconfirmed for some days; deadline is when it falls back to the free tier",
    { licenseId: "string", verifiedAt: "integer", deadline: "integer", daysLeft: "integer" },
  ],
  ["security:read", "ip_banned", "login protection banned an address", { ip: "string", until: "integer", reason: "string" }],
  ["tokens:write", "addon_registered", "an addon was registered", addon],
  ["tokens:write", "addon_removed", "an addon was removed with its token and webhook; the addon itself is sent this first", addon],
  ["tokens:write", "addon_unhealthy", "an addon's health path failed twice in a row; once per crossing", { ...addon, error: "string" }],
  ["tokens:write", "addon_recovered", "an unhealthy addon answered again", addon],
  ["tokens:write", "addon_update_waiting", "a newer signed addon version asks for more than it holds", { ...addon, version: "string" }],
  ["", "ping", "a test event, sent to one subscriber whatever its filter", { subscriberId: "integer", name: "string", by: "string" }],
];

function described(family: Family, scope: Scope | "", [name, description, fields]: Line): CatalogueEvent {
  return {
    name: `${family}.${name}`,
    family,
    scope,
    description,
    fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
  };
}

/** The catalogue, in the order in which it is shown. */
export const CATALOGUE: readonly CatalogueEvent[] = [
  ...USER.map((line) => described("user", "users:read", line)),
  ...NODE.map((line) => described("node", "nodes:read", line)),
  ...ADMIN.map((line) => described("admin", "admins:write", line)),
  ...PANEL.map(([scope, ...line]) => described("panel", scope, line)),
];

/** The test event that reaches one subscriber past its filter. */
export const PING = "panel.ping";

const byName = new Map(CATALOGUE.map((event) => [event.name, event]));
const families = new Set<string>(CATALOGUE.map(({ family }) => family));

/** The catalogue's entry of a name, or undefined. */
export function catalogued(name: string): CatalogueEvent | undefined {
  return byName.get(name);
}

/** Whether a filter entry names an event (`user.created`) or a family (`user.*`). */
export function isFilterEntry(entry: string): boolean {
  return byName.has(entry) || (entry.endsWith(".*") && families.has(entry.slice(0, -2)));
}
